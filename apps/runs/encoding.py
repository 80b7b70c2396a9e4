"""Runs and events as the browser gets them: each encoded once, never rebuilt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from aworld.environments.record import without_answers
from aworld.events.union import Event, encode_json
from aworld.storage.base import ENDED, RunRecord

_FIELDS = tuple(name for name in RunRecord.__struct_fields__ if name not in {"team", "environment"})


def run_fields(record: RunRecord) -> dict[str, Any]:
    """A run's row without the copies of its team and of its environment's task."""
    return {name: getattr(record, name) for name in _FIELDS}


def run_in_full(record: RunRecord, forks: Sequence[str], labels: Any) -> dict[str, Any]:
    """A run's row with its team, the runs forked from it, and what was said of it afterwards.

    The answers of its environment's task are shown once the run has ended."""
    shown = record.environment if record.status in ENDED else without_answers(record.environment)
    whole = {**msgspec.structs.asdict(record), "environment": shown}
    return {**whole, "forks": list(forks), "labels": labels}


def events_body(events: Iterable[Event], last_seq: int) -> bytes:
    """`{"events": [...], "last_seq": n}` with each event as `encode_json` writes it."""
    joined = b",".join(map(encode_json, events))
    return b'{"events":[%b],"last_seq":%d}' % (joined, last_seq)
