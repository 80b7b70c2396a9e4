"""The timeline's columns as bytes that the browser reads in place, without parsing.

Little endian. u32 magic `BAR1`, u32 length of the JSON head, the head padded with spaces so that
the first column starts at a multiple of 8; then the columns, each padded to a multiple of 8.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Sequence
from typing import Any

import msgspec

from aworld.storage.base import LEVEL_0_US, Bars

MAGIC = 0x31524142
ABSENT = 0xFFFFFFFF
"""Stands for a seq that is not there."""


def _column(code: str, values: Sequence[Any]) -> bytes:
    """One column, padded to a multiple of 8."""
    column = array(code, values)
    if sys.byteorder == "big":
        column.byteswap()
    data = column.tobytes()
    return data + bytes(-len(data) % 8)


def _seqs(values: Sequence[int]) -> Sequence[int]:
    """Seqs as u32."""
    return [value if value >= 0 else ABSENT for value in values]


def encode_bars(bars: Bars, *, run_start_at: int, last_seq: int) -> bytes:
    """The bars with their head; `run_start_at` in UTC microseconds."""
    head = msgspec.json.encode(
        {
            "level": bars.level,
            "count": len(bars.lane),
            "lanes": bars.lanes,
            "run_start_at": run_start_at,
            "last_seq": last_seq,
            "bucket_us": LEVEL_0_US * 4**bars.level if bars.level else 0,
        }
    )
    head += b" " * (-(8 + len(head)) % 8)
    return b"".join(
        (
            struct.pack("<II", MAGIC, len(head)),
            head,
            _column("d", bars.start),
            _column("d", bars.end),
            _column("I", bars.lane),
            _column("I", bars.count),
            _column("I", _seqs(bars.severity_seq)),
            _column("I", _seqs(bars.longest_seq)),
            _column("I", bars.tokens),
            _column("f", bars.cost_usd),
            _column("B", bars.severity),
            _column("B", bars.family),
        )
    )
