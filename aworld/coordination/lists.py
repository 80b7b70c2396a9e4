"""Lists in answers: their elements, and whether two hold the same."""

from __future__ import annotations

import re
from typing import NamedTuple

from aworld.coordination.figures import agree, figures
from aworld.coordination.names import same_name
from aworld.coordination.words import plain

_ORDERED = re.compile(
    r"\b(?:in (?:the )?(?:\w+ )?order|order(?:ed)? (?:of|by)|sort(?:ed)?|rank(?:ed|ing)?|ascending|"
    r"descending|alphabeti\w+|from (?:the )?\w+ to (?:the )?\w+|chronological\w*|nearest first|"
    r"\w+est first|before, \w+|before and after|top \d+)\b|顺序|排序|排名|依次|从[^,，。]{1,6}到",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+(.+?)\s*$", re.MULTILINE)
_PARTS = re.compile(
    r"\s*(?:,(?!\d{3}\b(?!,\s))\s*(?:and\s|or\s|&\s)?|,\s?(?=\d)|;|、|，|→|->|\n|和|与|以及"
    r"|\s(?:and|&)\s)\s*",
)
MOST = 200
"""Elements that are compared."""


class Difference(NamedTuple):
    """What one of two lists has and the other has not."""

    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    order: bool
    """Whether they differ in nothing but their order."""


def wants_order(question: str) -> bool:
    """Whether the order of the answer's elements counts."""
    return bool(_ORDERED.search(question))


def elements(text: str) -> list[str]:
    """The elements: list items, or what commas, semicolons, `and` and arrows part."""
    items = _ITEM.findall(text)
    if len(items) > 1:
        return [_bare(item) for item in items[:MOST]]
    inner = re.sub(r"^\s*[\[({]|[\])}]\s*$", "", text.strip().rstrip("."))
    found = [_bare(part) for part in _PARTS.split(inner)]
    return [part for part in found if part][:MOST]


def difference(one: list[str], other: list[str], *, ordered: bool) -> Difference | None:
    """How two lists differ; None where they hold the same (in the same order, if that counts)."""
    left = list(other)
    only_first = []
    for element in one:
        match = next((place for place, e in enumerate(left) if same_element(element, e)), None)
        if match is None:
            only_first.append(element)
        else:
            del left[match]
    if only_first or left:
        return Difference(tuple(only_first), tuple(left), order=False)
    if ordered and any(not same_element(a, b) for a, b in zip(one, other, strict=True)):
        return Difference((), (), order=True)
    return None


def same_element(one: str, other: str) -> bool:
    """Whether two elements may be the same: by number where both are numbers, else by name."""
    first, second = figures(one), figures(other)
    if (
        len(first) == len(second) == 1
        and _only(one, first[0].span.text)
        and _only(other, second[0].span.text)
    ):
        return agree(first[0], second[0])
    if plain(one) == plain(other):
        return True
    shorter, longer = sorted((plain(one), plain(other)), key=len)
    return (
        same_name(one, other)
        and not (first or second)
        and (
            len(shorter.split()) == len(longer.split())
            or longer.startswith(shorter)
            or len(shorter) > 3
        )
    )


def _only(text: str, part: str) -> bool:
    return len(text.strip()) <= len(part.strip()) + 2


def _bare(part: str) -> str:
    return re.sub(r"^(?:and|or)\s", "", part.strip().strip("*_`\"'“”.。;；").strip())
