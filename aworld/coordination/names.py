"""When two names may be the same person, place or title. In doubt they are the same."""

from __future__ import annotations

import re

from aworld.coordination.words import plain

_ARTICLES = frozenset({"the", "a", "an", "le", "la"})
_JOINING = frozenset({"of", "and", "de", "the", "for", "&"})
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof", "professor", "sir", "lord", "president"})
_SAME = {
    "st": "saint", "mt": "mount", "ft": "fort", "&": "and", "vol": "volume", "jr": "junior",
    "dept": "department", "univ": "university", "intl": "international",
}  # fmt: skip
_COUNTRIES = {
    name: full
    for full, names in {
        "united states": "us usa u.s u.s.a united states of america|america|美国",
        "united kingdom": "uk u.k great britain|britain|英国",
        "united arab emirates": "uae",
        "netherlands": "holland",
        "china": "prc|people's republic of china|中国",
        "russia": "russian federation",
        "south korea": "republic of korea",
    }.items()
    for part in names.split("|")
    for name in ([part] if " of " in part or len(part.split()) == 2 else part.split())
} | {"united states of america": "united states", "usa": "united states", "us": "united states"}
_PLACE_ENDS = "市省县区国色"


def same_name(one: str, other: str) -> bool:
    """Whether both may name one thing: a part of a name, initials and short forms allowed."""
    first, second = _parts(one), _parts(other)
    if not first or not second:
        return False
    if first == second or "".join(first) == "".join(second):
        return True
    if _short_for(one, second) or _short_for(other, first):
        return True
    if _chinese(one) and _chinese(other):
        shorter, longer = sorted(("".join(first), "".join(second)), key=len)
        return shorter in longer
    return _within(*sorted((first, second), key=len))


def _parts(name: str) -> list[str]:
    text = plain(re.sub(r"[*_`\"“”«»《》「」()\[\]]", " ", name)).strip(" .,;:!?。，")
    text = _COUNTRIES.get(text.removeprefix("the "), text)
    parts = [
        _SAME.get(part.rstrip("."), part.rstrip(".")) for part in re.split(r"[\s\-–—:,/·]+", text)
    ]
    kept = [part for part in parts if part and part not in _ARTICLES and part not in _TITLES]
    if _chinese(text) and len(text) > 2:
        return [part.rstrip(_PLACE_ENDS) or part for part in kept]
    return kept


def _within(shorter: list[str], longer: list[str]) -> bool:
    """Whether each word of the shorter stands in the longer, in its order, or is its initial."""
    place = 0
    for part in shorter:
        while place < len(longer) and not _fits(part, longer[place]):
            place += 1
        if place == len(longer):
            return False
        place += 1
    # Numbers tell volumes and versions apart: what one has the other must have.
    numbers = [[p for p in parts if p.isdecimal()] for parts in (shorter, longer)]
    return numbers[0] == numbers[1] or not numbers[0]


def _fits(part: str, whole: str) -> bool:
    if part == whole:
        return True
    initial, full = sorted((part, whole), key=len)
    return len(initial) == 1 and initial.isalpha() and full.startswith(initial)


def _short_for(short: str, parts: list[str]) -> bool:
    letters = re.sub(r"[\s.]", "", short)
    if not (2 <= len(letters) <= 6 and letters.isupper() and letters.isascii()):
        return False
    initials = "".join(part[0] for part in parts if part not in _JOINING)
    return len(initials) > 1 and letters.lower() == initials


def _chinese(text: str) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff]", text))
