"""Recorded runs as tools that only read, for MCP clients: list, read, search."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, cast, get_args

import msgspec

from aworld.errors import NotFound, ToolError
from aworld.events.union import Event, encode_json
from aworld.storage.base import RunFilter, RunRecord, RunStatus, Store
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult

INSTRUCTIONS = (
    "Runs of teams of LLM agents, recorded as events. list_runs finds a run, read_run gives what "
    "it was asked and how it ended, read_events its events in order, read_event one of them whole, "
    "search_events events of all runs by text. Nothing can be changed."
)
MOST_RUNS = 100
MOST_EVENTS = 500
MOST_CHARACTERS = 40_000
"""Of the events in one answer; it ends before the one that would go beyond."""
MOST_OF_ONE = 4_000
"""Characters of an event among others; `read_event` gives it whole."""

OpenStore = Callable[[], Store]
RunAddress = Callable[[str], str]

_INSIDE = frozenset(
    {"team", "epoch", "lease_until", "position", "priority", "project_id", "indexed_seq"}
)
"""Fields of a run's row that are the machinery's, and the team, which `read_run` gives."""
_RUN = {"type": "string", "description": "The run's id, from list_runs."}


class _RunTool(BaseTool, register=False):
    effect: ClassVar[Effect] = "read_only"
    properties: ClassVar[dict[str, Any]]
    required: ClassVar[tuple[str, ...]] = ()

    def __init__(self, store: OpenStore, address: RunAddress) -> None:
        """`address` gives the page of a run, or "" where there is none."""
        self._store = store
        self._address = address

    def get_schema(self) -> dict[str, Any]:
        """From the class's properties."""
        schema: dict[str, Any] = {"type": "object", "properties": self.properties}
        if self.required:
            schema["required"] = list(self.required)
        return schema | {"additionalProperties": False}

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """Read it, in a thread.

        Raises:
            ToolError: there is no such run or event.
        """
        try:
            data = await asyncio.to_thread(self.read, self._store(), **arguments)
        except NotFound as error:
            raise ToolError(f"{error} list_runs shows those there are.") from error
        return ToolResult(msgspec.json.encode(data).decode(), data=data)

    def read(self, store: Store, **arguments: Any) -> dict[str, Any]:
        """What the tool answers."""
        raise NotImplementedError

    def _fields(self, record: RunRecord) -> dict[str, Any]:
        plain = msgspec.structs.asdict(record)
        fields = {name: value for name, value in plain.items() if name not in _INSIDE}
        fields["url"] = self._address(record.run_id)
        shown = {name: value for name, value in fields.items() if value != ""}
        return cast(dict[str, Any], msgspec.to_builtins(shown))


