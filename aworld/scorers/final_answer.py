"""Finds the final answer in what a model said: after FINAL ANSWER, or in the last box."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

_TAIL = r"[\s_]+ANSWER\b[ \t]*(?:is\b)?[ \t*_`]*[:：]?[*_`]*"
_MARKERS = (re.compile(f"FINAL{_TAIL}"), re.compile(f"FINAL{_TAIL}", re.IGNORECASE))
"""As the prompt writes it; where that is nowhere, in any case."""
_BOX = re.compile(r"\\(?:boxed|fbox)\s*")
_THOUGHTS_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


class Found(msgspec.Struct, frozen=True):
    """An answer that was marked as final."""

    text: str
    start: int
    """Where its marker begins in the whole."""
    how: Literal["final answer", "boxed"]


def after_marker(text: str) -> Found | None:
    """What follows the last FINAL ANSWER on its line, or on the next line that has something.

    The brackets of the prompt's own form, `FINAL ANSWER: [17]`, are kept: they may be meant.
    """
    for marker in _MARKERS:
        for match in reversed(list(marker.finditer(text))):
            line = text[match.end() :].lstrip().split("\n", 1)[0]
            if line.strip():
                return Found(_undecorated(line.strip()), match.start(), "final answer")
    return None


def last_box(text: str) -> Found | None:
    r"""What the last complete `\boxed{…}` holds, braces inside it counted."""
    closing = _closing_braces(text)
    for match in reversed(list(_BOX.finditer(text))):
        start = match.end()
        if start < len(text) and text[start] == "{":
            if start in closing:
                return Found(text[start + 1 : closing[start]].strip(), match.start(), "boxed")
        elif bare := re.match(r"-?\w+", text[start : start + 40]):
            return Found(bare[0], match.start(), "boxed")
    return None


def gaia_answer(text: str) -> str:
    """The answer that GAIA's prompt asks for; the whole text where nothing is marked."""
    spoken = _THOUGHTS_END.split(text)[-1]
    found = after_marker(spoken)
    return found.text if found is not None else spoken.strip()


def contest_answer(text: str) -> Found | None:
    """The last box or FINAL ANSWER, whichever comes later; None where there is neither."""
    box, marked = last_box(text), after_marker(text)
    if box is None or marked is None:
        return box or marked
    if marked.start < box.start:
        return box
    inner = last_box(marked.text)
    return inner if inner is not None else marked


def _closing_braces(text: str) -> dict[int, int]:
    """Place of each opening brace → place of its closing one; an escaped brace is none."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r"(?<!\\)[{}]", text):
        if match[0] == "{":
            opened.append(match.start())
        elif opened:
            closing[opened.pop()] = match.start()
    return closing


def _undecorated(line: str) -> str:
    """Without Markdown's emphasis around the whole."""
    for mark in ("**", "__", "`"):
        if len(line) > 2 * len(mark) and line.startswith(mark) and line.endswith(mark):
            line = line[len(mark) : -len(mark)]
        elif line.endswith(mark) and line.count(mark) == 1:
            line = line.removesuffix(mark)
    return line.strip()
