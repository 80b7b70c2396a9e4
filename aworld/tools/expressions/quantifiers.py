"""Reads `for all integers n >= 1: n^2 >= n`: who is meant, and what is said of them."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from aworld.errors import ToolError
from aworld.tools.expressions.tokens import LONGEST

Domain = Literal["integers", "reals", "listed"]

_WORDS = (
    r"(?:positive\s+|non-?negative\s+)?(?:integers?|natural(?:\s+number)?s?|real(?:\s+number)?s?)"
)
_SETS = r"\{[^{}]*\}|-?\d+\s*(?:\.\.+|…|to)\s*-?\d+|[ZNRℤℕℝ]\b|" + _WORDS
_PREFIX = re.compile(
    rf"""\s*(?P<all>for\s*(?:all|every|each|any)|∀|(?:there\s+)?exists?(?:\s+an?)?
        |there\s+(?:is|are)(?:\s+an?)?|∃)\s*
    (?P<word>{_WORDS})?\s*
    (?P<names>[^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)\s*
    (?:(?:in|∈)\s*(?P<set>{_SETS}))?\s*
    (?P<bound>(?:<=|>=|!=|<|>|≤|≥|≠)[^:,]*?)?\s*
    (?::|,|\bsuch\s+that\b|\bwith\b|\bwe\s+have\b)\s*(?P<claim>.+)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_RANGE = re.compile(r"(-?\d+)\s*(?:\.\.+|…|to)\s*(-?\d+)")
_LARGEST_LISTED = 100_000
_MOST_NAMES = 8


class Quantified(NamedTuple):
    """A claim about all or some of a domain."""

    every: bool
    """Whether it is said of all, or of at least one."""
    names: tuple[str, ...]
    domain: Domain
    listed: tuple[int, ...]
    """The numbers that are meant, where they are listed."""
    condition: str
    """What the names must fulfil to be meant; "" where they all are."""
    claim: str


def read_quantified(source: str) -> Quantified | None:
    """The parts of a quantified claim, or None where it is none.

    Raises:
        ToolError: it has quantifiers of both kinds, or a set that cannot be read.
    """
    if len(source) > LONGEST:
        raise ToolError(f"A claim may have {LONGEST} characters, this one has {len(source)}.")
    # Blanks in a row would be tried in every division.
    match = _PREFIX.fullmatch(" ".join(source.split()))
    if match is None:
        return None
    every = match["all"].lower().startswith(("for", "∀"))
    names = tuple(dict.fromkeys(name.strip() for name in match["names"].split(",")))
    if len(names) > _MOST_NAMES:
        raise ToolError(f"A claim may be about {_MOST_NAMES} numbers, this one has {len(names)}.")
    word = " ".join((match["word"] or match["set"] or "reals").lower().split())
    conditions = [f"{name} {match['bound']}" for name in names if match["bound"]]
    domain, listed = _domain(word)
    least = _least(word)
    if least is not None:
        conditions += [f"{name} >= {least}" for name in names]
    inner = read_quantified(match["claim"])
    if inner is None:
        condition = " and ".join(f"({part})" for part in conditions)
        return Quantified(every, names, domain, listed, condition, match["claim"])
    if (inner.every, inner.domain, inner.listed) != (every, domain, listed):
        raise ToolError(
            "A claim with 'for all' and 'exists' together, or with several domains, cannot be "
            "decided here. Check it for chosen numbers."
        )
    both = [f"({part})" for part in conditions] + ([inner.condition] if inner.condition else [])
    return inner._replace(names=(*names, *inner.names), condition=" and ".join(both))


def _domain(word: str) -> tuple[Domain, tuple[int, ...]]:
    if word.startswith("{"):
        try:
            return "listed", tuple(
                int(part) for part in word.strip("{}").split(",") if part.strip()
            )
        except ValueError:
            raise ToolError(f"The set {word} has something that is no whole number.") from None
    found = _RANGE.fullmatch(word)
    if found is not None:
        first, last = int(found[1]), int(found[2])
        if last - first >= _LARGEST_LISTED:
            raise ToolError(f"At most {_LARGEST_LISTED} numbers can be tried; {word} has more.")
        return "listed", tuple(range(first, last + 1))
    return ("reals" if word[0] in "rℝ" or "real" in word else "integers"), ()


def _least(word: str) -> int | None:
    """The least number that is meant, where there is one."""
    if word.startswith("positive"):
        return 1
    return 0 if word[0] in "nℕ" else None
