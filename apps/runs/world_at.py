"""What a run's world looked like after a step: the newest picture, what was read of it, the files
that were changed, and the verdict."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Router, Schema

from apps.runs.selectors import run_record
from apps.runs.stores import run_store
from apps.shell.refusals import Missing
from apps.shell.responses import PICTURES, json_response
from aworld.events.action import (
    EnvironmentObserved,
    EnvironmentReset,
    EnvironmentVerified,
    ToolCalled,
    ToolReturned,
)
from aworld.events.union import AnyPayload, Event
from aworld.storage.base import RunRecord, Store

KINDS = (
    "environment.reset",
    "environment.observed",
    "environment.verified",
    "tool.called",
    "tool.returned",
)
MOST_EVENTS = 20_000
MOST_TEXT = 20_000
"""Characters of what was read that are shown."""
MOST_FILES = 200
MOST_RUNS = 16
"""Whose marks are remembered: those that people look at."""
WRITING = {"files": ("write", "append", "patch", "move", "delete"), "documents": ("write",)}
"""Actions of tools that change the file `path`."""

router = Router(tags=["runs"])


class FileAt(msgspec.Struct, frozen=True):
    """A file that a step changed or gave back."""

    path: str
    seq: int
    what: str
    """`written`, `moved`, `deleted`, or `returned` where its bytes are in the log."""
    number: int | None = None
    """Among the event's files, where its bytes are in the log."""
    media_type: str = ""
    size: int | None = None


class _Mark(msgspec.Struct, frozen=True):
    """What one step says of the world."""

    seq: int
    environment: str = ""
    task: str = ""
    acted: bool = False
    text: str | None = None
    done: bool = False
    picture: FileAt | None = None
    files: tuple[FileAt, ...] = ()
    verdict: dict[str, Any] | None = None


class PictureOut(Schema):
    """The newest picture; fetched at `/api/runs/{id}/files/{seq}/{number}`."""

    path: str
    seq: int
    number: int
    media_type: str
    size: int | None


class FileAtOut(Schema):
    """A file and the last step that changed it."""

    path: str
    seq: int
    what: str
    number: int | None
    media_type: str
    size: int | None


class WorldOut(Schema):
    """The world after `seq`; `seen_seq` is the step in which `text` was read of it."""

    seq: int
    environment: str
    task: str
    steps: int
    seen_seq: int | None
    text: str
    done: bool
    picture: PictureOut | None
    files: list[FileAtOut]
    verdict: dict[str, Any] | None


