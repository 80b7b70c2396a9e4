"""Packed blocks: some successive events as one compressed piece of bytes.

A block is MessagePack (an array of events) under zstd, level -1. For 1 KB events that costs 3.4 µs
an event and leaves 27 % of the size; level 1 costs 4.4 µs and leaves 25 %, zlib costs 12 µs.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Final, NamedTuple

import zstandard

from aworld.events.union import Event, decode_many

BLOCK_EVENTS: Final = 256
BLOCK_BYTES: Final = 256 * 1024
"""A block ends at whichever comes first: reading one event unpacks at most so much."""


WORTH_A_THREAD: Final = 128
"""Events from which on it pays to compress beside the rest of the work."""

_own = threading.local()


class Packed(NamedTuple):
    """One block, and the events in it as positions `first` to before `end`."""

    first: int
    end: int
    data: bytes


class Packing:
    """Blocks that are being compressed, in a thread of their own where there are many events."""

    def __init__(self, encoded: Sequence[bytes]) -> None:
        self._bounds = list(split(encoded))
        plain = [_plain(encoded[first:end]) for first, end in self._bounds]
        self._blocks: Future[list[bytes]] | list[bytes]
        if len(encoded) < WORTH_A_THREAD:
            self._blocks = [compress(one) for one in plain]
            return
        begun = threading.Event()
        self._blocks = _packers().submit(_compress_all, plain, begun)
        # Compressing lets the interpreter go, but a thread that has just begun would be given it
        # only after 5 ms, by when the rest of the work is done.
        begun.wait()

    def result(self) -> list[Packed]:
        """The blocks, once they are ready."""
        done = self._blocks if isinstance(self._blocks, list) else self._blocks.result()
        return [Packed(*span, data) for span, data in zip(self._bounds, done, strict=True)]


def _compress_all(plain: list[bytes], begun: threading.Event) -> list[bytes]:
    compressor = _compressor()
    begun.set()
    if len(plain) == 1:
        return [compressor.compress(plain[0])]
    # One call for all, so that the interpreter is asked for once.
    wanted: list[bytes | bytearray | memoryview[int]] = [*plain]
    found = compressor.multi_compress_to_buffer(wanted, threads=0)
    return [found[at].tobytes() for at in range(len(found))]


@cache
def _packers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="pack")


def split(encoded: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Where blocks begin and end: `(first, end)` positions in `encoded`."""
    first = size = 0
    for position, data in enumerate(encoded):
        if position > first and (position - first == BLOCK_EVENTS or size >= BLOCK_BYTES):
            yield first, position
            first, size = position, 0
        size += len(data)
    if first < len(encoded):
        yield first, len(encoded)


def pack(encoded: Sequence[bytes]) -> bytes:
    """One block of events that are already encoded one by one."""
    return compress(_plain(encoded))


def _plain(encoded: Sequence[bytes]) -> bytes:
    # A MessagePack array of up to 65,535 elements: its header, then the elements as they are.
    return struct.pack(">BH", 0xDC, len(encoded)) + b"".join(encoded)


def compress(plain: bytes) -> bytes:
    """zstd, level -1."""
    return _compressor().compress(plain)


def _compressor() -> zstandard.ZstdCompressor:
    # A compressor belongs to one thread; making one costs as much as 4 KB of work for it.
    try:
        found: zstandard.ZstdCompressor = _own.compressor
    except AttributeError:
        found = _own.compressor = zstandard.ZstdCompressor(level=-1)
    return found


def decompress(data: bytes) -> bytes:
    """What `compress` was given."""
    try:
        decompressor: zstandard.ZstdDecompressor = _own.decompressor
    except AttributeError:
        decompressor = _own.decompressor = zstandard.ZstdDecompressor()
    return decompressor.decompress(data)


def unpack(data: bytes) -> list[Event]:
    """The events of a block."""
    return decode_many(decompress(data))
