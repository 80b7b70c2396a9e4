"""How answers, addresses, pages and the server's state are compared."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from aworld.environments.web.sites.checks import (
    check_address,
    check_answer,
    check_content,
    check_state,
)
from aworld.environments.web.sites.state import at_path, changed_paths, fresh_state


def holds(findings: Any) -> bool:
    return all(finding.holds for finding in findings)


@pytest.mark.parametrize(
    ("answer", "references", "wanted"),
    [
        (" 'Tove' ", {"exact_match": "tove"}, True),
        ("the Tove", {"exact_match": "tove"}, False),
        ("The River Tove is it.", {"must_include": ["Tove"]}, True),
        ("12", {"must_include": ["2"]}, False),
        ("It is 2.", {"must_include": ["2"]}, True),
        ("12 and 2", {"must_include": ["1", "2"]}, True),
        ("N/A", {"fuzzy_match": "N/A"}, True),
        ("", {"fuzzy_match": "N/A"}, False),
        ("a and b", {"must_include": ["a"], "exact_match": "a"}, False),
    ],
)
def test_answers_are_compared_as_in_webarena(
    answer: str, references: dict[str, Any], wanted: bool
) -> None:
    assert holds(check_answer(answer, references)) is wanted


@pytest.mark.parametrize(
    ("address", "wanted", "fits"),
    [
        ("http://shop.test/orders/1/", "__SHOP__/orders/1", True),
        ("http://shop.test/orders/2", "__SHOP__/orders/1 |OR| __SHOP__/orders/2", True),
        ("http://shop.test/p?sort=price&q=", "__SHOP__/p?sort=price", True),
        ("http://shop.test/p?sort=name", "__SHOP__/p?sort=price", False),
        ("http://desk.test/orders/1", "__SHOP__/orders/1", False),
    ],
)
def test_addresses_are_compared_with_their_queries(address: str, wanted: str, fits: bool) -> None:
    assert check_address(address, wanted).holds is fits


def test_contents_are_compared_without_entities_and_case() -> None:
    required = {"must_include": ["Fish &amp; Chips |OR| fish & chips", "6.50"]}
    assert holds(check_content("<p>FISH &amp; CHIPS 6.50</p>", required, "page"))
    assert not holds(check_content("Fish 6.50", required, "page"))
    assert holds(check_content(" a ", {"exact_match": "A"}, "page"))


def test_a_path_finds_things_by_their_id_or_place() -> None:
    state = fresh_state()
    assert at_path(state, "shop.orders.1003.total") == 10960
    assert at_path(state, "shop.orders.-1.id") == "1006"
    with pytest.raises(KeyError, match="shop.orders.7777"):
        at_path(state, "shop.orders.7777")


def test_states_differ_as_deep_as_they_go() -> None:
    before = fresh_state()
    after = copy.deepcopy(before)
    assert changed_paths(before, after) == []
    after["shop"]["orders"][0]["status"] = "Lost"
    after["desk"]["tickets"].append({"id": "300"})
    after["wiki"]["articles"].pop()
    assert changed_paths(before, after) == [
        "desk.tickets.300",
        "shop.orders.1001.status",
        "wiki.articles.Kitchen equipment at Corvid Labs",
    ]


def test_what_may_not_change_is_named() -> None:
    before = fresh_state()
    after = copy.deepcopy(before)
    after["shop"]["orders"][-1]["status"] = "Cancelled"
    wanted = {"holds": [{"path": "shop.orders.-1.status", "equals": "Cancelled"}]}
    assert holds(check_state(before, after, wanted))
    after["shop"]["cart"] = {"k1": 1}
    *_, last = check_state(before, after, wanted)
    assert not last.holds and last.why == "No: nothing else was changed; changed: shop.cart.k1."
    assert holds(check_state(before, after, {**wanted, "may_change": ["shop.cart"]}))
