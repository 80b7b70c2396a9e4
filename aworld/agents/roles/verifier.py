"""The verifier: checks another agent's answer with a tool and says whether it holds."""

from __future__ import annotations

import re

from aworld.agents.roles.base import Role, Verdict

INSTRUCTIONS = (
    "You check the answer of another agent. Check with a tool the claim that the calculation "
    "in the question equals the proposed answer. "
    "Then reply `VERIFIED: ` or `REJECTED: ` and say why in one short sentence."
)
"""The small local model was trained with this very text; so change both or neither."""

_VERDICT = re.compile(r"\b(verified|rejected)\b\W*", re.IGNORECASE)
_NEGATION = re.compile(r"\b(not|cannot be|can't be|isn't)\W+$", re.IGNORECASE)


def verification_request(question: str, answer: str) -> str:
    """The message a verifier is asked with."""
    return f"Question: {question}\nProposed answer: {answer}"


def parse_verdict(text: str) -> Verdict:
    """Read a verdict: the first of the two words that is not negated."""
    for match in _VERDICT.finditer(text):
        if _NEGATION.search(text[: match.start()]):
            return Verdict(None, text.strip())
        return Verdict(match[1].lower() == "verified", text[match.end() :].strip())
    return Verdict(None, text.strip())


ROLE = Role("verifier", INSTRUCTIONS, tools=("logic_check",), judge=parse_verdict)
