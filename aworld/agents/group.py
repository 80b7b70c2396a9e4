"""`MultiAgentGroup`: several agents working on one task."""

from __future__ import annotations

from collections.abc import Sequence

from aworld.agents.agent import Agent
from aworld.agents.result import RunResult
from aworld.agents.team import TeamDefinition, Topology
from aworld.environments.base import Task
from aworld.errors import ConfigurationError
from aworld.events.run import Limits
from aworld.storage.base import Store


class MultiAgentGroup:
    """A team.

    group = MultiAgentGroup(agents=[solver, verifier])
    result = group.run("Prove that …")
    """

    def __init__(
        self,
        agents: Sequence[Agent],
        *,
        name: str = "group",
        topology: Topology = "pipeline",
        max_rounds: int = 2,
        limits: Limits | None = None,
    ) -> None:
        """Agents work in the order given; a verifier may send an answer back `max_rounds` times.

        Raises:
            ConfigurationError: no agent, or two of the same name.
        """
        if not agents:
            raise ConfigurationError("A group needs at least one agent.")
        names = [agent.name for agent in agents]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ConfigurationError(
                f"There are two agents named {sorted(twice)[0]!r} in the group."
            )
        self.agents = list(agents)
        self._team = TeamDefinition(
            name=name,
            topology=topology,
            max_rounds=max_rounds,
            agents=tuple(agent.definition() for agent in agents),
            limits=limits or Limits(),
        )

    def definition(self) -> TeamDefinition:
        """The team as data."""
        return self._team

    def run(
        self,
        task: str = "",
        *,
        environment: str | Task | None = None,
        store: Store | None = None,
    ) -> RunResult:
        """Work on a task and wait for the answer; `environment` as in `Agent.run`.

        Raises:
            ConfigurationError: the team cannot run as it is set up.
            RunFailedError: the run ended without an answer.
        """
        from aworld.agents.runner import run_blocking

        return run_blocking(lambda: self.arun(task, environment=environment, store=store))

    async def arun(
        self,
        task: str = "",
        *,
        environment: str | Task | None = None,
        store: Store | None = None,
    ) -> RunResult:
        """As `run`, in async code."""
        from aworld.agents.runner import run_agents

        return await run_agents(self._team, self.agents, task, store=store, environment=environment)
