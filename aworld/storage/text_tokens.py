"""What text search looks up: words of spaced scripts, pairs of characters of the others.

A document is a set of tokens. A query is a few tokens that a document must have, and a pattern
that confirms an event's text. Case is ignored. A query word matches from a word's beginning; in
scripts without spaces (Chinese, Japanese, Thai …) any part matches, a single character too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from aworld.events.union import AnyPayload
from aworld.storage.offload import strings

MAX_WORD: Final = 64
"""Longer words (encoded data) are known by their beginning."""

SNIPPET_CHARACTERS: Final = 160

# Thai, Lao, Burmese, Khmer; kana; Han with its extensions; Hangul.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
)
_WORD_CHARACTER: Final = rf"(?:(?![{_UNSPACED}])[^\W_])"
# A symbol beyond ASCII, such as an emoji, is a token by itself; ASCII punctuation is none.
_TOKEN: Final = re.compile(rf"([{_UNSPACED}]+)|({_WORD_CHARACTER}+)|[^\x00-\x7f\s]")


class Term(NamedTuple):
    """A token that a document must have."""

    token: str
    prefix: bool
    """Whether any token that begins so will do."""


class Query(NamedTuple):
    """What is searched for."""

    terms: tuple[Term, ...]
    """Empty where the text is punctuation alone: then only the pattern decides."""
    pattern: re.Pattern[str] | None
    """What an event's lower-case text must match; None matches nothing (an empty query)."""
    decisive: bool
    """Whether a document that has the terms surely matches."""


def text_of(payload: AnyPayload) -> str:
    """All text of a payload, one value a line."""
    return "\n".join(strings(msgspec.to_builtins(payload), but=("kind",)))


def tokens(text: str) -> set[str]:
    """The tokens of a document."""
    found: set[str] = set()
    for match in _TOKEN.finditer(text.lower()):
        unspaced, word = match.groups()
        if unspaced:
            found.update(unspaced[at : at + 2] for at in range(len(unspaced)))
        else:
            found.add((word or match[0])[:MAX_WORD])
    return found


def query(text: str) -> Query:
    """What to look up for a text that someone typed."""
    wanted = text.strip().lower()
    if not wanted:
        return Query((), None, False)
    terms = tuple(dict.fromkeys(_terms(wanted)))
    literal = r"\s+".join(re.escape(piece) for piece in wanted.split())
    if re.match(_WORD_CHARACTER, wanted):
        literal = rf"(?<!{_WORD_CHARACTER}){literal}"
    alone = len(terms) == 1 and terms[0].token == wanted
    return Query(terms, re.compile(literal), alone)


def snippet(text: str, match: re.Match[str]) -> str:
    """Up to `SNIPPET_CHARACTERS` round a match, on one line."""
    spare = SNIPPET_CHARACTERS - (match.end() - match.start())
    start = max(match.start() - max(spare, 0) // 2, 0)
    return " ".join(text[start : start + SNIPPET_CHARACTERS].split())


def _terms(wanted: str) -> Iterator[Term]:
    for match in _TOKEN.finditer(wanted):
        unspaced, word = match.groups()
        if unspaced and len(unspaced) > 1:
            for at in range(len(unspaced) - 1):
                yield Term(unspaced[at : at + 2], prefix=False)
        elif unspaced:
            yield Term(unspaced, prefix=True)
        else:
            token = word or match[0]
            at_end = match.end() == len(wanted) or len(token) > MAX_WORD
            yield Term(token[:MAX_WORD], prefix=bool(word) and at_end)