class _Remembered:
    """The marks of runs by how far each had come."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[int, list[_Mark]]] = OrderedDict()

    def of(self, store: Store, record: RunRecord) -> list[_Mark]:
        with self._lock:
            known = self._known.get(record.run_id)
        if known is not None and known[0] == record.last_seq:
            return known[1]
        marks = list(_marks(store, record.run_id))
        with self._lock:
            self._known[record.run_id] = (record.last_seq, marks)
            self._known.move_to_end(record.run_id)
            while len(self._known) > MOST_RUNS:
                self._known.popitem(last=False)
        return marks


_remembered = _Remembered()


def world_at(run_id: str, seq: int) -> dict[str, Any]:
    """The world after step `seq`; -1 is the last.

    Raises:
        Missing: no such run or step.
    """
    store, record = run_store(), run_record(run_id)
    if not -1 <= seq <= record.last_seq:
        raise Missing(_("Run %(run)r has no event %(seq)d.") % {"run": run_id, "seq": seq})
    last = record.last_seq if seq == -1 else seq
    marks = [mark for mark in _remembered.of(store, record) if mark.seq <= last]
    files: dict[str, FileAt] = {file.path: file for mark in marks for file in mark.files}
    newest = sorted(files.values(), key=lambda file: -file.seq)
    seen = next((mark for mark in reversed(marks) if mark.text is not None), None)
    begun = next((mark for mark in reversed(marks) if mark.environment), None)
    return {
        "seq": last,
        "environment": begun.environment if begun is not None else "",
        "task": begun.task if begun is not None else "",
        "steps": sum(mark.acted for mark in marks),
        "seen_seq": seen.seq if seen is not None else None,
        "text": (seen.text or "")[:MOST_TEXT] if seen is not None else "",
        "done": seen.done if seen is not None else False,
        "picture": next((mark.picture for mark in reversed(marks) if mark.picture), None),
        "files": newest[:MOST_FILES],
        "verdict": next((mark.verdict for mark in reversed(marks) if mark.verdict), None),
    }


@router.get("/runs/{run_id}/world", response=WorldOut, summary="The run's world after a step")
def run_world(request: HttpRequest, run_id: str, seq: int = -1) -> HttpResponse:
    """The newest picture, what was read, the files that were changed, the verdict."""
    return json_response(world_at(run_id, seq))


def _marks(store: Store, run_id: str) -> Iterator[_Mark]:
    called: dict[int, ToolCalled] = {}
    for event in store.query(run_id, kinds=KINDS, limit=MOST_EVENTS):
        payload = store.resolve(event)
        if isinstance(payload, ToolCalled):
            called[event.seq] = payload
        elif isinstance(payload, ToolReturned):
            begun = called.pop(event.span, None) if event.span is not None else None
            yield _of_tool(event.seq, payload, begun)
        else:
            yield _of_environment(event, payload)


def _of_tool(seq: int, payload: ToolReturned, called: ToolCalled | None) -> _Mark:
    acted = bool(payload.observation_hash)
    returned = _named(seq, payload.attachments)
    files = (*_written(seq, payload, called), *(one for one in returned if not _is_picture(one)))
    return _Mark(
        seq=seq,
        acted=acted,
        text=payload.text if acted else None,
        picture=next((one for one in returned if _is_picture(one)), None),
        files=files,
    )


def _of_environment(event: Event, payload: AnyPayload) -> _Mark:
    if isinstance(payload, EnvironmentReset):
        return _Mark(event.seq, environment=payload.environment, task=payload.task)
    if isinstance(payload, EnvironmentVerified):
        verdict = {
            "score": payload.score,
            "why": payload.why,
            "details": payload.details,
            "near_miss": payload.near_miss,
        }
        return _Mark(event.seq, verdict=verdict)
    seen = payload.observation if isinstance(payload, EnvironmentObserved) else None
    if not isinstance(seen, dict):
        return _Mark(event.seq)
    returned = _named(event.seq, seen.get("attachments", ()))
    return _Mark(
        seq=event.seq,
        text=str(seen.get("text", "")),
        done=bool(seen.get("done", False)),
        picture=next((one for one in returned if _is_picture(one)), None),
        files=tuple(one for one in returned if not _is_picture(one)),
    )


def _named(seq: int, attachments: Any) -> list[FileAt]:
    """The event's files; an imported run may hold anything there."""
    named = attachments if isinstance(attachments, list | tuple) else ()
    return [
        FileAt(
            path=str(one.get("name", "file")),
            seq=seq,
            what="returned",
            number=number,
            media_type=str(one.get("media_type", "")),
            size=one.get("size") if isinstance(one.get("size"), int) else None,
        )
        for number, one in enumerate(named)
        if isinstance(one, dict)
    ]


def _is_picture(file: FileAt) -> bool:
    return file.media_type.partition(";")[0].strip().lower() in PICTURES


def _written(seq: int, payload: ToolReturned, called: ToolCalled | None) -> Iterator[FileAt]:
    """The files of the workspace that a call changed, as far as it says."""
    data = payload.data if isinstance(payload.data, dict) else {}
    listed = data.get("files", ())
    for one in listed if isinstance(listed, list | tuple) else ():
        if isinstance(one, dict) and isinstance(one.get("path"), str):
            size = one.get("size")
            yield FileAt(one["path"], seq, "written", size=size if isinstance(size, int) else None)
    if called is None:
        return
    arguments = called.arguments
    action, path, to = (arguments.get(name) for name in ("action", "path", "to"))
    if action not in WRITING.get(called.tool, ()) or not isinstance(path, str):
        return
    if action == "move" and isinstance(to, str):
        yield FileAt(path, seq, "moved")
        yield FileAt(to, seq, "written")
    else:
        yield FileAt(path, seq, "deleted" if action == "delete" else "written")
