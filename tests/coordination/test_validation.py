"""Results checked by rule, and the question for a second agent."""

from __future__ import annotations

import pytest

from aworld.coordination.policy import OFF
from aworld.coordination.recomputation import recompute
from aworld.coordination.validation import ResultRules, cross_check, validate
from aworld.errors import ConfigurationError


def broken(result: object, rules: ResultRules) -> list[str]:
    """Which checks a result does not pass."""
    return [finding.check for finding in validate(result, rules).findings]


def test_a_wrong_sum_is_found_with_its_place_and_the_right_value() -> None:
    text = "We add: 8 + 16 + 24 = 47 wheels."
    (finding,) = validate(text).findings
    assert text[finding.span.start : finding.span.end] == "8 + 16 + 24 = 47"
    assert finding.why == "'8 + 16 + 24 = 47' does not hold: 8 + 16 + 24 is 48, not 47."


@pytest.mark.parametrize(
    "text",
    [
        "4 visits * $60 per visit = $240",
        "3 km + 200 m = 3.2 km",
        "10 / 3 = 3.33",
        "\\(737,015 - 4,965 = 732,050\\)",
        "x = 5 and y = 2 * x",
        "pages 10-15 = introduction",
        "```\n1 + 1 = 3\n```",
        "5 / 0 = 3",
        "9**9**9 = 5",
    ],
)
def test_what_holds_or_is_no_equation_of_numbers_passes(text: str) -> None:
    assert validate(text).holds


def test_each_equation_is_worked_out_by_itself() -> None:
    found = recompute("2 + 2 = 5 and 3 * 3 = 9")
    assert [(one.holds, one.value) for one in found] == [(False, "4"), (True, "9")]


def test_type_schema_unit_and_range_are_checked() -> None:
    schema = {"type": "object", "required": ["n"]}
    assert broken("about forty", ResultRules(type="integer")) == ["type"]
    assert broken({"m": 1}, ResultRules(schema=schema)) == ["schema"]
    assert broken('```json\n{"n": 1}\n```', ResultRules(type="json", schema=schema)) == []
    assert broken("3 kg", ResultRules(unit="m")) == ["unit"]
    assert broken("1.2 km", ResultRules(unit="m", maximum=1000)) == ["range"]
    assert broken("0.9 km", ResultRules(unit="m", maximum=1000)) == []


def test_a_unit_that_is_not_known_is_refused_before_anything_runs() -> None:
    with pytest.raises(ConfigurationError, match="'furlongs' of a result's rules"):
        ResultRules(unit="furlongs")


def test_nothing_is_checked_where_the_team_says_so() -> None:
    assert validate("1 + 1 = 3", policy=OFF).checked == ()


def test_a_verifier_is_asked_first_and_never_shown_the_answer() -> None:
    agents = {"ann": "solver", "bob": "solver", "eve": "verifier"}
    first = cross_check("What is 6 * 7?", "ann", agents)
    busy = cross_check("What is 6 * 7?", "ann", agents, busy=["eve"])
    assert first is not None
    assert busy is not None
    assert (first.to, busy.to) == ("eve", "bob")
    assert first.text.endswith("What is 6 * 7?")
    assert cross_check("?", "ann", {"ann": "solver"}) is None
