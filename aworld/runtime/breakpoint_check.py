"""What is wrong with a breakpoint, and which parts of its step a team does not have any more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.run import NodeJoined
from aworld.events.union import KINDS
from aworld.runtime.armed_breakpoint import Armed, Breakpoint
from aworld.runtime.breakpoints import can_stop
from aworld.runtime.condition_fields import near
from aworld.runtime.conditions import parse_condition
from aworld.runtime.machine import EFFECT_RESULTS, SUPERVISOR
from aworld.runtime.node import AnyNode
from aworld.runtime.run_facts import kind_fits


class TeamSteps(NamedTuple):
    """The names that a team's steps consist of."""

    agents: frozenset[str]
    tools: frozenset[str] | None
    """None where the definition alone does not say: an agent takes the tools of its role."""


class BreakpointProblem(NamedTuple):
    """Something that keeps a breakpoint from ever firing."""

    where: str
    """The field, such as `kinds[0]` or `condition`."""
    message: str
    unbound: bool = False
    """The team has no such agent or tool; with another version it may."""


def steps_of_nodes(nodes: Iterable[AnyNode]) -> TeamSteps:
    """The steps of a team that was built."""
    agents: set[str] = set()
    tools: set[str] = set()
    for node in nodes:
        agents.add(node.name)
        joined = node.joined()
        if isinstance(joined, NodeJoined):
            tools.update(str(tool["name"]) for tool in joined.tools)
    return TeamSteps(frozenset(agents), frozenset(tools))


def steps_of_definition(
    team: Mapping[str, Any],
    role_tools: Mapping[str, Collection[str]] | None = None,
    others: Collection[str] = (),
) -> TeamSteps:
    """The steps of a team's definition. `role_tools` has the tools that a role brings; `others`
    are nodes beside the agents, such as the coordinator."""
    agents = {str(agent.get("name", "")) for agent in team.get("agents") or ()}
    tools: set[str] | None = set()
    for agent in team.get("agents") or ():
        role = str(agent.get("role") or "")
        own = agent.get("tools")
        if own is None:
            own = (role_tools or {}).get(role) if role else ()
        tools = None if own is None or tools is None else tools | set(own)
    return TeamSteps(
        frozenset(agents) | frozenset(others), None if tools is None else frozenset(tools)
    )


def check_breakpoint(breakpoint: Breakpoint, team: TeamSteps) -> list[BreakpointProblem]:
    """Everything that keeps it from firing in runs of this team; empty where nothing does."""
    problems = list(_kind_problems(breakpoint))
    if breakpoint.stop_on == "error" and breakpoint.when == "before":
        message = "An error is known only once it is there. Use `after`."
        problems.append(BreakpointProblem("when", message))
    try:
        Armed(breakpoint)
    except ConfigurationError as error:
        problems.append(BreakpointProblem(_faulty_field(breakpoint), str(error)))
    for name in _names(breakpoint):
        if not _has(team, name):
            message = f"The team has no {name.what} {name.name!r}.{_guess(team, name)}"
            problems.append(BreakpointProblem(name.where, message, unbound=True))
    return problems


def unbound(breakpoint: Breakpoint, team: TeamSteps) -> list[str]:
    """The agents and tools that it names and this version of the team does not have."""
    missing = [name.name for name in _names(breakpoint) if not _has(team, name)]
    return list(dict.fromkeys(missing))


def _kind_problems(breakpoint: Breakpoint) -> Iterator[BreakpointProblem]:
    for i, glob in enumerate(breakpoint.kinds):
        fitting = [kind for kind in KINDS if kind_fits(glob, kind)]
        if not fitting:
            message = f"There is no kind {glob!r}.{near(glob, list(KINDS))}"
            yield BreakpointProblem(f"kinds[{i}]", message)
        elif not any(_can_fire(breakpoint.when, kind) for kind in fitting):
            yield BreakpointProblem(f"kinds[{i}]", _NEVER[breakpoint.when].format(glob))


def _can_fire(when: str, kind: str) -> bool:
    if when == "after" or not can_stop(when, kind):
        return can_stop(when, kind)
    # A node refuses a malformed call itself; every other outcome comes from outside.
    decided = kind == "tool.failed" or kind not in EFFECT_RESULTS
    return decided and kind.partition(".")[0] not in {"node", "error"}


_NEVER: Final = {
    "before": "No run can stop before {!r}: nobody decides on it, it comes. Use `after`.",
    "after": "No run stops after {!r}: it happens to the run as a whole. Name a node's step.",
}


class _Name(NamedTuple):
    where: str
    what: Literal["agent", "tool"]
    name: str


def _names(breakpoint: Breakpoint) -> Iterator[_Name]:
    for i, agent in enumerate(breakpoint.agents):
        yield _Name(f"agents[{i}]", "agent", agent)
    for i, tool in enumerate(breakpoint.tools):
        yield _Name(f"tools[{i}]", "tool", tool)
    try:
        condition = parse_condition(breakpoint.condition)
    except ConfigurationError:
        return
    for agent in condition.names("agent", "actor"):
        yield _Name("condition", "agent", agent)
    for tool in condition.names("tool"):
        yield _Name("condition", "tool", tool)


def _has(team: TeamSteps, name: _Name) -> bool:
    if name.what == "tool":
        return team.tools is None or name.name in team.tools
    return name.name in team.agents or name.name == SUPERVISOR or name.name.startswith("person:")


def _guess(team: TeamSteps, name: _Name) -> str:
    return near(name.name, sorted(team.agents if name.what == "agent" else team.tools or ()))


def _faulty_field(breakpoint: Breakpoint) -> str:
    """The first field without which it could be armed."""
    for field, without in (("condition", ""), ("log", ""), ("from_hit", 1), ("every", 1)):
        try:
            Armed(msgspec.structs.replace(breakpoint, **{field: without}))
        except ConfigurationError:
            continue
        return field
    return ""
