"""What a store of runs is. Synchronous and thread-safe: call it from a thread in async code.

Runs and their events live here and nowhere else. Events are kept in packed blocks; index rows,
the level-of-detail table and the run's summary are written in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

import msgspec

from aworld.events.union import AnyPayload, Event

RunStatus = Literal[
    "queued", "running", "paused", "parked", "lost", "finished", "failed", "cancelled"
]
ENDED: frozenset[str] = frozenset({"finished", "failed", "cancelled"})

OFFLOAD_BYTES = 16 * 1024
"""Payloads whose JSON is larger go to the blob store."""


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A run's row: what it was asked, and a running summary of its events."""

    run_id: str
    project_id: str = "default"
    team_name: str
    team: dict[str, Any]
    """The immutable copy of the team's definition; model connections by name, never a key."""
    input: str
    task_id: str = ""
    attempt: int = 0
    seed: int = 0
    source: str = "script"
    tags: tuple[str, ...] = ()
    parent_run_id: str = ""
    parent_seq: int = -1

    status: RunStatus = "queued"
    priority: int = 0
    """Higher runs first."""
    position: float = 0.0
    """Order within a priority; lower runs first. Reordering changes only this."""

    created_at: int = 0
    """All times: UTC microseconds; 0 where it has not happened."""
    started_at: int = 0
    finished_at: int = 0
    worker: str = ""
    epoch: int = 0
    """Fencing number: grows with each lease; a block with an older one is refused."""
    lease_until: int = 0

    last_seq: int = -1
    indexed_seq: int = -1
    """Text search covers events up to here."""
    errors: int = 0
    warnings: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    answer: str = ""
    error: str = ""
    score: float | None = None
    """The environment's verdict, 0.0 to 1.0; None where there is none."""
    questions: int = 0
    """How many questions wait for a person, those for leave included."""
    environment: dict[str, Any] = {}
    """`{kind, suite, task_id, task}` where the run has an environment, the task whole with its
    answers: nothing that an agent can read."""


class RunFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs. Empty fields do not restrict."""

    statuses: tuple[RunStatus, ...] = ()
    teams: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    task_id: str = ""
    tool: str = ""
    """Runs that called this tool."""
    tag: str = ""
    parent_run_id: str = ""
    with_errors: bool = False
    text: str = ""
    """Runs whose input, answer or events contain this text."""
    created_after: int = 0
    created_before: int = 0
    min_cost_usd: float = 0.0


EVERY_RUN: Final = RunFilter()

RunOrder = Literal["failures_first", "newest", "oldest", "queue"]


class RunPage(NamedTuple):
    """Some runs, and how many there are in all."""

    runs: list[RunRecord]
    total: int


class Lease(NamedTuple):
    """The right to write one run until `until` (UTC microseconds)."""

    run_id: str
    worker: str
    epoch: int
    until: int


class Hit(NamedTuple):
    """One event that contains the searched text."""

    run_id: str
    seq: int
    kind: str
    actor: str
    snippet: str
    """Up to 160 characters round the first match."""


class BlobInfo(NamedTuple):
    """What is known of a blob without reading it."""

    sha256: str
    size: int


class Bars(NamedTuple):
    """Columns of the level-of-detail table, one entry a (lane, bucket), all of equal length.

    Level 0 has one entry an event; level k buckets of `LEVEL_0_US * 4**k` microseconds.
    """

    level: int
    lanes: list[str]
    """The lanes' names; `lane` below indexes into it."""
    lane: list[int]
    start: list[int]
    """Microseconds since the run's first event: of the bucket, or of the event."""
    end: list[int]
    """End of the longest span seen in the bucket (>= start)."""
    count: list[int]  # type: ignore[assignment]  # Hides tuple.count, which nobody needs here.
    severity: list[int]
    """Worst in the bucket: 0, 1 or 2."""
    severity_seq: list[int]
    longest_seq: list[int]
    family: list[int]
    """Index into `FAMILIES` of the longest's family."""
    tokens: list[int]
    cost_usd: list[float]


FAMILIES: tuple[str, ...] = (
    "model",
    "tool",
    "message",
    "environment",
    "person",
    "trainer",
    "supervisor",
)
LEVEL_0_US = 1000
LEVELS = 12
"""Level 12 buckets are 1000 * 4**12 µs, about 4.7 hours, wide."""


class Command(NamedTuple):
    """What a person or the API wants of a running run: `pause`, `resume`, `cancel`, `answer`."""

    number: int
    """Dense per run, from 0."""
    name: str
    arguments: dict[str, Any]
    by: str
    at: int


class Label(NamedTuple):
    """A score, label or comment given to a run (or one of its events) from outside, any time."""

    run_id: str
    seq: int
    """-1 for the whole run."""
    name: str
    value: Any
    by: str
    at: int


