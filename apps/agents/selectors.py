"""Reading teams and model connections."""

from __future__ import annotations

import uuid
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.agents.model_selectors import model_names
from apps.agents.models import Team
from apps.shell.refusals import Missing, Refusal
from aworld.errors import ConfigurationError

MOST_BREAKPOINTS = 200
"""Of one team."""


def team_get(team_id: str) -> Team:
    """A team.

    Raises:
        Missing: there is none.
    """
    try:
        return Team.objects.get(pk=uuid.UUID(str(team_id)))
    except (Team.DoesNotExist, ValidationError, ValueError):
        raise Missing(
            _("There is no team %(id)r; it may have been deleted.") % {"id": str(team_id)}
        ) from None


def team_named(name: str) -> Team:
    """A team by its name.

    Raises:
        Missing: there is none.
    """
    try:
        return Team.objects.get(name=name)
    except Team.DoesNotExist:
        raise Missing(_("There is no team named %(name)r.") % {"name": name}) from None


def team_problems(definition: Any, *, models: list[str] | None = None) -> list[dict[str, str]]:
    """`[{where, message}]`: what keeps a team from running here; empty where nothing does.

    `models` are the connections' names; None looks them up.
    """
    from aworld.agents.team import check_team
    from aworld.tools import registry

    if not isinstance(definition, dict):
        return [{"where": "", "message": f"A team is an object, not {type(definition).__name__}."}]
    if models is None:
        models = model_names()
    found = check_team(definition, tools=registry.names(), models=models)
    return [{"where": problem.where, "message": problem.message} for problem in found]


def team_fields(team: Team, models: list[str] | None = None) -> dict[str, Any]:
    """`{id, name, description, definition, version, updated_at, problems}`."""
    return {
        "id": str(team.id),
        "name": team.name,
        "description": str(team.definition.get("description", "")),
        "definition": team.definition,
        "version": team.version,
        "updated_at": team.updated_at,
        "problems": team_problems(team.definition, models=models),
    }


def team_list() -> list[dict[str, Any]]:
    """All teams by name."""
    models = model_names()
    return [team_fields(team, models) for team in Team.objects.all()]


def breakpoints_read(plain: Any) -> list[dict[str, Any]]:
    """Breakpoints in order, defaults left out.

    Raises:
        Refusal: 400, one of them cannot be used.
    """
    from aworld.runtime.breakpoints import read_breakpoints

    if isinstance(plain, list) and len(plain) > MOST_BREAKPOINTS:
        raise Refusal(
            _("There are %(count)d breakpoints; at most %(most)d are kept.")
            % {"count": len(plain), "most": MOST_BREAKPOINTS}
        )
    try:
        found = read_breakpoints(plain)
    except ConfigurationError as error:
        raise Refusal(str(error)) from None
    return [msgspec.to_builtins(one) for one in found]


def roles() -> list[dict[str, Any]]:
    """`[{name, instructions, tools}]`: what an agent may be."""
    from aworld.agents.roles.registry import all_roles

    return [
        {"name": role.name, "instructions": role.instructions, "tools": list(role.tools)}
        for role in all_roles().values()
    ]


def tools() -> list[dict[str, Any]]:
    """`[{name, description, parameters, effect}]`: what an agent may call."""
    from aworld.tools import registry

    return [
        msgspec.structs.asdict(registry.describe(registry.get(name))) for name in registry.names()
    ]
