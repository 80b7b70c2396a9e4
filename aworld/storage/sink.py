"""From the bus into the log: a run's events are collected and committed behind its back.

All writers of a store in one process share a thread, its committer. A commit has a price of its
own, whatever is in it: so it takes what all runs have ready, and is put off for a moment, a
shorter one where somebody waits for it. What comes while it is under way goes into the next.
"""

from __future__ import annotations

import asyncio
import heapq
import threading
import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import ClassVar, Final, NamedTuple, Protocol, runtime_checkable

from aworld.errors import NotFound, SequenceConflict, StaleEpoch, StoreError
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
        self._loop = asyncio.get_running_loop()
        self._lease = lease
        self._on_durable = on_durable
        self._pending: list[Event] = []
        self._committing = 0
        self._first_seq: int | None = None
        self._last_seq = -1
        self._in_store = -1
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._tickets = count()
        self._closed = False
        self._committer = _Committer.join(store)
        self.failed: StoreError | None = None
        """Why nothing is written any more; StaleEpoch where another worker has the run."""

    @property
    def backlog(self) -> int:
        """Events that are not in the store yet: where it grows, who publishes must wait."""
        return len(self._pending) + self._committing

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
                f"The log of run {self._lease.run_id!r} is closed: claim it again to write on."
            )
        if self._first_seq is None:
            self._first_seq = event.seq
        self._last_seq = event.seq
        self._pending.append(event)
        if not self._committing:
            self._commit()

    async def durable(self, seq: int) -> None:
        """Wait until the store has acknowledged this seq, and all before it.

        Raises:
            StoreError: it never will; StaleEpoch where another worker has the run.
        """
        if seq <= self._in_store or (self._first_seq is not None and seq < self._first_seq):
            return
        if self.failed is not None:
            raise self.failed
        self._committer.hurry()
        done = self._loop.create_future()
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

    def _commit(self) -> None:
        """Hand the next events to the committer."""
        batch = self._pending[:COMMIT_EVENTS]
        del self._pending[:COMMIT_EVENTS]
        self._committing = len(batch)
        self._committer.submit(_Commit(self._lease, batch, self._loop, self._after))

    def _after(self, result: int | StoreError) -> None:
        """On the loop, after a commit."""
        self._committing = 0
        if isinstance(result, StoreError):
            self._fail(result)
            return
        self._in_store = result
        if self._pending:
            self._commit()
        while self._waiting and self._waiting[0][0] <= result:
            done = heapq.heappop(self._waiting)[2]
            if not done.done():
                done.set_result(None)
        if self._on_durable is not None:
            self._on_durable(result)

    def _fail(self, error: StoreError) -> None:
        self.failed = error
        self._pending.clear()
        for _, _, done in self._waiting:
            if not done.done():
                done.set_exception(error)
                done.exception()  # Its waiter may be gone; asyncio need not complain of that.
        self._waiting.clear()


class _Commit(NamedTuple):
    """One run's events on their way to the store."""

    lease: Lease
    events: list[Event]
    loop: asyncio.AbstractEventLoop
    after: Callable[[int | StoreError], None]


class _Committer:
    """The thread that writes to one store, shared by this process's writers."""

    _lock: ClassVar[threading.Lock] = threading.Lock()
    _of_store: ClassVar[dict[int, _Committer]] = {}

    def __init__(self, store: Store) -> None:
        self._store = store
        self._members = 0
        self._changed = threading.Condition()
        self._queue: list[_Commit] = []
        self._urgent = False
        self._ending = False
        # A daemon: what it has not acknowledged when the process ends was never promised.
        self._thread = threading.Thread(target=self._work, name="aworld-log", daemon=True)
        self._thread.start()

    @classmethod
    def join(cls, store: Store) -> _Committer:
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
            del self._of_store[id(self._store)]
        with self._changed:
            self._ending = True
            self._changed.notify()

    def submit(self, commit: _Commit) -> None:
        """Queue a commit."""
        with self._changed:
            self._queue.append(commit)
            if len(self._queue) == 1:
                self._changed.notify()

    def hurry(self) -> None:
        """Somebody waits: put the next commit off no longer than a moment."""
        if not self._urgent:
            with self._changed:
                self._urgent = True
                self._changed.notify()

    def _work(self) -> None:
        while commits := self._next():
            for commit, result in zip(commits, self._write(commits), strict=True):
                try:
                    commit.loop.call_soon_threadsafe(commit.after, result)
                except RuntimeError:  # The loop was closed without closing its writers.
                    continue

    def _next(self) -> list[_Commit]:
        """What is to be written together; empty at the end."""
        with self._changed:
            while not self._queue and not self._ending:
                self._changed.wait()
            if not self._urgent:
                self._changed.wait_for(lambda: self._urgent or self._ending, LINGER_S)
            if self._urgent:
                self._changed.wait_for(lambda: self._ending, URGENT_LINGER_S)
            commits, self._queue = self._queue, []
            self._urgent = False
            return commits

    def _write(self, commits: list[_Commit]) -> list[int | StoreError]:
        """The last seq of each, or why it was not written. What may pass is tried again."""
        for pause in (*RETRY_AFTER_S, None):
            try:
                return self._append(commits)
            except StoreError as error:  # A full disk, a file locked for long.
                failure = error
            except Exception as error:  # A fault of the backend is no success either.
                failure = StoreError(f"The log cannot be written: {error!r}.")
                pause = None
            if pause is None:
                break
            time.sleep(pause)
        return [failure] * len(commits)

    def _append(self, commits: list[_Commit]) -> list[int | StoreError]:
        batches = [(one.lease.run_id, one.lease.epoch, one.events) for one in commits]
        if isinstance(self._store, GroupStore):
            return self._store.append_many(batches)
        results: list[int | StoreError] = []
        for run_id, epoch, events in batches:
            try:
                results.append(self._store.append(run_id, epoch, events))
            except (StaleEpoch, SequenceConflict, NotFound) as refusal:
                results.append(refusal)
        return results
