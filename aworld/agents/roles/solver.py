"""The solver: works a question out with tools and gives one answer."""

from __future__ import annotations

import re

from aworld.agents.roles.base import Role

INSTRUCTIONS = (
    "You solve questions. Do every calculation with a tool, never in your head. "
    "Then reply with one short sentence that ends with `Answer: ` and the result."
)
"""The small local model was trained with this very text; so change both or neither."""

_ANSWER = re.compile(r"\banswer:[ \t]*(\S[^\n]*)", re.IGNORECASE)


def extract_answer(text: str) -> str:
    """What follows the last `Answer:`, without a closing full stop; "" where there is none."""
    found = _ANSWER.findall(text)
    return str(found[-1]).strip(" \t*`").removesuffix(".").rstrip(" *`") if found else ""


ROLE = Role("solver", INSTRUCTIONS, tools=("calculator",))
