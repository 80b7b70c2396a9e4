"""The nodes of a recorded run, for replay, edits and the playhead: no model, no tool is needed."""

from __future__ import annotations

from typing import Any

from aworld.agents.build import build_team
from aworld.agents.team import read_team
from aworld.environments.record import task_of
from aworld.errors import ConfigurationError
from aworld.events.run import NodeJoined
from aworld.events.union import Event
from aworld.llm.base import Completion, ModelRequest, OnChunk, OnRetry
from aworld.runtime.node import AnyNode
from aworld.storage.base import RunRecord, Store
from aworld.tools import registry
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult

JOINED_AT_MOST = 10_000
"""Events at a run's beginning among which its nodes join."""


class RecordedModel:
    """Has a recorded model's name and cannot be asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def complete(
        self,
        request: ModelRequest,
        *,
        on_chunk: OnChunk | None = None,
        on_retry: OnRetry | None = None,
    ) -> Completion:
        """Refuse: a replay calls no model."""
        raise ConfigurationError(f"The recorded model {self.name!r} cannot be asked.")

    async def aclose(self) -> None:
        """Nothing is open."""


class RecordedTool(BaseTool):
    """A tool as it was offered in a run, where its code is not here any more; cannot be called."""

    def __init__(self, described: dict[str, Any]) -> None:
        self._described = described

    @property
    def name(self) -> str:  # type: ignore[override]
        """As recorded."""
        return str(self._described["name"])

    @property
    def description(self) -> str:  # type: ignore[override]
        """As recorded."""
        return str(self._described["description"])

    @property
    def effect(self) -> Effect:  # type: ignore[override]
        """As recorded."""
        effect: Effect = self._described.get("effect", "unsafe")
        return effect

    def get_schema(self) -> dict[str, Any]:
        """As recorded."""
        schema: dict[str, Any] = self._described["parameters"]
        return schema

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
        """Refuse: a replay calls no tool."""
        raise ConfigurationError(f"The recorded tool {self.name!r} cannot be called.")


def recorded_nodes(store: Store, record: RunRecord) -> list[AnyNode]:
    """Fresh nodes of a run's team.

    Models have the names they had then. A registered tool is taken as it is today, so that a
    replay shows where its schema has changed; one that is not there is taken as it was.

    Raises:
        ConfigurationError: the run's team cannot be read.
    """
    joined = store.query(record.run_id, kinds=("node.joined",), limit=JOINED_AT_MOST)
    by_name = {event.actor: _payload(store, event) for event in joined}
    team = read_team(record.team)
    models = {
        agent.model: by_name[agent.name].model for agent in team.agents if agent.name in by_name
    }
    offered = {tool["name"]: tool for payload in by_name.values() for tool in payload.tools}

    def find_tool(name: str) -> BaseTool:
        return registry.get(name) if name in registry.names() else RecordedTool(offered[name])

    def find_model(name: str) -> RecordedModel:
        return RecordedModel(models.get(name, name))

    return build_team(team, find_model, find_tool, task_of(record.environment)).nodes


def _payload(store: Store, event: Event) -> NodeJoined:
    payload = store.resolve(event)
    assert isinstance(payload, NodeJoined)
    return payload
