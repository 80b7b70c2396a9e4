"""What the runs in the store say of tools: calls, errors and time, and the calls themselves."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any

import msgspec

from apps.runs.stores import run_store
from aworld.events.action import ToolCalled, ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.union import AnyPayload, Event
from aworld.storage.base import RunFilter, RunRecord, Store

MOST_RUNS = 200
"""Newest runs that are looked at; the answer says of how many."""
MOST_EVENTS = 20_000
"""Tool events that are read of one run."""
MOST_CALLS = 200
MOST_TEXT = 300
"""Characters of a call's arguments and result that a list shows."""
MOST_REMEMBERED = 2_000
KINDS = ("tool.called", "tool.returned", "tool.failed", "tool.outcome_unknown")

Payload = ToolCalled | ToolReturned | ToolFailed | ToolOutcomeUnknown


class Usage(msgspec.Struct):
    """What one tool did in some runs."""

    runs: int = 0
    calls: int = 0
    errors: int = 0
    total_us: int = 0
    """From call to result, all of them together."""
    longest_us: int = 0
    last_at: int = 0
    """UTC microseconds of the newest call."""

    def add(self, other: Usage) -> None:
        self.runs += other.runs
        self.calls += other.calls
        self.errors += other.errors
        self.total_us += other.total_us
        self.longest_us = max(self.longest_us, other.longest_us)
        self.last_at = max(self.last_at, other.last_at)


class Call(msgspec.Struct, frozen=True):
    """One call of a tool."""

    run_id: str
    team: str
    seq: int
    """Of `tool.called`, or of the failure where nothing was called."""
    end_seq: int | None
    """Of what closed it; None while it goes on."""
    actor: str
    at: int
    us: int
    """From call to result; 0 while it goes on."""
    arguments: str
    """As JSON, its beginning."""
    text: str
    """The result or the error, its beginning."""
    ok: bool
    reason: str
    """As on `tool.failed`; `open` while it goes on, `outcome_unknown` where nobody knows."""
    source: str
    """As on `tool.returned`: "" where the tool itself answered."""


class _Remembered:
    """Each run's figures by what the run had when they were taken."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[int, dict[str, Usage]]] = OrderedDict()

    def of(self, store: Store, record: RunRecord) -> dict[str, Usage]:
        with self._lock:
            known = self._known.get(record.run_id)
        if known is not None and known[0] == record.last_seq:
            return known[1]
        found = _usage_of(_calls_of(store, record))
        with self._lock:
            self._known[record.run_id] = (record.last_seq, found)
            self._known.move_to_end(record.run_id)
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
        return found


_remembered = _Remembered()


def tool_usage() -> dict[str, Any]:
    """`{tools: {name: Usage}, runs_looked_at, runs_total}` over the newest runs."""
    store = run_store()
    page = store.list_runs(RunFilter(), order="newest", limit=MOST_RUNS)
    tools: dict[str, Usage] = {}
    for record in page.runs:
        if record.last_seq < 0:
            continue
        for name, usage in _remembered.of(store, record).items():
            tools.setdefault(name, Usage()).add(usage)
    return {"tools": tools, "runs_looked_at": len(page.runs), "runs_total": page.total}


def tool_calls(name: str, *, errors: bool = False, limit: int = 50) -> dict[str, Any]:
    """`{calls, usage, runs_looked_at, runs_total}`: failures first, newest first within.

    `runs_total` counts the runs that called the tool at all; `errors` leaves the others out.
    """
    store = run_store()
    page = store.list_runs(RunFilter(tool=name), order="newest", limit=MOST_RUNS)
    usage = Usage()
    calls: list[Call] = []
    for record in page.runs:
        own = [call for tool, call in _calls_of(store, record) if tool == name]
        usage.add(_usage_of((name, call) for call in own).get(name, Usage()))
        calls.extend(own)
    failed = sorted((call for call in calls if _is_bad(call)), key=lambda one: -one.at)
    rest = sorted((call for call in calls if not _is_bad(call)), key=lambda one: -one.at)
    shown = failed if errors else failed + rest
    return {
        "calls": shown[: max(1, min(limit, MOST_CALLS))],
        "usage": usage,
        "runs_looked_at": len(page.runs),
        "runs_total": page.total,
    }


def _is_bad(call: Call) -> bool:
    return not call.ok and call.reason != "open"


def _usage_of(calls: Iterable[tuple[str, Call]]) -> dict[str, Usage]:
    found: dict[str, Usage] = {}
    for name, call in calls:
        usage = found.setdefault(name, Usage(runs=1))
        usage.calls += 1
        usage.errors += _is_bad(call)
        usage.total_us += call.us
        usage.longest_us = max(usage.longest_us, call.us)
        usage.last_at = max(usage.last_at, call.at)
    return found


def _calls_of(store: Store, record: RunRecord) -> list[tuple[str, Call]]:
    """Every call of one run with its tool's name, in order."""
    opened: dict[int, tuple[Event, ToolCalled]] = {}
    calls: list[tuple[str, Call]] = []
    for event in store.query(record.run_id, kinds=KINDS, limit=MOST_EVENTS):
        payload = _tool_payload(store, event)
        if isinstance(payload, ToolCalled):
            opened[event.seq] = (event, payload)
        elif payload is not None:
            begun = opened.pop(event.span, None) if event.span is not None else None
            calls.append((payload.tool, _ended(record, event, payload, begun)))
    calls.extend(
        (payload.tool, _going_on(record, event, payload)) for event, payload in opened.values()
    )
    return calls


def _tool_payload(store: Store, event: Event) -> Payload | None:
    payload: AnyPayload = event.payload
    if not isinstance(payload, Payload):
        payload = store.resolve(event)
    return payload if isinstance(payload, Payload) else None


def _ended(
    record: RunRecord,
    event: Event,
    payload: ToolReturned | ToolFailed | ToolOutcomeUnknown,
    begun: tuple[Event, ToolCalled] | None,
) -> Call:
    ok = isinstance(payload, ToolReturned)
    if isinstance(payload, ToolReturned):
        text, reason, source = payload.text, "", payload.source
    elif isinstance(payload, ToolFailed):
        text, reason, source = payload.error, payload.reason, payload.source
    else:
        text, reason, source = "", "outcome_unknown", ""
    first = begun[0] if begun is not None else event
    return Call(
        run_id=record.run_id,
        team=record.team_name,
        seq=first.seq,
        end_seq=event.seq,
        actor=first.actor,
        at=first.at,
        us=max(0, event.at - first.at) if begun is not None else 0,
        arguments=_shortly(begun[1].arguments) if begun is not None else "",
        text=text[:MOST_TEXT],
        ok=ok,
        reason=reason,
        source=source,
    )


def _going_on(record: RunRecord, event: Event, payload: ToolCalled) -> Call:
    return Call(
        run_id=record.run_id,
        team=record.team_name,
        seq=event.seq,
        end_seq=None,
        actor=event.actor,
        at=event.at,
        us=0,
        arguments=_shortly(payload.arguments),
        text="",
        ok=False,
        reason="open",
        source="",
    )


def _shortly(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False)[:MOST_TEXT]
