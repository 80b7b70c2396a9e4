"""Negations, hedges and quantifiers of a sentence, English and Chinese."""

from __future__ import annotations

import re
from typing import Literal

Amount = Literal["all", "some", "none", "plain"]

NEGATION = re.compile(
    r"\b(?:not|never|cannot|neither|nor|without|lacks?|fails? to|failed to)\b|n['’]t\b"
    r"|不(?![同过久断错管])|没有?(?!错)|(?<![天])未(?!来)|无(?!论|锡)|并非|(?<![\w])非(?!常|洲)",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:if|whether|(?-i:may)|might|could|would|should|perhaps|maybe|possibly|probably|likely|assum\w+|"
    r"suppose|need(?:s|ed)? to|must|unless|seems?|appears?|suggests? that|check (?:if|that)|verify|"
    r"confirm (?:if|that)|ensure|let's|let us|please|we can|will)\b|\?|"
    r"可能|也许|或许|如果|是否|应该|需要|吗|大概|假如|假设|请",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:none of|no one|nobody|nothing|not a single|not any|no (?=[a-z]))|\bnone\b|"
    r"没有任何|没有一",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|every|each|always|everyone|everything|both)\b|所有|每个|每一|全部|总是", re.I
)
_SOME = re.compile(
    r"\b(?:some|several|a few|at least one|many|most|(?:one|two|three|four|five|\d+) (?:of|\w+s\b))"
    r"|有些|一些|部分|有的|几个",
    re.IGNORECASE,
)


def is_negated(sentence: str) -> bool:
    """Whether an odd number of negations stands in it; `no` before a noun is none of them."""
    return len(NEGATION.findall(sentence)) % 2 == 1


def is_hedged(sentence: str) -> bool:
    """Whether it asserts nothing: a guess, a condition, a question, a plan."""
    return bool(_HEDGE.search(sentence))


def amount(sentence: str) -> Amount:
    """Of how many it speaks."""
    if _NONE.search(sentence):
        return "none"
    if _ALL.search(sentence):
        return "all"
    if _SOME.search(sentence):
        return "some"
    return "plain"


def without_negation(sentence: str) -> str:
    """The sentence with its negations and quantifiers blanked."""
    for pattern in (NEGATION, _NONE, _ALL, _SOME):
        sentence = pattern.sub(lambda found: " " * len(found[0]), sentence)
    return sentence
