"""What the roles are asked with, and how their answers are read."""

from __future__ import annotations

import pytest

from aworld.agents.roles.base import Verdict
from aworld.agents.roles.solver import extract_answer
from aworld.agents.roles.verifier import parse_verdict, verification_request


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("23*47 = 1081. Answer: 1081", "1081"),
        ("Answer: 1081.", "1081"),
        ("The shop has 12.5 kg left.\nanswer:  12.5\n", "12.5"),
        ("Answer: 3\nNo, that was wrong.\nAnswer: 4", "4"),
        ("**Answer:** 7", "7"),
        ("**Answer: 7**", "7"),
        ("Answer: `Mount Everest`.", "Mount Everest"),
        ("It is 1081.", ""),
        ("", ""),
    ],
)
def test_the_answer_is_what_follows_the_last_mark(text: str, answer: str) -> None:
    assert extract_answer(text) == answer


def test_a_verifier_is_asked_with_the_question_and_the_answer() -> None:
    assert verification_request("What is 2+2?", "Answer: 4") == (
        "Question: What is 2+2?\nProposed answer: Answer: 4"
    )


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("VERIFIED: 23*47 is 1081.", Verdict(True, "23*47 is 1081.")),
        ("REJECTED: 23*47 is 1081, not 1071.", Verdict(False, "23*47 is 1081, not 1071.")),
        ("**Rejected** - off by ten", Verdict(False, "off by ten")),
        ("VERIFIED", Verdict(True, "")),
        ("REJECTED: it was VERIFIED before", Verdict(False, "it was VERIFIED before")),
        ("This is not verified.", Verdict(None, "This is not verified.")),
        ("It cannot be rejected", Verdict(None, "It cannot be rejected")),
        ("Unverified claim", Verdict(None, "Unverified claim")),
        ("I do not know.", Verdict(None, "I do not know.")),
    ],
)
def test_a_verdict_is_read_and_never_guessed(text: str, verdict: Verdict) -> None:
    assert parse_verdict(text) == verdict
