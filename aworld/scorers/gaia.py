"""GAIA's official rules, exactly: the truth alone decides how the two are compared.

Follows `question_scorer` of the leaderboard's scorer.py (Apache-2.0), None taken as "None" as it
does today. Nothing is added: no units, articles, accents, tolerance or order of lists.
"""

from __future__ import annotations

import re
import string
from typing import ClassVar, Literal

from aworld.scorers.base import NoOptions, Scorer, Verdict, shown, verdict
from aworld.scorers.gaia_near_miss import near_miss

Kind = Literal["number", "list", "text"]

_SEPARATORS = re.compile(r"[,;]")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class GaiaScorer(Scorer[NoOptions]):
    """Number, list or text, as the truth is written."""

    name: ClassVar[str] = "gaia"
    description: ClassVar[str] = "GAIA's official rules, with a reason and near misses"
    options = NoOptions

    def judge(self, answer: object, truth: object, options: NoOptions) -> Verdict:
        """Compare by the official rules. Neither is refused: both are taken as text."""
        said, right = str(answer), str(truth)
        correct, why = compare(said, right)
        return verdict(correct, why, "" if correct else near_miss(said, right, is_right))


def is_right(answer: str, truth: str) -> bool:
    """The official verdict alone."""
    return compare(answer, truth)[0]


def kind_of(truth: str) -> Kind:
    """How answers to this truth are compared."""
    if is_number(truth):
        return "number"
    return "list" if _SEPARATORS.search(truth) else "text"


def is_number(text: str) -> bool:
    """Whether Python's `float` reads it: 1e3, 1_7, nan and inf are numbers, 17% is not."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def as_number(text: str) -> float:
    """The number without `$`, `%` and `,`; infinity where there is none."""
    for mark in "$%,":
        text = text.replace(mark, "")
    return float(text) if is_number(text) else float("inf")


def as_text(text: str, *, keep_punctuation: bool = False) -> str:
    """Without whitespace, in lower case, and without ASCII punctuation."""
    bare = re.sub(r"\s", "", text).lower()
    return bare if keep_punctuation else bare.translate(_NO_PUNCTUATION)


def compare(answer: str, truth: str) -> tuple[bool, str]:
    """`(correct, why)`."""
    kind = kind_of(truth)
    if kind == "number":
        return _compare_numbers(answer, truth)
    if kind == "list":
        return _compare_lists(answer, truth)
    said, right = as_text(answer), as_text(truth)
    sign = "is" if said == right else "is not"
    return said == right, (
        f"Compared as text without spaces, case and punctuation: {shown(said)} {sign} "
        f"{shown(right)}."
    )


def _compare_numbers(answer: str, truth: str) -> tuple[bool, str]:
    said, right = as_number(answer), float(truth)
    reading = (
        f"the answer {shown(answer)} reads as {said:.15g}"
        if is_number(answer.translate(str.maketrans("", "", "$%,")))
        else f"the answer {shown(answer)} is no number without $, % and commas, so it counts as inf"
    )
    return said == right, (
        f"Compared as numbers, exactly: {reading}, the truth is {right:.15g}"
        f"{', which equals nothing' if right != right else ''}."
    )


def _compare_lists(answer: str, truth: str) -> tuple[bool, str]:
    said, right = _SEPARATORS.split(answer), _SEPARATORS.split(truth)
    if len(said) != len(right):
        return False, (
            f"Compared as lists: the truth has {_count(len(right), 'element')}, the answer "
            f"{len(said)}."
        )
    for place, (mine, wanted) in enumerate(zip(said, right, strict=True), start=1):
        if not _same_element(mine, wanted):
            rule = "as numbers" if is_number(wanted) else "as text with its punctuation"
            return False, (
                f"Compared as lists: element {place}, {shown(mine.strip())}, is not "
                f"{shown(wanted.strip())} (compared {rule})."
            )
    return True, f"Compared as lists: all {_count(len(right), 'element')} agree, in order."


def _same_element(answer: str, truth: str) -> bool:
    if is_number(truth):
        return as_number(answer) == float(truth)
    return as_text(answer, keep_punctuation=True) == as_text(truth, keep_punctuation=True)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


SCORER = GaiaScorer()