class ListRuns(_RunTool, register=False):
    """List runs, newest first or failures first, with how they ended."""

    properties: ClassVar[dict[str, Any]] = {
        "status": {"type": "string", "enum": list(get_args(RunStatus))},
        "team": {"type": "string", "description": "Name of the team."},
        "tool": {"type": "string", "description": "Only runs that called this tool."},
        "text": {"type": "string", "description": "Text in the input, the answer or an event."},
        "with_errors": {"type": "boolean"},
        "order": {"type": "string", "enum": ["newest", "failures_first", "oldest"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST_RUNS},
        "offset": {"type": "integer", "minimum": 0, "maximum": 2**53},
    }

    def read(self, store: Store, **wanted: Any) -> dict[str, Any]:
        """`{runs, total}`; times in UTC microseconds."""
        where = RunFilter(
            statuses=(wanted["status"],) if wanted.get("status") else (),
            teams=(wanted["team"],) if wanted.get("team") else (),
            tool=wanted.get("tool", ""),
            text=wanted.get("text", "").strip(),
            with_errors=wanted.get("with_errors", False),
        )
        page = store.list_runs(
            where,
            order=wanted.get("order", "newest"),
            limit=int(wanted.get("limit", 20)),
            offset=int(wanted.get("offset", 0)),
        )
        return {"runs": [self._fields(record) for record in page.runs], "total": page.total}


class ReadRun(_RunTool, register=False):
    """Read one run: its question, its answer or error, its cost, and the team that worked."""

    properties: ClassVar[dict[str, Any]] = {"run_id": _RUN}
    required: ClassVar[tuple[str, ...]] = ("run_id",)

    def read(self, store: Store, **wanted: Any) -> dict[str, Any]:
        """The run's fields with `team` and `labels`."""
        record = store.get_run(wanted["run_id"])
        labels = [
            {"seq": label.seq, "name": label.name, "value": label.value, "by": label.by}
            for label in store.labels(record.run_id)
        ]
        return {**self._fields(record), "team": record.team, "labels": labels}


class ReadEvents(_RunTool, register=False):
    """Read a run's events in order, some at a time; long ones are shortened."""

    properties: ClassVar[dict[str, Any]] = {
        "run_id": _RUN,
        "after": {
            "type": "integer",
            "minimum": -1,
            "maximum": 2**53,
            "description": "Events with a larger seq; next_after of the answer before. "
            "-1, the default, begins at the first.",
        },
        "kinds": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Only these, such as tool.called, llm.responded, run.finished.",
        },
        "actors": {"type": "array", "items": {"type": "string"}},
        "min_severity": {
            "type": "integer",
            "minimum": 0,
            "maximum": 2,
            "description": "1: warnings and errors, 2: errors only.",
        },
        "limit": {"type": "integer", "minimum": 1, "maximum": MOST_EVENTS},
    }
    required: ClassVar[tuple[str, ...]] = ("run_id",)

    def read(self, store: Store, **wanted: Any) -> dict[str, Any]:
        """`{events, last_seq, next_after}`; `next_after` is null after the last."""
        record = store.get_run(wanted["run_id"])
        limit = int(wanted.get("limit", 100))
        found = store.query(
            record.run_id,
            kinds=tuple(wanted.get("kinds") or ()),
            actors=tuple(wanted.get("actors") or ()),
            min_severity=int(wanted.get("min_severity", 0)),
            after=int(wanted.get("after", -1)),
            limit=limit + 1,
        )
        events: list[Any] = []
        characters = 0
        for event in found[:limit]:
            plain, size = _shortened(event)
            characters += size
            if events and characters > MOST_CHARACTERS:
                break
            events.append(plain)
        more = len(events) < len(found)
        return {
            "events": events,
            "last_seq": record.last_seq,
            "next_after": events[-1]["seq"] if more and events else None,
        }


class ReadEvent(_RunTool, register=False):
    """Read one event of a run whole."""

    properties: ClassVar[dict[str, Any]] = {
        "run_id": _RUN,
        "seq": {"type": "integer", "minimum": 0, "maximum": 2**53},
    }
    required: ClassVar[tuple[str, ...]] = ("run_id", "seq")

    def read(self, store: Store, **wanted: Any) -> dict[str, Any]:
        """`{event}`, its payload out of the blob store where it lies there."""
        record = store.get_run(wanted["run_id"])
        found = store.read_seqs(record.run_id, [int(wanted["seq"])])
        if not found:
            raise ToolError(
                f"Run {record.run_id!r} has no event {wanted['seq']}. Its last is "
                f"{record.last_seq}."
            )
        whole = msgspec.structs.replace(found[0], payload=store.resolve(found[0]))
        return {"event": msgspec.json.decode(encode_json(whole))}


class SearchEvents(_RunTool, register=False):
    """Search the events of all runs, or of one, for a text."""

    properties: ClassVar[dict[str, Any]] = {
        "text": {"type": "string", "minLength": 1, "maxLength": 1000},
        "run_id": {"type": "string", "description": "Only in this run."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 200},
    }
    required: ClassVar[tuple[str, ...]] = ("text",)

    def read(self, store: Store, **wanted: Any) -> dict[str, Any]:
        """`{hits: [{run_id, seq, kind, actor, snippet}], indexed}`: whether all was looked at."""
        behind = store.index_text(budget_s=1.0)
        hits = store.search(
            wanted["text"], run_id=wanted.get("run_id", ""), limit=int(wanted.get("limit", 50))
        )
        return {"hits": [hit._asdict() for hit in hits], "indexed": not behind}


def run_tools(store: OpenStore, address: RunAddress) -> dict[str, BaseTool]:
    """All of them, by name."""
    classes = (ListRuns, ReadRun, ReadEvents, ReadEvent, SearchEvents)
    made = [one(store, address) for one in classes]
    return {tool.name: tool for tool in made}


def _shortened(event: Event) -> tuple[dict[str, Any], int]:
    """An event as JSON, and its length; the payload of a long one is cut to a text."""
    encoded = encode_json(event)
    plain: dict[str, Any] = msgspec.json.decode(encoded)
    if len(encoded) <= MOST_OF_ONE:
        return plain, len(encoded)
    payload = msgspec.json.encode(plain["payload"]).decode()
    plain["payload"] = {
        "kind": plain.get("kind", ""),
        "cut": payload[:MOST_OF_ONE],
        "characters": len(payload),
    }
    return plain, MOST_OF_ONE
