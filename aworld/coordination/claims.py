"""Finds the sentences of two messages that cannot both hold. Conservative: in doubt none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from aworld.coordination.dates import same_day
from aworld.coordination.figures import Figure, agree, comparable
from aworld.coordination.frame import Frame, frame, same_names
from aworld.coordination.lists import elements
from aworld.coordination.names import same_name
from aworld.coordination.sentences import sentences
from aworld.coordination.statement import Conflict, Rule, Span, Statement, readable, side
from aworld.coordination.words import content, overlap, plain

ALIKE_VALUES = 0.6
"""Least overlap of the words of two sentences whose values are compared."""
ALIKE_SIGNS = 0.75
"""Of two sentences of which one denies what the other says."""
_IS = re.compile(
    r"^(?P<subject>(?:the|its|their|our|his|her)\s.+?|[^是为]{2,30}的[^是为]{1,12})"
    r"\s?(?:\bis\b|\bwas\b|\bare\b|\bwere\b|是|为)\s?(?P<name>.+?)[.。!]*$",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:open|sign|found|born|die|publish|release|buil[dt]|establish|complet|invent|discover|"
    r"launch|start|begin|began|end|created?|happen|held|married|elected|won)\w*\b|"
    r"\b(?:is|was) (?:from|in|on|dated)\b|成立|签订|出生|去世|发布|建成|开业|开放",
    re.IGNORECASE,
)


class Reading(NamedTuple):
    """A statement with what it asserts, read once for all comparisons."""

    statement: Statement
    frames: tuple[Frame, ...]
    by_word: dict[str, list[Frame]]


def read(statement: Statement) -> Reading:
    """What a statement asserts, sentence by sentence."""
    framed = (frame(sentence) for sentence in sentences(readable(statement.text)))
    frames = tuple(entry for entry in framed if entry is not None)
    by_word: dict[str, list[Frame]] = {}
    for entry in frames:
        for word in entry.content:
            by_word.setdefault(word, []).append(entry)
    return Reading(statement, frames, by_word)


def compare(one: Reading, other: Reading) -> list[Conflict]:
    """Pairs of sentences in conflict, at most one for each sentence of the first.

    What one agent says later takes the place of what it said before: that is no conflict.
    """
    if one.statement.actor and one.statement.actor == other.statement.actor:
        return []
    found = []
    for mine in one.frames:
        near = _near(mine, other)
        conflict = next(_conflicts(one.statement, other.statement, mine, near), None)
        if conflict is not None:
            found.append(conflict)
    return found


def _near(mine: Frame, other: Reading) -> list[Frame]:
    """Frames that share enough words to be compared, in their order."""
    shared = Counter(id(entry) for word in mine.content for entry in other.by_word.get(word, ()))
    least = ALIKE_VALUES * len(mine.content) / (1 + ALIKE_VALUES)
    return [entry for entry in other.frames if shared[id(entry)] > least]


def _conflicts(
    one: Statement, other: Statement, mine: Frame, candidates: Sequence[Frame]
) -> Iterator[Conflict]:
    for theirs in candidates:
        found = _signs(mine, theirs) or _values(mine, theirs) or _identity(mine, theirs)
        if found is not None:
            rule, why = found
            yield Conflict(
                about=" ".join(sorted(mine.content & theirs.content))[:200],
                rule=rule,
                sides=(side(one, _span(mine)), side(other, _span(theirs))),
                why=why,
            )


def _span(entry: Frame) -> Span:
    start, text = entry.sentence.start, entry.sentence.text
    return Span(start, start + len(text), text)


def _signs(mine: Frame, theirs: Frame) -> tuple[Rule, str] | None:
    """One denies what the other says, of as many."""
    if overlap(mine.content, theirs.content) < ALIKE_SIGNS or not same_names(mine, theirs):
        return None
    if "none" not in (mine.amount, theirs.amount) and _differing(mine, theirs) != []:
        return None
    signs = [_sign(mine), _sign(theirs)]
    if _swapped(mine, theirs):
        signs[1] = -signs[1]
    if signs[0] == signs[1] or not _of_same(mine, theirs):
        return None
    if mine.amount != "plain" or theirs.amount != "plain":
        return (
            "quantifier",
            f"One speaks of {mine.amount!r}, the other denies it of {theirs.amount!r}.",
        )
    if mine.negated != theirs.negated:
        return "negation", "One denies what the other asserts."
    return "opposites", "The two use words of contrary meaning for the same thing."


def _sign(entry: Frame) -> int:
    return -entry.sign if entry.amount == "none" else entry.sign


def _swapped(mine: Frame, theirs: Frame) -> bool:
    if mine.order is None or theirs.order is None:
        return False
    straight = sum(overlap(a, b) for a, b in zip(mine.order, theirs.order, strict=True))
    crossed = sum(overlap(a, b) for a, b in zip(mine.order, reversed(theirs.order), strict=True))
    return crossed > straight


def _of_same(mine: Frame, theirs: Frame) -> bool:
    """Whether the two amounts leave no room for both: some may be and some may not."""
    amounts = {"all" if a == "none" else a for a in (mine.amount, theirs.amount)}
    counted = "none" in (mine.amount, theirs.amount) and (mine.figures or theirs.figures)
    return amounts in ({"plain"}, {"all"}, {"all", "some"}) or bool(counted)


def _values(mine: Frame, theirs: Frame) -> tuple[Rule, str] | None:
    """Exactly one value differs, and nothing else tells the two sentences apart."""
    if not (mine.valued and theirs.valued) or not same_names(mine, theirs):
        return None
    if mine.sign != theirs.sign or not _alike(mine, theirs):
        return None
    if mine.sentence.item and not mine.sentence.heading and len(mine.content) < 2:
        return None
    differing = _differing(mine, theirs)
    if differing is None or len(differing) != 1:
        return None
    rule, first, second = differing[0]
    if rule == "date" and (mine.figures or not _ONCE.search(mine.sentence.text)):
        return None
    return rule, f"One says {first!r}, the other {second!r}."


def _alike(mine: Frame, theirs: Frame) -> bool:
    """One may say more than the other; where each has words of its own, they must be few."""
    each = bool(mine.content - theirs.content and theirs.content - mine.content)
    return overlap(mine.content, theirs.content) >= (ALIKE_SIGNS if each else ALIKE_VALUES)


def _differing(mine: Frame, theirs: Frame) -> list[tuple[Rule, str, str]] | None:
    """The values that differ, pair by pair in their order; None where they do not pair up."""
    kinds = (
        (mine.figures, theirs.figures),
        (mine.days, theirs.days),
        (mine.moments, theirs.moments),
    )
    if any(len(first) != len(second) for first, second in kinds):
        return None
    found: list[tuple[Rule, str, str]] = []
    for a, b in _aligned(mine, theirs):
        if not comparable(a, b):
            return None
        if not agree(a, b):
            found.append(("number", a.span.text.strip(), b.span.text.strip()))
    for day, same in zip(mine.days, theirs.days, strict=True):
        if not same_day(day, same):
            found.append(("date", day.span.text, same.span.text))
    for moment, same_moment in zip(mine.moments, theirs.moments, strict=True):
        if moment.minute != same_moment.minute:
            found.append(("time", moment.span.text, same_moment.span.text))
    return found


def _aligned(mine: Frame, theirs: Frame) -> Iterable[tuple[Figure, Figure]]:
    """Figures pair up by being equal first, then by their order."""
    left, rest = list(theirs.figures), []
    for figure in mine.figures:
        match = next((f for f in left if comparable(figure, f) and agree(figure, f)), None)
        if match is None:
            rest.append(figure)
        else:
            left.remove(match)
    return zip(rest, left, strict=True)


def _identity(mine: Frame, theirs: Frame) -> tuple[Rule, str] | None:
    """`The capital of Australia is` one name here and another there."""
    first, second = _IS.match(mine.sentence.text), _IS.match(theirs.sentence.text)
    if first is None or second is None or mine.negated or theirs.negated:
        return None
    subjects = (content(first["subject"]), content(second["subject"]))
    if subjects[0] != subjects[1] or not subjects[0]:
        return None
    names = (first["name"].strip(), second["name"].strip())
    if not all(_is_name(name) for name in names) or same_name(*names):
        return None
    return "name", f"One says {names[0]!r}, the other {names[1]!r}."


def _is_name(text: str) -> bool:
    if len(elements(text)) != 1 or re.search(r"\d", text):
        return False
    parts = text.split()
    if re.fullmatch(r"[\u4e00-\u9fff]{2,8}", text):
        return True
    return 0 < len(parts) <= 5 and all(
        part[0].isupper() or plain(part) in {"of", "the", "de", "van", "von", "and", "'"}
        for part in parts
    )
