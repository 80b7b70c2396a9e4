"""Compares two answers to one question, by the kind of answer that it wants."""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from aworld.coordination import passage
from aworld.coordination.dates import days, moments, same_day
from aworld.coordination.figures import Figure, agree, figures
from aworld.coordination.lists import difference, elements, wants_order
from aworld.coordination.names import same_name
from aworld.coordination.negation import amount
from aworld.coordination.statement import Conflict, Rule, Span, Statement, side
from aworld.coordination.words import capitalised, content, plain, words
from aworld.coordination.yes_no import asks_yes_or_no, says_yes

_NUMBER = re.compile(
    r"\bhow (?:many|much|far|long|heavy|tall|high|old|large|big|fast|likely|often|deep|wide)\b|"
    r"\b(?:number|count|sum|total|percentage|likelihood|probability|difference|price|cost|speed|"
    r"temperature|distance|volume|length|value|share|part of|digit|population)\b|"
    r"多少|几个|多[远长高大重快]|比例|价格",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:^|[,;.]\s*)when\b|\bwhen (?:is|was|were|did|does|do|will)\b|"
    r"\b(?:what|which|first|on which|in which) (?:\w+ )?(?:date|year|day|month)\b|"
    r"什么时候|哪一?[年天日]|何时",
    re.IGNORECASE,
)
_TIME = re.compile(r"\bwhat time\b|\bat which hour\b|几点", re.IGNORECASE)
_LIST = re.compile(
    r"\blist\b|\bwhich (?:\w+ ){0,2}\w+s (?:are|were|have|has|should|did|do|on|in|within)\b|"
    r"\bcomma\b|哪些|列出", re.I
)  # fmt: skip
_EMPHASIS = re.compile(r"\*\*(.+?)\*\*|\"([^\"]+)\"|“([^”]+)”|《([^》]+)》|`([^`]+)`")
_COPULA = re.compile(
    r"(?:\b(?:is|are|was|were|be|equals?)\b(?: indeed)?|[:：=]|是|为)\s*", re.IGNORECASE
)


class Pair(NamedTuple):
    """Two answers' passages, and what decides between them."""

    question: str
    one: Span
    other: Span


class Finding(NamedTuple):
    """Two values that differ."""

    rule: Rule
    one: str
    other: str


def compare(question: str, one: Statement, other: Statement) -> Conflict | None:
    """The conflict between two answers; None where they agree, abstain, or cannot be compared."""
    first, second = passage.answer(one.text, question), passage.answer(other.text, question)
    if first is None or second is None:
        return None
    found = _finding(Pair(question, first, second))
    if found is None:
        return None
    return Conflict(
        about=question.strip()[-200:],
        rule=found.rule,
        sides=(side(one, first), side(other, second)),
        why=f"One answer has {found.one!r}, the other {found.other!r}.",
    )


def gives_one(question: str, said: Statement) -> bool:
    """Whether a statement answers at all: it is not empty and does not abstain."""
    return passage.answer(said.text, question) is not None


def _finding(pair: Pair) -> Finding | None:
    if plain(pair.one.text).strip(" .*`") == plain(pair.other.text).strip(" .*`"):
        return None
    data = _data(pair)
    if data is not None:
        return data[0]
    if asks_yes_or_no(pair.question):
        return _yes_no(pair)
    if _TIME.search(pair.question) or _only_times(pair):
        return _times(pair)
    if _DATE.search(pair.question):
        return _dates(pair) or _times(pair)
    if _is_list(pair) and not _one_figure_each(pair):
        return _lists(pair)
    if _NUMBER.search(pair.question) or _only_figures(pair):
        return _figures(pair)
    return _names(pair)


def _data(pair: Pair) -> tuple[Finding | None] | None:
    values = []
    for span in (pair.one, pair.other):
        text = re.sub(r"\A```\w*\s*|\s*```\Z", "", span.text)
        if not text.startswith("{"):
            return None
        try:
            values.append(msgspec.json.decode(text))
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            return None
    same = values[0] == values[1]
    return (None if same else Finding("data", pair.one.text[:80], pair.other.text[:80]),)


def _yes_no(pair: Pair) -> Finding | None:
    first, second = says_yes(pair.one.text), says_yes(pair.other.text)
    if first is None or second is None or first == second:
        return None
    return Finding("yes_no", pair.one.text[:80], pair.other.text[:80])


def _only_times(pair: Pair) -> bool:
    return all(
        len(span.text) < 30 and len(moments(span.text)) == 1 for span in (pair.one, pair.other)
    )


def _times(pair: Pair) -> Finding | None:
    asked = {moment.minute for moment in moments(pair.question)}
    found = [
        [moment for moment in moments(span.text) if moment.minute not in asked]
        for span in (pair.one, pair.other)
    ]
    if not all(found) or {m.minute for m in found[0]} & {m.minute for m in found[1]}:
        return None
    return Finding("time", found[0][-1].span.text, found[1][-1].span.text)


def _dates(pair: Pair) -> Finding | None:
    asked = [day.span.text for day in days(pair.question)]
    found = [
        [day for day in days(span.text) if day.span.text not in asked]
        for span in (pair.one, pair.other)
    ]
    if not all(found) or any(same_day(a, b) for a in found[0] for b in found[1]):
        return None
    return Finding("date", found[0][-1].span.text, found[1][-1].span.text)


def _only_figures(pair: Pair) -> bool:
    """Whether one of the two is nothing but a number."""
    for span in (pair.one, pair.other):
        bare = span.text.strip("*$` .")
        found = figures(bare)
        if len(found) == 1 and len(bare) <= len(found[0].span.text.strip()) + 2:
            return True
    return False


