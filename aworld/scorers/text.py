"""Text against text: the same, the same when normalised, contained, or found by a pattern."""

from __future__ import annotations

import functools
import unicodedata
from typing import ClassVar, Literal

import msgspec

from aworld.errors import ConfigurationError
from aworld.scorers.base import Scorer, Verdict, shown, verdict
from aworld.scorers.processes.pool import ComparisonFailed, ComparisonTimeout, ProcessPool

PATTERN_S = 5.0
"""Time a pattern may take."""


class TextOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How texts are compared."""

    mode: Literal["exact", "normalised", "contains", "regex"] = "normalised"
    """`contains`: the truth stands in the answer, both normalised; `regex`: the truth is a
    pattern of Python's."""
    ignore_case: bool | None = None
    """None: only normalised texts ignore it."""
    whole: bool = False
    """`regex`: whether the pattern must match the whole answer."""


class TextScorer(Scorer[TextOptions]):
    """One answer, one text."""

    name: ClassVar[str] = "text"
    description: ClassVar[str] = "text: exact, normalised, contains, regex"
    options = TextOptions

    def judge(self, answer: object, truth: object, options: TextOptions) -> Verdict:
        """Compare by the mode.

        Raises:
            ConfigurationError: the truth is no pattern, or is empty where it must be contained.
        """
        said, right = str(answer), str(truth)
        match options.mode:
            case "exact":
                return _exact(said, right, ignore_case=bool(options.ignore_case))
            case "normalised":
                return _normalised(said, right, options.ignore_case)
            case "contains":
                return _contains(said, right, options.ignore_case)
            case "regex":
                return _pattern(said, right, options)


def normalise(text: str, *, ignore_case: bool = True) -> str:
    """One space between words, one form of each character (NFKC), no space or full stop at the
    end; in one case unless told otherwise."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split()).rstrip(" .。")
    return plain.casefold() if ignore_case else plain


def _exact(said: str, right: str, *, ignore_case: bool) -> Verdict:
    same = said == right or (ignore_case and said.casefold() == right.casefold())
    note = "Nearly right: only case, spaces or a full stop differ."
    return verdict(
        same,
        f"The answer {shown(said)} is {'' if same else 'not '}the text {shown(right)}.",
        note if normalise(said) == normalise(right) else "",
    )


def _normalised(said: str, right: str, ignore_case: bool | None) -> Verdict:
    folded = ignore_case is not False
    mine, wanted = (normalise(text, ignore_case=folded) for text in (said, right))
    note = ""
    if normalise(said) == normalise(right):
        note = "Nearly right: only the case differs."
    elif wanted and wanted in mine:
        note = "Nearly right: the truth stands in the answer, among other words."
    return verdict(
        mine == wanted,
        f"Normalised, {shown(mine)} is {'' if mine == wanted else 'not '}{shown(wanted)}.",
        note,
    )


def _contains(said: str, right: str, ignore_case: bool | None) -> Verdict:
    folded = ignore_case is not False
    wanted = normalise(right, ignore_case=folded)
    if not wanted:
        raise ConfigurationError("An empty truth is contained in every answer. Give a text.")
    found = wanted in normalise(said, ignore_case=folded)
    return verdict(found, f"The answer {'holds' if found else 'does not hold'} {shown(wanted)}.")


@functools.cache
def _patterns() -> ProcessPool:
    return ProcessPool("aworld.scorers.processes.patterns")


def _pattern(said: str, right: str, options: TextOptions) -> Verdict:
    question = {
        "pattern": right,
        "text": said.encode("utf-8", "replace").decode(),
        "whole": options.whole,
        "ignore_case": bool(options.ignore_case),
    }
    try:
        reply = _patterns().ask(question, PATTERN_S)
    except (ComparisonTimeout, ComparisonFailed) as error:
        return verdict(False, f"The pattern {shown(right)} could not be tried: {error}")
    if "bad_pattern" in reply:
        raise ConfigurationError(
            f"The truth {shown(right)} is no regular expression: {reply['bad_pattern']}."
        )
    if "failure" in reply:
        return verdict(False, f"The pattern could not be tried: {reply['failure']}.")
    where = "the whole answer" if options.whole else "the answer"
    if reply["found"] is None:
        return verdict(False, f"The pattern {shown(right)} does not match {where}.")
    return verdict(True, f"The pattern {shown(right)} matches {shown(reply['found'])}.")


SCORER = TextScorer()
