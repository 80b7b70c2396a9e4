"""An environment's actions as the tools that agents are offered while its episode lasts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from aworld.environments.base import Action, ActionSpec, Observation, Task
from aworld.environments.episode import Episode, Step
from aworld.environments.registry import kind
from aworld.errors import ConfigurationError, ToolError
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult

NO_LIMIT_S = 86_400.0
"""The episode has its own time-out for each stage, and an action may wait for others before."""


class ActionTool(BaseTool):
    """One action, as a tool."""

    timeout_s: ClassVar[float] = NO_LIMIT_S

    def __init__(self, spec: ActionSpec) -> None:
        self._spec = spec

    @property
    def name(self) -> str:  # type: ignore[override]
        """The action's."""
        return self._spec.name

    @property
    def description(self) -> str:  # type: ignore[override]
        """The action's."""
        return self._spec.description

    @property
    def effect(self) -> Effect:  # type: ignore[override]
        """The action's."""
        return self._spec.effect

    def get_schema(self) -> dict[str, Any]:
        """The action's."""
        return self._spec.parameters

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
        """Refuse: an action needs an episode."""
        raise ToolError(f"{self.name!r} is an action of an environment; this run has none.")


class EpisodeTool(ActionTool):
    """One call of an action in an episode; keeps what was seen."""

    def __init__(self, spec: ActionSpec, episode: Episode) -> None:
        super().__init__(spec)
        self._episode = episode
        self.step: Step | None = None
        """What came of it; None before, and where it failed."""

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
        """Carry it out; raises as `Episode.step` does."""
        self.step = await self._episode.carry_out(Action(self.name, arguments))
        return as_result(self.step.observation)


def as_result(observation: Observation) -> ToolResult:
    """What a tool gives back of an observation."""
    return ToolResult(observation.text, observation.data, observation.attachments)


def specs_of(task: Task) -> dict[str, ActionSpec]:
    """The actions of a task, by name.

    Raises:
        ConfigurationError: there is no such environment, or two actions share a name.
    """
    specs: Sequence[ActionSpec] = kind(task.environment).action_specs(task)
    found = {spec.name: spec for spec in specs}
    if len(found) < len(specs):
        raise ConfigurationError(
            f"The environment {task.environment!r} has two actions of one name: "
            f"{', '.join(sorted(spec.name for spec in specs))}. Its author must rename one."
        )
    return found
