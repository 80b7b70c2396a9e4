"""Finds sub-tasks that were asked for already: the same once normalised, else alike in words.

Whatever numbers, names, negations or contrary words tell two apart makes them different, however
alike they are: the population of France in 2020 is not that of 2021.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from aworld.coordination.figures import figures
from aworld.coordination.negation import is_negated
from aworld.coordination.opposites import chinese_opposed, opposed
from aworld.coordination.policy import CoordinationPolicy
from aworld.coordination.similarity import alike
from aworld.coordination.statement import readable
from aworld.coordination.subtask import SubTask
from aworld.coordination.words import STOP, capitalised, is_chinese, plain, stem, words

_POLITE = re.compile(
    r"\b(?:please|kindly|can you|could you|would you|i want you to|i need you to|make sure to|"
    r"your task is to|now|next|then|again|continue to|proceed to|try to|go ahead and|and report "
    r"back(?: once completed)?)\b|^请(?:你)?|麻烦|一下",
    re.IGNORECASE,
)
_SYNONYMS = {
    word: group.split()[0]
    for group in (
        "find search look locate lookup retrieve get fetch obtain gather collect identify query",
        "compute calculate work evaluate", "list show display enumerate", "folder directory",
        "open visit access navigate go browse", "summarise summarize condense",
        "check verify validate confirm", "write compose draft author", "delete remove erase",
        "fix repair correct debug", "make create build generate produce", "scan scroll examine",
        "simultaneously same-time", "total overall",
    )
    for word in group.split()
}  # fmt: skip
_PHRASES = {
    "more than one": "multiple", "at the same time": "simultaneously", "as well as": "and",
    "in order to": "to", "prior to": "before", "at this url": "at", "the url": "",
}  # fmt: skip
_PHRASE = re.compile(rf"\b(?:{'|'.join(_PHRASES)})\b:?", re.IGNORECASE)
_STEMMED = {stem(word): stem(first) for word, first in _SYNONYMS.items()}
_SAYING_NOTHING = """
up out over year data information specific specifically relevant related when what which who how
any such
"""
_EMPTY = STOP | frozenset(_SAYING_NOTHING.split())
_DIRECTED = re.compile(
    r"\bfrom (?P<source>\S+(?: \S+)?) (?:in)?to (?P<target>\S+(?: \S+)?)"
    r"|从(?P<s>.{1,8})到(?P<t>.{1,8})",
    re.I,
)
_LONE = re.compile(r"\b[A-Z]\b")


class Duplicate(msgspec.Struct, frozen=True):
    """A sub-task that need not be done again."""

    content: str
    same_as: SubTask
    rule: Literal["same", "alike"]
    similarity: float
    """1 where the two are the same."""
    why: str


def duplicate(
    task: SubTask,
    earlier: Sequence[SubTask],
    policy: CoordinationPolicy = CoordinationPolicy(),
) -> Duplicate | None:
    """The first of the earlier sub-tasks that this one repeats, the most alike one; else None."""
    if not policy.duplicates:
        return None
    best: Duplicate | None = None
    for other in earlier:
        found = _compared(task, other, policy.similarity)
        if found is not None and (best is None or found.similarity > best.similarity):
            best = found
    return best


def normalised(text: str) -> str:
    """The text without case, politeness, punctuation and accents, number words as digits."""
    return " ".join(_words(text))


def _compared(task: SubTask, other: SubTask, least: float) -> Duplicate | None:
    if _arguments(task.arguments) != _arguments(other.arguments):
        return None
    if normalised(task.content) == normalised(other.content):
        return Duplicate(task.content, other, "same", 1.0, "The same, word for word.")
    one, two = readable(task.content), readable(other.content)
    if task.arguments or least >= 1 or _apart(one, two):
        return None
    # Whatever is said in other words is less sure than what is the same.
    similarity = min(alike(_meaning(one), _meaning(two)), 0.99)
    if similarity < least:
        return None
    return Duplicate(
        task.content,
        other,
        "alike",
        round(similarity, 3),
        f"Alike by {similarity:.0%}, with the same numbers and names; {least:.0%} is enough.",
    )


def _arguments(value: Any) -> Any:
    """Arguments in one spelling: text without outer spaces, `3.0` as `3`, keys sorted.

    A path, a URL or code may differ by case; a plain phrase may not.
    """
    if isinstance(value, dict):
        return tuple(sorted((str(key), _hashed(item)) for key, item in value.items()))
    return value


def _hashed(value: Any) -> str:
    if isinstance(value, str):
        return repr(_phrase(value))
    if isinstance(value, float) and value.is_integer():
        return repr(int(value))
    if isinstance(value, dict | list | tuple):
        return msgspec.json.encode(value, order="sorted").decode()
    return repr(value)


def _phrase(text: str) -> str:
    bare = " ".join(text.split())
    if re.fullmatch(r"[\d\s.,+\-*/()^%]+", bare):
        return bare.replace(" ", "")
    return plain(bare) if re.fullmatch(r"[\w\s,?!']+", bare) else bare


def _words(text: str) -> list[str]:
    source = _spoken(text)
    for figure in reversed(figures(source)):
        span = figure.span
        if figure.low == figure.high and re.fullmatch(r"[A-Za-z -]+|[\u4e00-\u9fff]+", span.text):
            source = f"{source[: span.start]} {figure.low:g} {source[span.end :]}"
    return [plain(word.text) for word in words(source)]


def _spoken(text: str) -> str:
    """Without politeness, and with one wording for what is often said in several."""
    source = _POLITE.sub(" ", readable(text))
    return _PHRASE.sub(lambda found: _PHRASES[found[0].lower().rstrip(":")], source)


def _meaning(text: str) -> list[str]:
    if is_chinese(text):
        signs = _words(text)
        return [a + b for a, b in zip(signs, signs[1:], strict=False)]
    stems = [stem(word) for word in _words(text) if word not in _EMPTY]
    return sorted(_STEMMED.get(word, word) for word in stems)


def _apart(one: str, other: str) -> bool:
    """Whether something small tells the two apart: number, name, direction, negation, contrary."""
    one, other = _spoken(one), _spoken(other)
    if _numbers(one) != _numbers(other) or _named(one, other):
        return True
    if is_negated(one) != is_negated(other) or _direction(one) != _direction(other):
        return True
    first = {stem(word) for word in _words(one)}
    second = {stem(word) for word in _words(other)}
    return opposed(first - second, second - first) or chinese_opposed(one, other)


def _numbers(text: str) -> list[str]:
    """Digits as well as numbers: `L1vX` of an address counts as it is written."""
    coded = re.findall(r"\b(?=\w*\d)(?=\w*[A-Za-z])\w+\b", text)
    return sorted([*coded, *(f"{f.low:g} {f.high:g} {f.unit}" for f in figures(readable(text)))])


def _named(one: str, other: str) -> bool:
    """Whether one names what the other does not speak of at all."""
    for text, against in ((one, other), (other, one)):
        there = {plain(word.text).removesuffix("'s") for word in words(against)}
        names = {plain(word.text).removesuffix("'s") for word in capitalised(text, first=False)}
        names |= {plain(letter) for letter in _LONE.findall(text)} - {"a", "i"}
        after_stop = set(re.findall(r"[.!?]\s+(\w+)", plain(text)))
        if names - there - after_stop:
            return True
    return bool(is_chinese(one) and _chinese_differs(one, other))


def _chinese_differs(one: str, other: str) -> bool:
    """Whether each has characters of its own: a name in the other's place."""
    first, second = set(_words(one)), set(_words(other))
    return bool(first - second and second - first)


def _direction(text: str) -> tuple[str, ...]:
    match = _DIRECTED.search(text)
    return tuple(plain(part) for part in match.groups() if part) if match else ()
