"""GAIA's official rules, case by case, and what is said about each verdict."""

from __future__ import annotations

import time

import pytest

from aworld.scorers.base import Verdict
from aworld.scorers.registry import score

RIGHT = [
    ("$17.00", "17"),
    ("1,700", "1700"),
    ("17.", "17"),
    ("1e1", "10"),
    ("17", "1_7"),
    ("garbage", "inf"),
    ("17", "17%"),
    ("a;b", "a, b"),
    ("1, 2.0", "1,2"),
    ("$1, 2", "1,2"),
    ("sea gull", "seagull"),
    ("Sea-gull", "seagull"),
    ("\"sea\" 'gull'", "seagull"),
    ("\tSEA\u00a0GULL\n", "seagull"),
    ("100,000", "100000"),
    ("100,000", "100,000"),
    ("", "!"),
    ("A.B , c", "a.b,c"),
]
WRONG = [
    ("17 kg", "17"),
    ("seventeen", "17"),
    ("€17", "17"),
    ("nan", "nan"),
    ("0.17", "17%"),
    ("b, a", "a, b"),
    ("a, b, ", "a, b"),
    ("ab, c", "a.b,c"),
    ("100000", "100,000"),
    ("The Castle", "Castle"),
    ("St. Petersburg", "Saint Petersburg"),
    ("Café", "cafe"),
    ("“seagull”", "seagull"),
    ("FINAL ANSWER: 17", "17"),
    ("17.0000001", "17"),
    ("1, x", "1, 2"),
    ("", "17"),
]


@pytest.mark.parametrize(("answer", "truth"), RIGHT)
def test_what_the_official_rules_accept(answer: str, truth: str) -> None:
    assert score("gaia", answer, truth).correct


@pytest.mark.parametrize(("answer", "truth"), WRONG)
def test_what_the_official_rules_refuse(answer: str, truth: str) -> None:
    assert not score("gaia", answer, truth).correct


def test_what_is_no_text_is_taken_as_python_writes_it() -> None:
    assert score("gaia", None, "None").correct
    assert score("gaia", 17, 17).correct
    assert not score("gaia", None, "17").correct


def test_a_verdict_says_which_rule_decided_and_what_it_compared() -> None:
    assert score("gaia", "17 kg", "17") == Verdict(
        False,
        0.0,
        "Compared as numbers, exactly: the answer '17 kg' is no number without $, % and commas, "
        "so it counts as inf, the truth is 17.",
        "Nearly right: a unit or other words around the number.",
    )
    assert score("gaia", "a, c", "a, b").why == (
        "Compared as lists: element 2, 'c', is not 'b' (compared as text with its punctuation)."
    )
    assert score("gaia", "a", "a, b").why == (
        "Compared as lists: the truth has 2 elements, the answer 1."
    )
    assert score("gaia", "Sea-gull", "seagull") == Verdict(
        True,
        1.0,
        "Compared as text without spaces, case and punctuation: 'seagull' is 'seagull'.",
    )


@pytest.mark.parametrize(
    ("answer", "truth", "note"),
    [
        ("FINAL ANSWER: 17", "17", "the marker FINAL ANSWER or a box was left in"),
        ("\\boxed{17}", "17", "the marker FINAL ANSWER or a box was left in"),
        ("[a, b]", "a, b", "quotes, brackets, emphasis or a mark at the end (format)"),
        ("a, b, ", "a, b", "quotes, brackets, emphasis or a mark at the end (format)"),
        ("The Castle", "Castle", "an article too many or too few"),
        ("100000", "100,000", "a thousands separator is in the way (format)"),
        ("3,14", "3.14", "a comma where a decimal point belongs (format)"),
        ("Café", "cafe", "accents, or characters that only look alike"),
        ("17 kg", "17", "a unit or other words around the number"),
        ("5 km, 6 km", "5, 6", "a unit or other words around the number"),
        ("b, a", "a, b", "the right elements in another order"),
        ("ab, c", "a.b,c", "punctuation, which counts in lists (format)"),
        ("seventeen", "17", "numbers in words in place of digits (format)"),
        ("St. Petersburg", "Saint Petersburg", "an abbreviation"),
        (
            "0.17",
            "17%",
            "a fraction where a percentage belongs, or the other way round (format)",
        ),
        ("3.1416", "3.14", "another rounding"),
        (
            "the b; a",
            "a, b",
            "an article too many or too few; the right elements in another order",
        ),
        ("It is Paris, I think", "Paris", "the truth stands in the answer, among other words"),
    ],
)
def test_a_near_miss_is_named_and_stays_wrong(answer: str, truth: str, note: str) -> None:
    verdict = score("gaia", answer, truth)
    assert (verdict.score, verdict.near_miss) == (0.0, f"Nearly right: {note}.")


@pytest.mark.parametrize(
    ("answer", "truth"),
    [("18", "17"), ("Rome", "Paris"), ("a, c", "a, b"), ("", "17"), ("3", "3.4"), ("?", "nan")],
)
def test_a_plain_wrong_answer_is_no_near_miss(answer: str, truth: str) -> None:
    assert score("gaia", answer, truth).near_miss == ""


@pytest.mark.parametrize("unit", ["17 ", "1,", "the ", "(", "*", ".", "FINAL ANSWER:", "\\boxed{"])
def test_a_huge_answer_is_judged_at_once(unit: str) -> None:
    started = time.process_time()
    assert not score("gaia", unit * 400_000, "17").correct
    assert not score("gaia", unit * 60, "Saint x, y").correct
    assert time.process_time() - started < 3
