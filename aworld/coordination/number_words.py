"""Numbers written in words, English and Chinese."""

from __future__ import annotations

import re
from fractions import Fraction

_UNDER_TWENTY = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_BY_TEN = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: value for value, word in enumerate(_UNDER_TWENTY.split())}
_TENS = {word: 10 * value for value, word in enumerate(_BY_TEN.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5,
    "fifths": 5, "tenth": 10, "tenths": 10,
}  # fmt: skip
_SMALL = "|".join(sorted([*_ONES, *_TENS], key=len, reverse=True))
ENGLISH = re.compile(
    rf"\b(?:(?P<part>(?:(?:an?|{_SMALL})[ -])?(?:{'|'.join(_PARTS)}) of(?= the| all| it| them)"
    rf"|(?:an?|{_SMALL})[ -](?:{'|'.join(_PARTS)})\b)"
    r"|(?P<dozen>(?:half )?a dozen)"
    rf"|(?P<number>(?:{_SMALL})(?:(?:[ -]| and )(?:{_SMALL}|{'|'.join(_SCALES)})){{0,8}}))\b",
    re.IGNORECASE,
)

_DIGITS = {**dict(zip("零一二三四五六七八九", range(10), strict=True)), "〇": 0, "两": 2}
_STEPS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
CHINESE = re.compile(r"[零〇一二三四五六七八九十百千两万亿]{1,24}")
CHINESE_SCALES = {"千": 10**3, **_MYRIADS}


def english(match: re.Match[str]) -> Fraction:
    """What a match of `ENGLISH` says."""
    text = match[0].lower()
    if match["dozen"]:
        return Fraction(6 if text.startswith("half") else 12)
    words = re.split(r"[ -]", text.removesuffix(" of"))
    if match["part"]:
        count = _ONES.get(words[0], 1) if len(words) > 1 else 1
        return Fraction(count, _PARTS[words[-1]])
    return Fraction(_spoken(words))


def _spoken(words: list[str]) -> int:
    total = current = 0
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            current = max(current, 1) * scale
            if scale > 100:
                total, current = total + current, 0
        else:
            current += _ONES.get(word, _TENS.get(word, 0))
    return total + current


def chinese(text: str) -> Fraction | None:
    """`三百二十万` is 3,200,000, `二〇二一` 2021; None where the characters make no number."""
    if not any(sign in text for sign in (*_STEPS, *_MYRIADS)):
        return Fraction(int("".join(str(_DIGITS[sign]) for sign in text)))
    total = section = digit = 0
    for sign in text:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign in _STEPS:
            section += max(digit, 1) * _STEPS[sign]
            digit = 0
        else:
            if not (section or digit or total):
                return None
            total = (total + section + digit) * _MYRIADS[sign]
            section = digit = 0
    return Fraction(total + section + digit)
