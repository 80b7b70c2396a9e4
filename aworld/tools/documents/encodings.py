"""Bytes into text: the encoding is found out and said."""

from __future__ import annotations

import codecs
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 128 * 1024
# cp1250 is left out: in short texts it is mistaken for cp1252, which is far more common.
_LIKELY = [
    *("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr"),
    *("cp1251", "cp1252", "cp1253", "cp1255", "cp1256", "koi8_r"),
]


class Decoded(NamedTuple):
    """A text, and what it was written in."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """The text of a file. Bytes that are none become U+FFFD."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(data.decode(encoding, "replace"), encoding.removesuffix("-sig"))
    try:
        return Decoded(data.decode(), "utf-8")
    except UnicodeDecodeError as error:
        # Cut off inside a character: the rest is UTF-8 all the same.
        if len(data) > 16 and error.start > len(data) - 4:
            return Decoded(data.decode("utf-8", "replace"), "utf-8")
    encoding = _guess(data[:_SAMPLE])
    return Decoded(data.decode(encoding, "replace"), encoding)


def _guess(sample: bytes) -> str:
    nulls = sample.count(0)
    if nulls > len(sample) // 4:
        return "utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_LIKELY).best()
    return best.encoding if best is not None else "cp1252"
