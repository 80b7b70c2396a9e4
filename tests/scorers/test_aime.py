"""AIME's rule: a marked whole number from 0 to 999."""

from __future__ import annotations

import pytest

from aworld.errors import ConfigurationError
from aworld.scorers.registry import score


@pytest.mark.parametrize(
    "answer",
    [
        r"so the sum is \boxed{70}.",
        r"\boxed{070}",
        r"\boxed{\text{70}}",
        r"\boxed{$70$}",
        r"\boxed 70",
        r"\fbox{70}",
        r"first \boxed{12}, no: \boxed{70}",
        r"\boxed{12} is wrong. FINAL ANSWER: 70",
        r"FINAL ANSWER: 12. Better: \boxed{70}",
        r"FINAL ANSWER: \boxed{70}",
        "**FINAL ANSWER: 70**",
        "Final answer is 70",
        "FINAL ANSWER:\n70\n",
        r"the box \boxed{70} and then \boxed{ left open",
        "70",
        " $070$. ",
    ],
)
def test_the_last_marked_whole_number_counts(answer: str) -> None:
    assert score("aime", answer, "70").correct


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("it must be 70", r"No \boxed{} and no FINAL ANSWER marks the answer."),
        (r"\boxed{70} or rather \boxed{71}", "The last box holds 71, not 70."),
        (r"\boxed{-70}", "The last box holds '-70', no whole number."),
        (r"\boxed{70.0}", "The last box holds '70.0', no whole number."),
        (r"\boxed{1070}", "The last box holds 1070, which is above 999."),
        (r"\boxed{}", "The last box holds '', no whole number."),
        (None, r"No \boxed{} and no FINAL ANSWER marks the answer."),
    ],
)
def test_all_else_is_wrong_and_says_why(answer: str | None, why: str) -> None:
    verdict = score("aime", answer, "70")
    assert (verdict.correct, verdict.why) == (False, why)


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ("it must be 70", "nothing marks it as final"),
        (r"\boxed{70^\circ}", "more around it than a whole number"),
        (r"\boxed{n = 70}", "more around it than a whole number"),
    ],
)
def test_the_right_number_in_the_wrong_form_is_a_near_miss(answer: str, note: str) -> None:
    assert note in score("aime", answer, "070").near_miss


@pytest.mark.parametrize("truth", ["1000", "-1", "7.5", "", "x", "9" * 5_000])
def test_a_truth_that_no_answer_can_be_is_refused(truth: str) -> None:
    with pytest.raises(ConfigurationError, match="no AIME answer"):
        score("aime", "7", truth)
