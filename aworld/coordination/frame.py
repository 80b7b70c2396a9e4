"""What one sentence asserts: about what, of how many, with which sign and which values."""

from __future__ import annotations

import re

import msgspec

from aworld.coordination.dates import Day, Moment, days, moments
from aworld.coordination.figures import Figure, figures
from aworld.coordination.negation import Amount, amount, is_hedged, is_negated, without_negation
from aworld.coordination.opposites import chinese_concepts, concepts
from aworld.coordination.sentences import Sentence
from aworld.coordination.statement import Span
from aworld.coordination.words import capitalised, content, is_chinese, plain, words

_LABEL = re.compile(
    r"\b(?:step|room|train|page|chapter|section|version|iteration|round|attempt|part|option|id|no\.|"
    r"number|line|row|case|test|task|question|item|result|figure|table|scenario|method|plan|type)"
    r" ?#?(?P<label>\d+(?:\.\d+)*|[A-Z])\b(?!\s?[:=%])|#(?P<hash>\d+)|第[一二三四五六七八九十\d]+",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|next|previous|"
    r"former|latter|\d+(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_BI = re.compile(
    r"^(?P<one>.+?)比(?P<other>.+?)(?P<how>更?(?:快|慢|大|小|多|少|高|低|贵|便宜|长|短|早|晚|好|差))"
)
_QUOTED = re.compile(r"[\"“「《'](?P<name>[^\"”」》']{2,80})[\"”」》']")


class Frame(msgspec.Struct, frozen=True):
    """One assertion, ready to be compared."""

    sentence: Sentence
    content: frozenset[str]
    """Stems of what it says, values, negations and quantifiers left out."""
    sign: int
    """-1 where it denies, or says the contrary word of a pair."""
    negated: bool
    amount: Amount
    names: frozenset[str]
    """Capitalised words, quoted names, labels such as `step 2`, ordinals."""
    said: frozenset[str]
    """Every word, also of the heading."""
    figures: tuple[Figure, ...]
    days: tuple[Day, ...]
    moments: tuple[Moment, ...]
    order: tuple[frozenset[str], frozenset[str]] | None
    """What stands before and behind `than` or 比."""

    @property
    def valued(self) -> bool:
        """Whether it says a number, a date or a time."""
        return bool(self.figures or self.days or self.moments)


def frame(sentence: Sentence) -> Frame | None:
    """The assertion of a sentence; None where it asserts nothing: hedged, a question, too short."""
    text = sentence.text
    if text.rstrip("* ").endswith((":", "：")):
        return None
    if is_hedged(text) or (sentence.heading and is_hedged(sentence.heading)):
        return None
    found_days, found_moments = tuple(days(text)), tuple(moments(text))
    labels = [Span(m.start(), m.end(), m[0]) for m in _LABEL.finditer(text)]
    taken = [*(d.span for d in found_days), *(m.span for m in found_moments), *labels]
    found = tuple(f for f in figures(text) if not any(_meet(f.span, other) for other in taken))
    bare = _blanked(text, [*taken, *(f.span for f in found)])
    if is_chinese(text):
        # A character is no word: each pair of neighbours counts, so that order counts too.
        bare, sign = chinese_concepts(without_negation(bare))
        stems = _neighbours(bare)
    else:
        stems, sign = concepts(content(without_negation(bare)))
    about = stems | (content(sentence.heading) if sentence.item else frozenset())
    if not about:
        return None
    negated = is_negated(text)
    return Frame(
        sentence=sentence,
        content=about,
        sign=-sign if negated else sign,
        negated=negated,
        amount=amount(text),
        names=_names(sentence, labels, bare),
        said=_said(f"{sentence.heading} {text}"),
        figures=found,
        days=found_days,
        moments=found_moments,
        order=_order(text),
    )


def same_names(one: Frame, other: Frame) -> bool:
    """Whether each speaks of all that the other names."""
    first, second = one.said | one.names, other.said | other.names
    return one.names <= second and other.names <= first


def _said(text: str) -> frozenset[str]:
    return frozenset(plain(word.text).removesuffix("'s") for word in words(text))


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _blanked(text: str, spans: list[Span]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _neighbours(text: str) -> frozenset[str]:
    signs = [word.text for word in words(text) if word.text not in "的了是在为有正着都也就这个那"]
    return frozenset(a + b for a, b in zip(signs, signs[1:], strict=False)) or frozenset(signs)


def _names(sentence: Sentence, labels: list[Span], bare: str) -> frozenset[str]:
    text = sentence.text
    found = {plain(word.text).removesuffix("'s") for word in capitalised(bare, first=False)}
    start = words(bare)[:1]
    if start and sum(sign.isupper() for sign in start[0].text) > 1:
        found.add(plain(start[0].text))
    found |= {plain(label.text).replace("#", "") for label in labels}
    found |= {plain(match[0]) for match in _ORDINAL.finditer(text)}
    found |= {plain(match["name"]) for match in _QUOTED.finditer(text)}
    label, colon, _ = text.partition(":")
    if colon:
        found |= {plain(word.text) for word in capitalised(label)}
    if sentence.item:
        found |= {plain(word.text).removesuffix("'s") for word in capitalised(sentence.heading)}
    return frozenset(found)


def _order(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    bi = _BI.match(text)
    if bi is not None:
        return frozenset(bi["one"]), frozenset(bi["other"])
    parts = _THAN.split(text)
    if len(parts) != 2:
        return None
    labelled = []
    for part in parts:
        stems, _ = concepts(content(part))
        kept = {word for word in stems if not word.startswith("<")}
        labelled.append(frozenset(kept | {plain(m[0]) for m in _LABEL.finditer(part)}))
    return labelled[0], labelled[1]
