"""Teams on scripted models, driven for real, for tests of run time and agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from aworld.agents.build import Built, build_team
from aworld.agents.runner import parts_of
from aworld.agents.team import TeamDefinition, read_team
from aworld.bus.doorbell import Doorbell
from aworld.environments.base import Task
from aworld.environments.record import environment_of
from aworld.events.union import Event
from aworld.llm.base import Completion, Model, ToolCall
from aworld.llm.scripted import ScriptedModel
from aworld.runtime.heartbeat import Heartbeat
from aworld.runtime.launch import create_run, created_lease
from aworld.runtime.pump import drive
from aworld.runtime.recovery import read_log
from aworld.storage.base import RunRecord, Store
from aworld.storage.sqlite import SqliteStore
from aworld.tools import registry
from aworld.tools.base import BaseTool

SOLVER: dict[str, Any] = {
    "name": "solver",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "m", "tools": ["calculator"]}],
}
PAIR: dict[str, Any] = {
    "name": "pair",
    "agents": [
        {"name": "solver", "role": "solver", "model": "m", "tools": ["calculator"]},
        {"name": "verifier", "role": "verifier", "model": "m", "tools": ["logic_check"]},
    ],
}


def call(name: str, arguments: dict[str, Any], id: str = "call_0") -> Completion:
    """A completion that calls one tool."""
    return Completion("", (ToolCall(id, name, arguments),), "tool_calls")


def sqlite(folder: Path) -> SqliteStore:
    """A store in a folder."""
    return SqliteStore(folder / "runs.sqlite3", folder / "blobs")


def build(
    definition: dict[str, Any],
    model: Model,
    tools: Mapping[str, BaseTool] | None = None,
    task: Task | None = None,
) -> tuple[TeamDefinition, Built]:
    """A team on one model, perhaps with a task of an environment."""
    team = read_team(definition)
    own = tools or {}
    find_tool = lambda name: own[name] if name in own else registry.get(name)  # noqa: E731
    return team, build_team(team, lambda _: model, find_tool, task)


def nodes(definition: dict[str, Any]) -> list[Any]:
    """Fresh nodes of a team, as a replay wants them."""
    return build(definition, ScriptedModel([], name="scripted"))[1].nodes


async def run_team(
    store: Store,
    definition: dict[str, Any],
    replies: Sequence[Any],
    question: str = "What is 23 * 47?",
    *,
    tools: Mapping[str, BaseTool] | None = None,
    task: Task | None = None,
) -> tuple[RunRecord, list[Event]]:
    """Run a team on scripted replies to its end; its record and whole log."""
    team, built = build(definition, ScriptedModel(replies), tools, task)
    record = create_run(
        store,
        team=msgspec.to_builtins(team),
        input=question,
        source="script",
        environment=environment_of(task) if task is not None else None,
        worker="test",
        lease_ttl_s=30,
    )
    doorbell = Doorbell("")
    parts = parts_of(built, store, record, doorbell)
    heartbeat = Heartbeat(store)
    heartbeat.start()
    try:
        await drive(store, created_lease(record), parts, doorbell, heartbeat)
    finally:
        heartbeat.stop()
    return store.get_run(record.run_id), read_log(store, record.run_id)


def kinds(events: Sequence[Event]) -> list[str]:
    """The kinds of a log, in order."""
    return [event.kind for event in events]
