"""Words of English and Chinese texts, and what of them carries a claim."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_WORD = re.compile(r"[\u4e00-\u9fff]|[^\W_]+(?:['’.][^\W_]+)*", re.UNICODE)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_STOPPED = """
a an the this that these those of to in on at by for from with as and or is are was were
be been being am do does did has have had it its it's he she they we i you his her their
our my your there here which who whom what where when how than then so thus therefore
hence also indeed just only very now already will shall can 's s into per about
approximately exactly roughly around 的 了 是 在 为 有 和 与 这 那 个 些 都 也 就 正 着 过 一 被 把
"""
STOP = frozenset(_STOPPED.split())
"""Words that say nothing of what a text is about."""
_SUFFIXES = ("ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "s")


class Word(NamedTuple):
    """One word, or one Chinese character."""

    text: str
    start: int
    end: int

    @property
    def stem(self) -> str:
        """The word without its ending."""
        return stem(self.text)


def words(text: str) -> list[Word]:
    """All words in their order; digits alone are words too."""
    return [Word(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]


def plain(text: str) -> str:
    """Lower case, compatible forms and accents folded, apostrophes straight, spaces single."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(sign for sign in folded if not unicodedata.combining(sign))
    return " ".join(unicodedata.normalize("NFC", bare).replace("’", "'").split())


def stem(word: str) -> str:
    """The word in lower case without an inflected ending: `passes`, `passed` are `pass`."""
    bare = plain(word).removesuffix("'s")
    for suffix in _SUFFIXES:
        if bare.endswith(suffix) and len(bare) - len(suffix) >= 3:
            root = bare.removesuffix(suffix)
            if suffix in ("s", "es") and bare.endswith(("ss", "us", "is")):
                return bare
            if suffix in ("ies", "ied"):
                return root + "y"
            if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "ls":
                return root[:-1]
            return root.removesuffix("e")
    return bare.removesuffix("e") if len(bare) > 4 else bare


def content(text: str) -> frozenset[str]:
    """The stems that say what a text is about; of Chinese the characters."""
    return frozenset(stem(word.text) for word in words(text) if plain(word.text) not in STOP) - {""}


def is_chinese(text: str) -> bool:
    """Whether it is mostly Chinese."""
    letters = sum(sign.isalpha() for sign in text)
    return len(_HAN.findall(text)) * 2 > letters


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard's measure, 0 to 1; of two empty sets 1."""
    return len(one & other) / len(one | other) if one or other else 1.0


def capitalised(text: str, *, first: bool = True) -> list[Word]:
    """Words that begin with a capital; `first` whether the text's first word may be one."""
    found = words(text)
    return [
        word
        for place, word in enumerate(found)
        if word.text[0].isupper() and plain(word.text) not in STOP and (first or place > 0)
    ]
