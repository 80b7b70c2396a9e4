"""What every store promises of text search, before and after its index has caught up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aworld.events.action import ToolCalled, ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.union import AnyPayload
from aworld.storage.base import OFFLOAD_BYTES
from tests.contracts.stores import Place, said

Finder = Callable[[str], list[int]]


@pytest.fixture(params=["scanned", "indexed"])
def finder(place: Place, request: pytest.FixtureRequest) -> Callable[..., Finder]:
    """Writes a run, perhaps brings the index forward, and gives a search for its seqs."""

    def write(*payloads: AnyPayload) -> Finder:
        place.run()
        place.log("r", *payloads)
        if request.param == "indexed":
            while place.store.index_text(budget_s=5):
                pass
            assert place.store.get_run("r").indexed_seq == len(payloads) - 1
        return lambda text: [hit.seq for hit in place.store.search(text)]

    return write


def test_words_are_found_from_their_beginning_in_any_case(finder: Callable[..., Finder]) -> None:
    find = finder(*said("A Timeout occurred", "the time is out", "ÉTUDE in C", "tool_call(x)"))
    assert find("timeout") == [0]
    assert find("TIME") == [0, 1]
    assert find("meout") == []
    assert find("étude IN") == [2]
    assert find("tool_call") == [3]
    assert find("is out time") == []
    assert find("the  time is") == [1]


def test_chinese_is_found_by_any_part(finder: Callable[..., Finder]) -> None:
    find = finder(
        *said("求解一元二次方程", "方程的解", "一方", "Python代码 x²-5x+6=0", "カタカナ 한국어")
    )
    assert find("方程") == [0, 1]
    assert find("二次方") == [0]
    assert find("解") == [0, 1]
    assert find("程") == [0, 1]
    assert find("次一") == []
    assert find("python代码") == [3]
    assert find("代码") == [3]
    assert find("x²-5x") == [3]
    assert find("タカ") == [4]
    assert find("국어") == [4]


def test_symbols_and_punctuation_are_found(finder: Callable[..., Finder]) -> None:
    find = finder(*said("all good 🎉", "a && b", "100 % sure"))
    assert find("🎉") == [0]
    assert find("&&") == [1]
    assert find("100 %") == [2]
    assert find('"') == []
    assert find("  ") == []


def test_all_of_a_payload_is_searched_but_not_its_field_names(
    finder: Callable[..., Finder],
) -> None:
    find = finder(
        ToolCalled("files", {"path": "notes/heron.txt", "deep": [{"er": "kingfisher"}]}),
        ToolReturned("files", "x " * OFFLOAD_BYTES + "ostrich"),
    )
    assert find("heron") == [0]
    assert find("kingfisher") == [0]
    assert find("ostrich") == [1]
    assert find("arguments") == []


def test_a_hit_says_where_it_is_and_shows_its_surroundings(place: Place) -> None:
    place.run("a")
    place.time.pass_seconds(1)
    place.run("b")
    place.log("a", MessageSent("x" * 500 + " needle " + "y" * 500))
    place.log("b", MessageSent("a Needle"), actor="ben")
    first, second = place.store.search("needle")
    assert first == ("b", 0, "message.sent", "ben", "a Needle")
    assert (second.run_id, second.seq) == ("a", 0)
    assert "needle" in second.snippet and len(second.snippet) <= 160
    assert [hit.run_id for hit in place.store.search("needle", run_id="a")] == ["a"]
    assert len(place.store.search("needle", limit=1)) == 1


def test_the_index_follows_a_run_that_grows(place: Place) -> None:
    place.run()
    for number in range(6):
        place.log("r", *said(*(f"event {number} {n}" for n in range(100)), f"marker{number}"))
        place.store.index_text(budget_s=5)
    assert [hit.seq for hit in place.store.search("marker4")] == [504]
    assert [hit.seq for hit in place.store.search("marker5")] == [605]
    assert len(place.store.search("event 3", limit=1000)) == 100
    assert not place.store.index_text(budget_s=5)
