"""What a scorer is: a name and one comparison of an answer with the truth."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from aworld.errors import ConfigurationError


class Verdict(msgspec.Struct, frozen=True):
    """What came of comparing one answer with the truth."""

    correct: bool
    score: float
    """0.0 to 1.0."""
    why: str
    """The rule that decided, and what it compared."""
    near_miss: str = ""
    """What kept an answer from being right by a little; never changes the score."""


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scorer that has one way only."""


OptionsType = TypeVar("OptionsType", bound=msgspec.Struct)


class Scorer(abc.ABC, Generic[OptionsType]):
    """One set of rules. Keeps nothing between calls; may be called from any thread."""

    name: ClassVar[str]
    description: ClassVar[str]
    options: type[OptionsType]

    def score(
        self, answer: object, truth: object, options: Mapping[str, object] | None = None
    ) -> Verdict:
        """Compare; whatever the answer is gets a verdict.

        Args:
            answer: what the team said; None and other types are taken as Python writes them.
            truth: the right answer.
            options: fields of this scorer's `options`; None takes the defaults.

        Raises:
            ConfigurationError: the truth or the options do not fit this scorer.
        """
        return self.judge(answer, truth, self.check_options(options))

    def check_options(self, options: Mapping[str, object] | None) -> OptionsType:
        """Options as the scorer takes them; numbers may be text.

        Raises:
            ConfigurationError: they do not fit.
        """
        try:
            return msgspec.convert(options or {}, self.options, strict=False)
        except msgspec.ValidationError as error:
            known = ", ".join(self.options.__struct_fields__) or "none"
            raise ConfigurationError(
                f"The options of the scorer {self.name!r} do not fit: {error}. "
                f"It knows these: {known}."
            ) from error

    @abc.abstractmethod
    def judge(self, answer: Any, truth: Any, options: OptionsType) -> Verdict:
        """Compare by these options."""


def verdict(correct: bool, why: str, near_miss: str = "") -> Verdict:
    """A verdict of all or nothing; one that is correct has no near miss."""
    return Verdict(correct, float(correct), why, "" if correct else near_miss)


def shown(value: object, most: int = 80) -> str:
    """A value in quotes for a sentence, shortened in its middle."""
    text = str(value)
    if len(text) > most:
        half = (most - 3) // 2
        text = f"{text[:half]} … {text[-half:]}"
    return repr(text)
