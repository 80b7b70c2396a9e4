"""Folds that are kept in memory while somebody steps through runs."""

from __future__ import annotations

import bisect
import threading
from collections import OrderedDict

MOST = 400
MOST_BYTES = 64 * 1024 * 1024


class FoldCache:
    """Packed folds by run and seq; the one that was not used for longest goes first.

    A log is only ever added to, so a fold never becomes wrong. Safe to use from many threads.
    """

    def __init__(self, *, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._packed: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._seqs: dict[str, list[int]] = {}
        """Of each run, in order."""
        self._size = 0

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._size

    def newest(self, run_id: str, *, before: int) -> tuple[int, bytes] | None:
        """The seq and bytes of the newest fold at or before a seq."""
        with self._lock:
            seqs = self._seqs.get(run_id, [])
            at = bisect.bisect_right(seqs, before)
            if not at:
                return None
            key = (run_id, seqs[at - 1])
            self._packed.move_to_end(key)
            return key[1], self._packed[key]

    def keep(self, run_id: str, seq: int, packed: bytes) -> None:
        """Remember the fold after `seq`."""
        key = (run_id, seq)
        with self._lock:
            if key in self._packed:
                self._packed.move_to_end(key)
                return
            self._packed[key] = packed
            self._size += len(packed)
            bisect.insort(self._seqs.setdefault(run_id, []), seq)
            while len(self._packed) > self._most or self._size > self._most_bytes:
                self._drop_oldest()

    def forget(self, run_id: str) -> None:
        """Drop a run's folds: it was deleted, and its id may come back with another log."""
        with self._lock:
            for seq in self._seqs.pop(run_id, []):
                self._size -= len(self._packed.pop((run_id, seq)))

    def _drop_oldest(self) -> None:
        (run_id, seq), packed = self._packed.popitem(last=False)
        self._size -= len(packed)
        seqs = self._seqs[run_id]
        seqs.remove(seq)
        if not seqs:
            del self._seqs[run_id]
