"""A team's definition as data: read, checked and put in order before anything runs.

The same form comes from the browser, from YAML and from `MultiAgentGroup`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any, Literal, NamedTuple

import msgspec

from aworld.agents.pipeline import COORDINATOR
from aworld.agents.roles.registry import all_roles
from aworld.agents.team_fields import (
    BESIDE,
    LIMIT_FIELDS,
    PARAMETER_FIELDS,
    out_of_range,
    unknown_fields,
)
from aworld.errors import ConfigurationError
from aworld.events.run import Limits
from aworld.llm.base import Parameters
from aworld.runtime import approval, network
from aworld.runtime.approval import ApprovalPolicy
from aworld.runtime.machine import SUPERVISOR
from aworld.runtime.network import NetworkPolicy
from aworld.runtime.node import ENVIRONMENT

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}\Z")
RESERVED = frozenset({COORDINATOR, SUPERVISOR, ENVIRONMENT, "person"})

Topology = Literal["pipeline", "single"]


class AgentDefinition(msgspec.Struct, frozen=True, omit_defaults=True):
    """One agent of a team."""

    name: str
    role: str = ""
    model: str = "local"
    """The name of a model connection."""
    instructions: str = ""
    """The system prompt; "" takes the role's own."""
    tools: tuple[str, ...] | None = None
    """Names of tools; None takes the role's own."""
    after: tuple[str, ...] = ()
    """Agents that must have answered first; empty means the order of the list."""
    parameters: Parameters = Parameters()