class Store(Protocol):
    """Where runs and events live."""

    # runs
    def create_run(self, record: RunRecord) -> RunRecord:
        """Add a run. The same run_id twice returns what is there.

        `created_at` and `position` are filled in where 0."""
        ...

    def get_run(self, run_id: str) -> RunRecord:
        """One run. Raises NotFound."""
        ...

    def list_runs(
        self,
        where: RunFilter = EVERY_RUN,
        *,
        order: RunOrder = "newest",
        limit: int = 50,
        offset: int = 0,
    ) -> RunPage:
        """Runs and their total. `failures_first`: failed and lost, then running, then the rest,
        newest first within; `queue`: queued ones as they will be taken."""
        ...

    def count_by_status(self) -> dict[str, int]:
        """How many runs there are in each status."""
        ...

    def set_run(
        self,
        run_id: str,
        *,
        status: RunStatus | None = None,
        priority: int | None = None,
        position: float | None = None,
        tags: Sequence[str] | None = None,
        only_if: Sequence[RunStatus] = (),
    ) -> bool:
        """Change a run's row; with `only_if`, only where its status is one of these. Whether it
        was changed. Status changes that are events are made by `append`, not here."""
        ...

    def delete_run(self, run_id: str) -> None:
        """Remove a run and all that belongs to it, and give the space back. What forks need of
        its events stays until they go. Raises NotFound, StoreError while it is leased."""
        ...

    # leases
    def claim(self, worker: str, *, ttl_s: float, run_id: str = "") -> Lease | None:
        """Take the next queued, lost or resumable run (or the given one), or None. The epoch
        grows by one. Never two holders."""
        ...

    def renew(self, lease: Lease, *, ttl_s: float) -> Lease | None:
        """Keep it; None where it was lost."""
        ...

    def release(self, lease: Lease) -> None:
        """Give it back; nothing happens where it was lost."""
        ...

    def expired(self) -> list[RunRecord]:
        """Running or paused runs whose lease has run out."""
        ...

    # events
    def append(self, run_id: str, epoch: int, events: Sequence[Event]) -> int:
        """Write a block durably; returns the last seq in the store.

        Events that are there already, equal, are skipped (idempotent). Offloads large payloads.
        Updates index rows, level of detail and the run's summary in the same transaction.

        Raises:
            StaleEpoch: the epoch is not the run's current one.
            SequenceConflict: the block leaves a gap, or differs from what is there.
            NotFound: no such run.
        """
        ...

    def read(self, run_id: str, *, after: int = -1, limit: int = 1000) -> list[Event]:
        """Events with seq > after, in order, a fork's shared prefix included."""
        ...

    def read_seqs(self, run_id: str, seqs: Iterable[int]) -> list[Event]:
        """These events, in order of seq; missing ones are left out."""
        ...

    def query(
        self,
        run_id: str,
        *,
        kinds: Sequence[str] = (),
        actors: Sequence[str] = (),
        min_severity: int = 0,
        from_at: int = 0,
        to_at: int = 0,
        after: int = -1,
        limit: int = 1000,
    ) -> list[Event]:
        """Events of a run by kind, actor, severity and time (UTC microseconds)."""
        ...

    def bars(
        self,
        run_id: str,
        level: int,
        *,
        start: int = 0,
        end: int = 0,
        limit: int = 200_000,
    ) -> Bars:
        """What the timeline draws between start and end (microseconds since the first event; end
        0 means to the last). Level 0 gives each event with its span's end."""
        ...

    def resolve(self, event: Event) -> AnyPayload:
        """The whole payload, from the blob store where it was offloaded."""
        ...

    def search(self, text: str, *, run_id: str = "", limit: int = 50) -> list[Hit]:
        """Events that contain the text (case-insensitive; CJK by substring), newest run first."""
        ...

    def index_text(self, *, budget_s: float = 0.5) -> bool:
        """Bring the text index forward; whether more is left to do."""
        ...

    # blobs
    def put_blob(self, data: bytes) -> str:
        """Keep bytes; returns their sha256."""
        ...

    def get_blob(self, sha256: str) -> bytes:
        """The bytes. Raises NotFound."""
        ...

    def blob_info(self, sha256: str) -> BlobInfo:
        """Its size. Raises NotFound."""
        ...

    def sweep_blobs(self) -> int:
        """Remove blobs that no event names and that are older than an hour; returns bytes freed."""
        ...

    # snapshots of folded state
    def put_snapshot(self, run_id: str, seq: int, state: bytes) -> None:
        """Keep the folded state after `seq`."""
        ...

    def latest_snapshot(
        self, run_id: str, *, before: int | None = None
    ) -> tuple[int, bytes] | None:
        """The newest snapshot at or before a seq."""
        ...

    # commands and labels
    def put_command(self, run_id: str, name: str, arguments: dict[str, Any], *, by: str) -> int:
        """Add a command; returns its number."""
        ...

    def commands(self, run_id: str, *, after: int = -1) -> list[Command]:
        """Commands with a larger number."""
        ...

    def put_label(self, run_id: str, name: str, value: Any, *, by: str, seq: int = -1) -> None:
        """Add a label to the run's second stream."""
        ...

    def labels(self, run_id: str) -> list[Label]:
        """The run's labels, oldest first."""
        ...

    # the store itself
    def version(self) -> int:
        """A number that changes whenever anything was written, also by another process."""
        ...

    def close(self) -> None:
        """Give back files and connections."""
        ...