def _figures(pair: Pair) -> Finding | None:
    first, second = (_answering(pair.question, span.text) for span in (pair.one, pair.other))
    if first is None and second is None:
        return _names(pair)
    if first is None or second is None:
        return _none_against(pair, first, second)
    if agree(first, second):
        return None
    return Finding("number", first.span.text.strip(), second.span.text.strip())


def _none_against(pair: Pair, first: Figure | None, second: Figure | None) -> Finding | None:
    """`None of them` is 0; a letter or word in a number's place is another answer."""
    figure = first or second
    if figure is None:
        return None
    text = (pair.other if first else pair.one).text
    bare = _isolated(text)
    says_none = amount(text) == "none"
    if says_none and figure.low == figure.high == 0:
        return None
    if says_none or (bare and len(bare) <= 12 and not re.search(r"\d", bare)):
        sides = (figure.span.text, bare or text[:80])
        return Finding("number", *(sides if first else reversed(sides)))
    return None


def _answering(question: str, text: str) -> Figure | None:
    """The figure that answers: not one of the question's own, emphasised or last after `is`."""
    asked = figures(question)
    dated = [day.span for day in days(text)] if len(text) > 40 else []
    found = [
        figure
        for figure in figures(text)
        if not any(d.start <= figure.span.start < d.end for d in dated)
    ]
    fresh = [f for f in found if not any(a.low == f.low and a.unit == f.unit for a in asked)]
    found = fresh or ([] if len(text) > 40 else found)
    if len(found) < 2:
        return found[0] if found else None
    for emphasis in reversed(list(_EMPHASIS.finditer(text))):
        inside = [f for f in found if emphasis.start() <= f.span.start < emphasis.end()]
        if inside:
            return inside[-1]
    copulas = [match.end() for match in _COPULA.finditer(text)]
    after = [f for f in found if copulas and f.span.start >= copulas[-1]]
    return after[0] if after else found[-1]


def _is_list(pair: Pair) -> bool:
    counts = [len(elements(_tail(span.text))) for span in (pair.one, pair.other)]
    short = all(
        len(content(span.text)) <= 3 * n + 4 for span, n in zip(pair[1:], counts, strict=True)
    )
    return short and (max(counts) > 1 and bool(_LIST.search(pair.question)) or min(counts) > 1)


def _one_figure_each(pair: Pair) -> bool:
    """`16,788 hours` is one number, whatever its comma looks like."""
    return all(len(figures(span.text)) == 1 for span in (pair.one, pair.other))


def _lists(pair: Pair) -> Finding | None:
    first, second = (elements(_tail(span.text)) for span in (pair.one, pair.other))
    found = difference(first, second, ordered=wants_order(pair.question))
    if found is None:
        return None
    if found.order:
        return Finding("list", ", ".join(first)[:80], ", ".join(second)[:80])
    return Finding("list", ", ".join(found.only_first)[:80], ", ".join(found.only_second)[:80])


def _tail(text: str) -> str:
    """What stands behind an introducing `are:`."""
    head, colon, tail = text.partition(":")
    return tail if colon and "\n" not in head and tail.strip() and len(head) > 15 else text


def _names(pair: Pair) -> Finding | None:
    first, second = (_name(pair.question, span.text) for span in (pair.one, pair.other))
    none = [amount(span.text) == "none" for span in (pair.one, pair.other)]
    if all(none):
        return None
    if not (first and second):
        if any(none) and (first or second):
            return Finding("name", first or pair.one.text[:80], second or pair.other.text[:80])
        return None
    if any(none):
        return Finding("name", pair.one.text[:80], pair.other.text[:80])
    if (
        same_name(first, second)
        or _stands_in(first, pair.other.text)
        or _stands_in(second, pair.one.text)
    ):
        return None
    return Finding("name", first, second)


def _stands_in(name: str, text: str) -> bool:
    wanted = [plain(word.text) for word in words(name)]
    there = [plain(word.text) for word in words(text)]
    size = len(wanted)
    return any(there[start : start + size] == wanted for start in range(len(there) - size + 1))


def _isolated(text: str) -> str:
    """The one emphasised or only part of an answer, or ""."""
    marked = [next(filter(None, match.groups())) for match in _EMPHASIS.finditer(text)]
    if marked:
        return str(marked[-1])
    bare = text.strip(" .。*`\"'")
    if len(words(bare)) <= 8 and not _COPULA.search(bare):
        return bare
    return ""


def _name(question: str, text: str) -> str:
    """The name that an answer gives: emphasised, alone, behind `is`, or capitalised and new."""
    isolated = _isolated(text)
    if isolated and (len(words(isolated)) <= 5 or not _verb(isolated)):
        return isolated
    asked = {plain(word.text) for word in words(question)}
    behind = _COPULA.split(text.strip().rstrip(".。"))[-1].strip()
    fresh = [w for w in capitalised(behind) if plain(w.text) not in asked]
    if behind and len(words(behind)) <= 8 and (fresh or re.search(r"[\u4e00-\u9fff]", behind)):
        return behind
    new = [w for w in capitalised(text, first=False) if plain(w.text) not in asked]
    if not new:
        return ""
    last = [new[-1]]
    for word in reversed(new[:-1]):
        if text[word.end : last[0].start].strip(" .'") == "":
            last.insert(0, word)
        else:
            break
    return text[last[0].start : last[-1].end]


def _verb(text: str) -> bool:
    return bool(
        re.search(r"\b(?:has|have|had|was|were|is|are|\w{3,}ed|took|held|does|did|do)\b", text)
    )