class TeamDefinition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A team."""

    name: str
    description: str = ""
    topology: Topology = "pipeline"
    max_rounds: int = 2
    """How often a verifier may send an answer back."""
    agents: tuple[AgentDefinition, ...] = ()
    limits: Limits = Limits()
    approval: ApprovalPolicy = ApprovalPolicy()
    """Which calls wait for a person."""
    network: NetworkPolicy = NetworkPolicy()
    """Which hosts its tools may reach; none by default."""
    layout: dict[str, Any] = {}
    """Where the browser draws things; no run depends on it."""


class Problem(NamedTuple):
    """Something in a definition that cannot work."""

    where: str
    """Such as `agents[1].tools[0]`; "" for the whole."""
    message: str


def read_team(definition: dict[str, Any]) -> TeamDefinition:
    """The typed definition.

    Raises:
        ConfigurationError: a field is missing, unknown or of the wrong type.
    """
    try:
        return msgspec.convert(definition, TeamDefinition)
    except msgspec.ValidationError as error:
        name = definition.get("name", "") if isinstance(definition, dict) else ""
        raise ConfigurationError(f"Team {name!r} cannot be read: {error}.") from error


def check_team(
    definition: dict[str, Any], *, tools: Collection[str], models: Collection[str]
) -> list[Problem]:
    """Everything in a definition that would keep it from running, in order of the text."""
    try:
        team = read_team(definition)
    except ConfigurationError as error:
        return [Problem(_path_of(error), str(error))]
    return [*_field_problems(definition, team), *_problems(team, tools, models)]


def _field_problems(definition: dict[str, Any], team: TeamDefinition) -> Iterator[Problem]:
    """Fields that nothing reads, and numbers that cannot be meant; the types are right already."""
    known = (*TeamDefinition.__struct_fields__, *BESIDE)
    found = [*unknown_fields("", definition, known)]
    found += unknown_fields("limits.", definition.get("limits", {}), LIMIT_FIELDS)
    found += out_of_range("", "", team)
    found += out_of_range("limits.", "limits", team.limits)
    for name in ("approval", "network"):
        fields = getattr(team, name).__struct_fields__
        found += unknown_fields(f"{name}.", definition.get(name, {}), fields)
    for i, agent in enumerate(team.agents):
        where, given = f"agents[{i}].", definition["agents"][i]
        found += unknown_fields(where, given, AgentDefinition.__struct_fields__)
        where += "parameters."
        found += unknown_fields(where, given.get("parameters", {}), PARAMETER_FIELDS)
        found += out_of_range(where, "parameters", agent.parameters)
    return (Problem(*one) for one in found)


def _problems(
    team: TeamDefinition, tools: Collection[str], models: Collection[str]
) -> Iterator[Problem]:
    if not team.name.strip():
        yield Problem("name", "The team has no name. Give it one.")
    if not team.agents:
        yield Problem("agents", "The team has no agent. Add at least one.")
    if team.topology == "single" and len(team.agents) > 1:
        yield Problem("topology", "A single-agent team has more than one agent. Use `pipeline`.")
    seen: set[str] = set()
    for i, agent in enumerate(team.agents):
        yield from _agent_problems(f"agents[{i}]", agent, seen, tools, models)
        seen.add(agent.name)
    yield from _order_problems(team)
    for where, message in approval.problems_of(team.approval, tools):
        yield Problem(f"approval.{where}", message)
    for where, message in network.problems_of(team.network):
        yield Problem(f"network.{where}", message)


def _order_problems(team: TeamDefinition) -> Iterator[Problem]:
    known = {agent.name for agent in team.agents}
    for i, agent in enumerate(team.agents):
        for j, name in enumerate(agent.after):
            if name not in known:
                yield Problem(f"agents[{i}].after[{j}]", f"There is no agent {name!r} in the team.")
    cycle = _cycle(team)
    if cycle:
        yield Problem("agents", f"These agents wait for each other: {' → '.join(cycle)}.")
    elif team.agents and all(_judges(agent) for agent in team.agents):
        yield Problem("agents", "Every agent verifies and none answers. Add one that answers.")


def _agent_problems(
    where: str,
    agent: AgentDefinition,
    seen: set[str],
    tools: Collection[str],
    models: Collection[str],
) -> Iterator[Problem]:
    if not _NAME.match(agent.name):
        yield Problem(
            f"{where}.name",
            f"{agent.name!r} is no agent name: use small letters, digits, `-` and `_`.",
        )
    elif agent.name in RESERVED:
        yield Problem(f"{where}.name", f"The name {agent.name!r} is taken by the run itself.")
    elif agent.name in seen:
        yield Problem(f"{where}.name", f"There are two agents named {agent.name!r}.")
    if agent.role and agent.role not in all_roles():
        known = ", ".join(sorted(all_roles()))
        yield Problem(f"{where}.role", f"There is no role {agent.role!r}. Roles are: {known}.")
    if agent.model not in models:
        known = ", ".join(sorted(models)) or "none yet"
        yield Problem(f"{where}.model", f"There is no model {agent.model!r}. Models are: {known}.")
    for j, tool in enumerate(agent.tools or ()):
        if tool not in tools:
            known = ", ".join(sorted(tools))
            yield Problem(f"{where}.tools[{j}]", f"There is no tool {tool!r}. Tools are: {known}.")


def ordered_agents(team: TeamDefinition) -> list[AgentDefinition]:
    """The agents in the order they work: each after those it waits for, else as listed.

    Raises:
        ConfigurationError: agents wait for each other.
    """
    cycle = _cycle(team)
    if cycle:
        raise ConfigurationError(
            f"Team {team.name!r}: these agents wait for each other: {' → '.join(cycle)}."
        )
    placed: list[AgentDefinition] = []
    names: set[str] = set()
    left = list(team.agents)
    known = {agent.name for agent in left}
    while left:
        ready = next(a for a in left if all(n in names or n not in known for n in a.after))
        placed.append(ready)
        names.add(ready.name)
        left.remove(ready)
    return placed


def _cycle(team: TeamDefinition) -> list[str]:
    """One cycle of `after`, its first agent repeated at the end; empty where there is none."""
    after = {agent.name: agent.after for agent in team.agents}
    done: set[str] = set()
    for first in after:
        # A path and what is left to look at from each of its agents: no chain is too long.
        path, left = [first], [iter(after[first])]
        while path:
            name = next(left[-1], None)
            if name is None:
                done.add(path.pop())
                left.pop()
            elif name in path:
                return [*path[path.index(name) :], name]
            elif name in after and name not in done:
                path.append(name)
                left.append(iter(after[name]))
    return []


def _judges(agent: AgentDefinition) -> bool:
    role = all_roles().get(agent.role)
    return role is not None and role.judge is not None


def _path_of(error: ConfigurationError) -> str:
    """`agents[1].tools` from a validation error's `$.agents[1].tools`."""
    found = re.search(r"`\$\.?([^`]*)`", str(error))
    return found[1] if found else ""
