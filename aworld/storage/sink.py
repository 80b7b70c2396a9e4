"""From the bus into the log: a run's events are collected and committed behind its back.

All writers of a store in one process share a thread, its committer. A commit has a price of its
own, whatever is in it: so it takes what all runs have ready, and is put off for a moment, a
shorter one where somebody waits for it. What comes while it is under way goes into the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import ClassVar, Final, Protocol, runtime_checkable

from aworld.errors import NotFound, SequenceConflict, StaleEpoch, StoreError, Unwritable
from aworld.events.union import Event
from aworld.storage.base import Lease, Store

COMMIT_EVENTS: Final = 4096
"""Events of one run in one commit at most."""
LINGER_S: Final = 0.02
"""How long a commit is put off for more to come; a page draws no sooner anyhow."""
URGENT_LINGER_S: Final = 0.002
"""The same where `durable` is awaited."""
RETRY_AFTER_S: Final = (0.1, 0.4, 1.6, 6.4)
"""Pauses before a commit that failed for another reason than a lost run is tried again."""


@runtime_checkable
class GroupStore(Protocol):
    """A store that writes several runs in one transaction; one without gets them one by one."""

    def append_many(
        self, batches: Sequence[tuple[str, int, Sequence[Event]]]
    ) -> list[int | StoreError]:
        """`(run_id, epoch, events)` each; the last seq, or why that run was refused, each."""
        ...


class LogWriter:
    """The pen of one run's lease holder. Use it on the event loop that made it."""

    def __init__(
        self, store: Store, lease: Lease, *, on_durable: Callable[[int], None] | None = None
    ) -> None:
        """`on_durable(last_seq)` is called on the loop after each commit."""
        self.lease = lease
        self.loop = asyncio.get_running_loop()
        self.failed: StoreError | None = None
        """Why nothing is written any more; StaleEpoch where another worker has the run."""
        self._on_durable = on_durable
        self._pending: deque[Event] = deque()
        self._in_store = -1
        self._last_seq = -1
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._tickets = count()
        self._first_seq: int | None = None
        self._closed = False
        self._committer = Committer.join(store)
        # The committer's, under its lock, except that `write` looks at `queued` without it.
        self.queued = False
        self.due = 0.0

    @property
    def backlog(self) -> int:
        """Events that are not in the store yet: where it grows, who publishes must wait."""
        if self.failed is not None or self._first_seq is None:
            return 0
        return self._last_seq - max(self._in_store, self._first_seq - 1)

    def write(self, event: Event) -> None:
        """Take a numbered event; returns at once. After a failure events are dropped: the run is
        over for this writer, and `failed` says why.

        Raises:
            StoreError: the writer is closed.
        """
        if self.failed is not None:
            return
        if self._closed:
            raise StoreError(
                f"The log of run {self.lease.run_id!r} is closed: claim it again to write on."
            )
        if self._first_seq is None:
            self._first_seq = event.seq
        self._last_seq = event.seq
        self._pending.append(event)
        # First append, then look: the committer first clears the mark, then takes what is there.
        if not self.queued:
            self._committer.submit(self)

    async def durable(self, seq: int) -> None:
        """Wait until the store has acknowledged this seq, and all before it.

        Raises:
            StoreError: it never will; StaleEpoch where another worker has the run.
        """
        if seq <= self._in_store or (self._first_seq is not None and seq < self._first_seq):
            return
        if self.failed is not None:
            raise self.failed
        self._committer.hurry(self)
        done = self.loop.create_future()
        heapq.heappush(self._waiting, (seq, next(self._tickets), done))
        await done

    async def aclose(self) -> None:
        """Write what is left, and take no more.

        Raises:
            StoreError: something written here did not reach the store.
        """
        if not self._closed:
            self._closed = True
            try:
                if self.backlog:
                    await self.durable(self._last_seq)
            finally:
                self._committer.leave()
        if self.failed is not None:
            raise self.failed

    def take(self) -> list[Event]:
        """The next events to commit. Called by the committer's thread."""
        many = min(len(self._pending), COMMIT_EVENTS)
        return [self._pending.popleft() for _ in range(many)]

    def more(self) -> bool:
        """Whether `take` left something. Called by the committer's thread."""
        return bool(self._pending)

    def after(self, result: int | StoreError) -> None:
        """On the loop, after a commit."""
        if isinstance(result, StoreError):
            self._fail(result)
            return
        self._in_store = result
        while self._waiting and self._waiting[0][0] <= result:
            done = heapq.heappop(self._waiting)[2]
            if not done.done():
                done.set_result(None)
        if self._waiting and self.backlog:
            self._committer.hurry(self)
        if self._on_durable is not None:
            self._on_durable(result)

    def _fail(self, error: StoreError) -> None:
        if self.failed is not None:
            return
        self.failed = error
        for _, _, done in self._waiting:
            if not done.done():
                done.set_exception(error)
                done.exception()  # Its waiter may be gone; asyncio need not complain of that.
        self._waiting.clear()


