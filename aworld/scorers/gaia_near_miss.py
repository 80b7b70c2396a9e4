"""Why a wrong answer was nearly right: the smallest repairs that would have made it right.

A repair changes the answer, or answer and truth alike; the official rules then judge again. The
note names the repairs that were needed. The score stays what it was.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable

import msgspec

from aworld.scorers.final_answer import contest_answer

LONGEST = 500
"""Characters; what is longer is no near miss."""

Judge = Callable[[str, str], bool]
Pair = tuple[str, str]


class Repair(msgspec.Struct, frozen=True):
    """One thing that can be set right."""

    note: str
    change: Callable[[str, str], Pair]


def near_miss(answer: str, truth: str, is_right: Judge) -> str:
    """The note for a wrong answer; "" where no one or two repairs help."""
    if max(len(answer), len(truth)) > LONGEST or not any(map(str.isalnum, truth)):
        return ""
    singles = [(repair, repair.change(answer, truth)) for repair in REPAIRS]
    useful = [(repair, pair) for repair, pair in singles if pair != (answer, truth)]
    for repair, pair in useful:
        if is_right(*pair):
            return f"Nearly right: {repair.note}."
    for (first, pair), second in itertools.product(useful, REPAIRS):
        if second is not first and is_right(*second.change(*pair)):
            return f"Nearly right: {first.note}; {second.note}."
    if _stands_in(answer, truth):
        return "Nearly right: the truth stands in the answer, among other words."
    return ""


def _unmarked(answer: str, truth: str) -> Pair:
    found = contest_answer(answer)
    return (found.text if found else answer), truth


def _undecorated(answer: str, truth: str) -> Pair:
    bare = answer.strip().strip("*_`\"'“”‘’").strip()
    pairs = {"[": "]", "(": ")", "{": "}", "$": "$"}
    if len(bare) > 2 and pairs.get(bare[0]) == bare[-1]:
        bare = bare[1:-1]
    return re.sub(r"[.,;]+$", "", bare.strip()), truth


_ARTICLE = re.compile(r"(^|[,;])\s*(?:the|an?|der|die|das|le|la|les)\s+", re.IGNORECASE)


def _without_articles(answer: str, truth: str) -> Pair:
    return _ARTICLE.sub(r"\1", answer), _ARTICLE.sub(r"\1", truth)


_NUMBER = r"[-+−]?\d[\d,\s_']*(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+−]?\.\d+"
_MEASURE = re.compile(rf"^[^\d.+−-]*?({_NUMBER})\s*[^\d]{{0,40}}\d?$")


def _without_units(answer: str, truth: str) -> Pair:
    parts = re.split(r"([,;])(?!\d{3}\b)", answer)
    bare = [match[1].strip() if (match := _MEASURE.match(part.strip())) else part for part in parts]
    return "".join(bare), truth


def _sorted(answer: str, truth: str) -> Pair:
    return _in_order(answer), _in_order(truth)


def _in_order(text: str) -> str:
    return ",".join(sorted(part.strip().lower() for part in re.split("[,;]", text)))


def _without_thousands(answer: str, truth: str) -> Pair:
    return _joined(answer), _joined(truth)


def _joined(text: str) -> str:
    return re.sub(r"(?<=\d)[,\s'\u2009\u202f\u00a0](?=\d{3}(?!\d))", "", text)


def _decimal_comma(answer: str, truth: str) -> Pair:
    match = re.fullmatch(r"\s*([-+]?\d+),(\d{1,2}|\d{4,})\s*", answer)
    return (f"{match[1]}.{match[2]}" if match else answer), truth


def _without_accents(answer: str, truth: str) -> Pair:
    return _ascii(answer), _ascii(truth)


_LOOKALIKES = str.maketrans("‘’“”´–—−‐‑ßøØłŁ", "''\"\"'-----sooll")


def _ascii(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.translate(_LOOKALIKES))
    return "".join(char for char in spread if not unicodedata.combining(char))


def _without_punctuation(answer: str, truth: str) -> Pair:
    return _plain(answer), _plain(truth)


def _plain(text: str) -> str:
    return re.sub(r"(?<!\d)\.|\.(?!\d)|[^\w\s,;.+-]", "", text)


_WORDS = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty",
)


def _in_digits(answer: str, truth: str) -> Pair:
    digits = {word: str(number) for number, word in enumerate(_WORDS)}
    pattern = re.compile(rf"\b({'|'.join(reversed(_WORDS))})\b", re.IGNORECASE)
    return tuple(  # type: ignore[return-value]
        pattern.sub(lambda match: digits[match[1].lower()], text) for text in (answer, truth)
    )


_ABBREVIATIONS = {
    r"\bst\.?(?=\s)": "saint",
    r"\bmt\.?(?=\s)": "mount",
    r"\bft\.?(?=\s)": "fort",
    r"\bdr\.?(?=\s)": "doctor",
    r"\bu\.?s\.?a?\b\.?": "united states",
    r"\bu\.?k\b\.?": "united kingdom",
    r"&": "and",
}


def _spelled_out(answer: str, truth: str) -> Pair:
    return _full(answer), _full(truth)


def _full(text: str) -> str:
    for short, full in _ABBREVIATIONS.items():
        text = re.sub(short, full, text, flags=re.IGNORECASE)
    return text


def _as_percentage(answer: str, truth: str) -> Pair:
    percent = re.fullmatch(r"\s*([-+]?[\d.]+)\s*(?:%|percent)\s*", truth)
    plain = re.fullmatch(r"\s*([-+]?\d*\.\d+|\d+)\s*", answer)
    if percent and plain:
        return f"{float(plain[1]) * 100:.10g}", f"{_float(percent[1]):.10g}"
    percent = re.fullmatch(r"\s*([-+]?[\d.]+)\s*(?:%|percent)\s*", answer)
    if percent and re.fullmatch(r"\s*[-+]?\d*\.?\d+\s*", truth):
        return f"{_float(percent[1]) / 100:.10g}", f"{float(truth):.10g}"
    return answer, truth


def _float(text: str) -> float:
    return float(text) if text.count(".") <= 1 and text.strip(".+-") else float("nan")


def _rounded(answer: str, truth: str) -> Pair:
    """Both to the fewer decimals of the two, where that leaves at least two digits."""
    texts = (answer.strip().replace(",", ""), truth.strip())
    if not all(re.fullmatch(r"[-+]?\d+(\.\d+)?", text) for text in texts):
        return answer, truth
    places = min(len(text.partition(".")[2]) for text in texts)
    rounded = tuple(f"{float(text):.{places}f}" for text in texts)
    telling = len(rounded[1].replace(".", "").lstrip("-0")) >= 2
    return (rounded[0], rounded[1]) if telling else (answer, truth)


def _stands_in(answer: str, truth: str) -> bool:
    if len(truth.strip()) < 2 and not truth.strip().isdigit():
        return False
    pattern = rf"(?<![\w.,]){re.escape(truth.strip())}(?![\w]|[.,]\d)"
    return re.search(pattern, answer, re.IGNORECASE) is not None


REPAIRS = (
    Repair("the marker FINAL ANSWER or a box was left in", _unmarked),
    Repair("quotes, brackets, emphasis or a mark at the end (format)", _undecorated),
    Repair("an article too many or too few", _without_articles),
    Repair("a thousands separator is in the way (format)", _without_thousands),
    Repair("a comma where a decimal point belongs (format)", _decimal_comma),
    Repair("accents, or characters that only look alike", _without_accents),
    Repair("a unit or other words around the number", _without_units),
    Repair("the right elements in another order", _sorted),
    Repair("punctuation, which counts in lists (format)", _without_punctuation),
    Repair("numbers in words in place of digits (format)", _in_digits),
    Repair("an abbreviation", _spelled_out),
    Repair(
        "a fraction where a percentage belongs, or the other way round (format)", _as_percentage
    ),
    Repair("another rounding", _rounded),
)
