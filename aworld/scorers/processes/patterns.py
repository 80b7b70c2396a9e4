"""The process that looks for patterns: `{pattern, text, whole, ignore_case}` to `{found}`."""

from __future__ import annotations

import re
from typing import Any

from aworld.scorers.processes.loop import answer_lines


def compare(question: dict[str, Any]) -> dict[str, Any]:
    """Whether the pattern is found, or why it is none."""
    flags = re.IGNORECASE if question["ignore_case"] else re.NOFLAG
    try:
        pattern = re.compile(question["pattern"], flags)
    except (re.error, OverflowError) as error:
        return {"bad_pattern": str(error)}
    search = pattern.fullmatch if question["whole"] else pattern.search
    match = search(question["text"])
    return {"found": None if match is None else match[0][:200]}


if __name__ == "__main__":
    answer_lines(compare)
