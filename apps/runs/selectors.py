"""Reading runs and events from the store."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast, get_args

import msgspec
from django.utils.translation import gettext as _

from apps.runs.bars import encode_bars
from apps.runs.debugging_holder import LABEL, holder_of
from apps.runs.encoding import events_body, run_fields, run_in_full
from apps.runs.stores import run_store
from apps.shell.refusals import Invalid, Missing
from apps.shell.search import Found
from aworld.errors import NotFound
from aworld.events.envelope import Clock
from aworld.events.union import Event, Offloaded, encode_json
from aworld.storage.base import LEVELS, RunFilter, RunOrder, RunRecord, RunStatus

MOST_EVENTS = 10_000
"""Events in one answer."""
MOST_RUNS = 500
MOST_OFFSET = 2**62
"""Databases know numbers of 64 bits only."""
MOST_SEVERITY = 100
MOST_TIME = 2.0**53
"""Microseconds: 285 years."""
STATUSES: tuple[str, ...] = get_args(RunStatus)
ORDERS: tuple[str, ...] = get_args(RunOrder)


class RunQuery(NamedTuple):
    """A list of runs as the address bar has it; several values of one field by commas."""

    status: str = ""
    team: str = ""
    source: str = ""
    task_id: str = ""
    tool: str = ""
    tag: str = ""
    text: str = ""
    errors: bool = False
    order: str = "failures_first"
    limit: int = 50
    offset: int = 0


def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def run_filter(query: RunQuery) -> RunFilter:
    """The store's filter.

    Raises:
        Invalid: a status that there is not.
    """
    statuses = _words(query.status)
    for status in statuses:
        if status not in STATUSES:
            raise Invalid(
                _("There is no status %(status)r. Use one of: %(all)s.")
                % {"status": status, "all": ", ".join(STATUSES)}
            )
    return RunFilter(
        statuses=cast("tuple[RunStatus, ...]", statuses),
        teams=_words(query.team),
        sources=_words(query.source),
        task_id=query.task_id,
        tool=query.tool,
        tag=query.tag,
        with_errors=query.errors,
        text=query.text.strip(),
    )


def run_list(query: RunQuery) -> dict[str, Any]:
    """`{runs, total, counts}`: a page of runs, how many match, how many there are by status.

    Raises:
        Invalid: an unknown status or order.
    """
    if query.order not in ORDERS:
        raise Invalid(
            _("Runs cannot be ordered by %(order)r. Use one of: %(all)s.")
            % {"order": query.order, "all": ", ".join(ORDERS)}
        )
    store = run_store()
    page = store.list_runs(
        run_filter(query),
        order=cast(RunOrder, query.order),
        limit=max(1, min(query.limit, MOST_RUNS)),
        offset=max(0, min(query.offset, MOST_OFFSET)),
    )
    return {
        "runs": [run_fields(record) for record in page.runs],
        "total": page.total,
        "counts": run_counts(),
    }


def run_counts() -> dict[str, int]:
    """How many runs there are in each status, zeros too."""
    return {**dict.fromkeys(STATUSES, 0), **run_store().count_by_status()}


def run_record(run_id: str) -> RunRecord:
    """A run's row.

    Raises:
        Missing: no such run.
    """
    try:
        return run_store().get_run(run_id)
    except NotFound:
        raise Missing(
            _("There is no run %(run)r. It may have been deleted, or lies in another data folder.")
            % {"run": run_id}
        ) from None


def run_detail(run_id: str) -> dict[str, Any]:
    """A run with its team, forks, labels, and who debugs it."""
    store = run_store()
    record = run_record(run_id)
    forks = store.list_runs(RunFilter(parent_run_id=run_id), order="oldest", limit=MOST_RUNS).runs
    labels = store.labels(run_id)
    said = [label._asdict() for label in labels if label.name != LABEL]
    held = holder_of(labels, Clock().now())
    return {
        **run_in_full(record, [fork.run_id for fork in forks], said),
        "debugger": None if held is None else held._asdict(),
    }


class EventQuery(NamedTuple):
    """Which events of a run."""

    after: int = -1
    limit: int = 1000
    kinds: str = ""
    actors: str = ""
    min_severity: int = 0


def events_json(run_id: str, query: EventQuery) -> bytes:
    """JSON `{events, last_seq}`; `last_seq` is the run's newest, whatever was asked for."""
    record = run_record(run_id)
    limit = max(1, min(query.limit, MOST_EVENTS))
    kinds, actors = _words(query.kinds), _words(query.actors)
    store = run_store()
    if kinds or actors or query.min_severity:
        events = store.query(
            run_id,
            kinds=kinds,
            actors=actors,
            min_severity=max(0, min(query.min_severity, MOST_SEVERITY)),
            after=max(-1, min(query.after, record.last_seq)),
            limit=limit,
        )
    else:
        events = store.read(run_id, after=query.after, limit=limit)
    return events_body(events, record.last_seq)