class Committer:
    """The thread that writes to one store, shared by this process's writers."""

    _lock: ClassVar[threading.Lock] = threading.Lock()
    _of_store: ClassVar[dict[int, Committer]] = {}

    def __init__(self, store: Store) -> None:
        self._store = store
        self._members = 0
        self._changed = threading.Condition()
        self._queue: list[LogWriter] = []
        self._wakes_at = math.inf
        self._ending = False
        # A daemon: what it has not acknowledged when the process ends was never promised.
        self._thread = threading.Thread(target=self._work, name="aworld-log", daemon=True)
        self._thread.start()

    @classmethod
    def join(cls, store: Store) -> Committer:
        """The store's committer; its first member starts the thread."""
        with cls._lock:
            found = cls._of_store.get(id(store))
            if found is None or not found._thread.is_alive():  # A fork leaves threads behind.
                found = cls._of_store[id(store)] = cls(store)
            found._members += 1
            return found

    def leave(self) -> None:
        """Its last member ends the thread, once the queue is empty."""
        with self._lock:
            self._members -= 1
            if self._members:
                return
            if self._of_store.get(id(self._store)) is self:
                del self._of_store[id(self._store)]
        with self._changed:
            self._ending = True
            self._changed.notify()

    def submit(self, writer: LogWriter) -> None:
        """Queue a writer that has events."""
        with self._changed:
            self._enqueue(writer, LINGER_S)

    def hurry(self, writer: LogWriter) -> None:
        """Somebody waits for this writer's events: put them off no longer than a moment."""
        with self._changed:
            if writer.queued:
                self._wake(writer, min(writer.due, time.monotonic() + URGENT_LINGER_S))

    def _enqueue(self, writer: LogWriter, linger_s: float) -> None:
        if not writer.queued:
            writer.queued = True
            self._queue.append(writer)
            self._wake(writer, time.monotonic() + linger_s)

    def _wake(self, writer: LogWriter, due: float) -> None:
        writer.due = due
        if due < self._wakes_at:
            self._changed.notify()

    def _work(self) -> None:
        while writers := self._next():
            batches = [(writer, events) for writer in writers if (events := writer.take())]
            results = self._write(batches)
            with self._changed:
                for writer in writers:
                    if writer.more():
                        self._enqueue(writer, 0.0)
            _deliver([(writer, one) for (writer, _), one in zip(batches, results, strict=True)])

    def _next(self) -> list[LogWriter]:
        """Whose events are to be written together; empty at the end."""
        with self._changed:
            while True:
                now = time.monotonic()
                self._wakes_at = min((writer.due for writer in self._queue), default=math.inf)
                if self._wakes_at <= now or self._ending:
                    break
                self._changed.wait(None if not self._queue else self._wakes_at - now)
            # Nearly due is due: that saves a commit.
            limit = math.inf if self._ending else now + URGENT_LINGER_S
            taken = [writer for writer in self._queue if writer.due <= limit]
            self._queue = [writer for writer in self._queue if writer.due > limit]
            for writer in taken:
                writer.queued = False
            self._wakes_at = -math.inf  # Awake: nobody need notify.
            return taken

    def _write(self, batches: list[tuple[LogWriter, list[Event]]]) -> list[int | StoreError]:
        """The last seq of each, or why it was not written. What may pass is tried again."""
        failure = StoreError("nothing was tried")
        for pause in (*RETRY_AFTER_S, None):
            try:
                return self._append(batches)
            except StoreError as error:  # A full disk, a file locked for long.
                failure = error
            except Exception as error:  # A fault of the backend is no success either.
                failure = StoreError(f"The log cannot be written: {error!r}.")
                break
            if pause is not None:
                time.sleep(pause)
        return [failure] * len(batches)

    def _append(self, batches: list[tuple[LogWriter, list[Event]]]) -> list[int | StoreError]:
        leased = [(writer.lease.run_id, writer.lease.epoch, events) for writer, events in batches]
        if isinstance(self._store, GroupStore):
            return self._store.append_many(leased)
        results: list[int | StoreError] = []
        for run_id, epoch, events in leased:
            try:
                results.append(self._store.append(run_id, epoch, events))
            except (StaleEpoch, SequenceConflict, NotFound, Unwritable) as refusal:
                results.append(refusal)
        return results


def _deliver(results: list[tuple[LogWriter, int | StoreError]]) -> None:
    """Tell the writers, each on its own loop; a loop is woken once."""
    loops = {writer.loop for writer, _ in results}
    for loop in loops:
        own = [(writer, result) for writer, result in results if writer.loop is loop]
        # A loop that was closed without closing its writers has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_tell, own)


def _tell(results: list[tuple[LogWriter, int | StoreError]]) -> None:
    for writer, result in results:
        writer.after(result)
