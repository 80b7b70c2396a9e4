"""The process that compares mathematics: `{truth, answer}` to `{equal, truth_as, answer_as}`.

math-verify's own time limits need SIGALRM and a main thread; they are off here, for the process as
a whole is stopped from outside.
"""

from __future__ import annotations

import logging
from typing import Any

from math_verify import parse, verify

from aworld.scorers.processes.loop import answer_lines


def compare(question: dict[str, Any]) -> dict[str, Any]:
    """Whether the two are equal, the truth given first: math-verify is not symmetric."""
    # In dollars always: bare tuples would not be read, and from prose a last number would be.
    right = parse(f"${question['truth']}$", parsing_timeout=None)
    said = parse(f"${question['answer']}$", parsing_timeout=None)
    equal = bool(right and said) and verify(right, said, timeout_seconds=None)
    return {"equal": equal, "truth_as": _written(right), "answer_as": _written(said)}


def _written(parsed: list[Any]) -> str | None:
    """What was understood; None where only the text itself could be taken."""
    understood = [part for part in parsed if not isinstance(part, str)]
    return str(understood[0])[:300] if understood else None


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    answer_lines(compare)
