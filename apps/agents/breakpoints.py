"""A team's breakpoints: kept beside its definition, bound to names of agents and tools."""

from __future__ import annotations

from typing import Any

import msgspec

from apps.agents.models import Team
from apps.agents.selectors import breakpoints_read, team_get
from apps.shell.refusals import Refusal
from aworld.errors import ConfigurationError


def team_breakpoints(team: Team) -> dict[str, Any]:
    """`{breakpoints, unbound: [{id, message}]}`; unbound are those that name an agent or a tool
    which this version of the team does not have."""
    from aworld.agents.team import read_team
    from aworld.runtime.breakpoint_check import check_breakpoint
    from aworld.runtime.breakpoints import read_breakpoints

    unbound: list[dict[str, str]] = []
    try:
        read_team(team.definition)
        found = read_breakpoints(team.breakpoints)
    except ConfigurationError:
        # The team cannot run as it stands; its own page says why.
        return {"breakpoints": team.breakpoints, "unbound": unbound}
    steps = _steps(team.definition)
    for breakpoint in found:
        for problem in check_breakpoint(breakpoint, steps):
            if problem.unbound:
                unbound.append({"id": breakpoint.id, "message": problem.message})
    return {"breakpoints": team.breakpoints, "unbound": unbound}


def team_breakpoints_save(team_id: str, plain: list[Any]) -> Team:
    """Put these in the place of a team's breakpoints. Its version stays.

    Raises:
        Missing: no such team.
        Refusal: 400, one of them cannot be used, or can never fire in any version of a team.
    """
    from aworld.runtime.breakpoint_check import check_breakpoint
    from aworld.runtime.breakpoints import Breakpoint

    team = team_get(team_id)
    kept = breakpoints_read(plain)
    steps = _steps(team.definition)
    problems = [
        {"id": one["id"], "where": f"breakpoints[{i}].{problem.where}", "message": problem.message}
        for i, one in enumerate(kept)
        for problem in check_breakpoint(msgspec.convert(one, Breakpoint), steps)
        if not problem.unbound
    ]
    if problems:
        raise Refusal(problems[0]["message"], problems=problems)
    Team.objects.filter(pk=team.pk).update(breakpoints=kept)
    return team_get(team_id)


def _steps(definition: Any) -> Any:
    """The names that the steps of a definition consist of; one that cannot be read has none."""
    from aworld.agents.pipeline import COORDINATOR
    from aworld.agents.roles.registry import all_roles
    from aworld.agents.team import read_team
    from aworld.runtime.breakpoint_check import steps_of_definition

    try:
        read_team(definition)
    except ConfigurationError:
        definition = {}
    role_tools = {role.name: role.tools for role in all_roles().values()}
    return steps_of_definition(definition, role_tools, (COORDINATOR,))