def _event(run_id: str, seq: int) -> Event:
    run_record(run_id)
    found = run_store().read_seqs(run_id, [seq])
    if not found:
        raise Missing(_("Run %(run)r has no event %(seq)d.") % {"run": run_id, "seq": seq})
    return found[0]


def whole_event(run_id: str, seq: int) -> Event:
    """One event with its payload brought back from the blob store.

    Raises:
        Missing: no such run or event.
    """
    event = _event(run_id, seq)
    return msgspec.structs.replace(event, payload=run_store().resolve(event))


def whole_event_json(run_id: str, seq: int) -> bytes:
    """JSON of `whole_event`. A payload out of the blob store is JSON already and goes as it is:
    reading and writing 20 MB would take longer than all the rest."""
    event = _event(run_id, seq)
    payload = event.payload
    if not isinstance(payload, Offloaded):
        return encode_json(event)
    as_stored = msgspec.Raw(run_store().get_blob(payload.blob))
    return encode_json(msgspec.structs.replace(event, payload=as_stored))


def whole_events(run_id: str, seqs: Iterable[int]) -> list[Event]:
    """These events, payloads whole."""
    store = run_store()
    found: Sequence[Event] = store.read_seqs(run_id, seqs)
    return [msgspec.structs.replace(event, payload=store.resolve(event)) for event in found]


def bars_bytes(run_id: str, level: int, start: float, end: float) -> bytes:
    """The timeline's columns between two times (microseconds since the run's first event).

    Raises:
        Invalid: a level that there is not, times that are no numbers, or an end before its start.
    """
    if not (math.isfinite(start) and math.isfinite(end)):
        raise Invalid(
            _("The times %(start)s to %(end)s are no numbers; use microseconds.")
            % {"start": start, "end": end}
        )
    start, end = max(0.0, min(start, MOST_TIME)), max(0.0, min(end, MOST_TIME))
    if not 0 <= level <= LEVELS:
        raise Invalid(
            _("There is no level %(level)d. Levels go from 0 (each event) to %(last)d.")
            % {"level": level, "last": LEVELS}
        )
    if end and end < start:
        raise Invalid(
            _("The end %(end)d lies before the start %(start)d.") % {"end": end, "start": start}
        )
    record = run_record(run_id)
    store = run_store()
    first = store.read(run_id, after=-1, limit=1)
    return encode_bars(
        store.bars(run_id, level, start=int(start), end=math.ceil(end)),
        run_start_at=first[0].at if first else record.created_at,
        last_seq=record.last_seq,
    )


def search_events(text: str, limit: int) -> Found:
    """Events that contain the text; `indexed` is false while the index is behind."""
    store = run_store()
    if not text:
        return Found([], True)
    behind = store.index_text(budget_s=0.2)
    hits = [hit._asdict() for hit in store.search(text, limit=limit)]
    return Found(hits, not behind)
