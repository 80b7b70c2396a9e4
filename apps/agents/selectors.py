"""Reading teams and model connections."""

from __future__ import annotations

import uuid
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.agents.models import ModelConnection, Team
from apps.agents.sealing import unseal
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
        models = list(ModelConnection.objects.values_list("name", flat=True))
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
    models = list(ModelConnection.objects.values_list("name", flat=True))
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


def providers() -> list[dict[str, Any]]:
    """`[{name, title, base_url, needs_key}]`: whom a connection may go to."""
    from aworld.llm.registry import providers as known

    return [
        {
            "name": provider.name,
            "title": provider.title,
            "base_url": provider.base_url,
            "needs_key": provider.needs_key,
        }
        for provider in known()
    ]


def model_get(model_id: str) -> ModelConnection:
    """A connection.

    Raises:
        Missing: there is none.
    """
    try:
        return ModelConnection.objects.get(pk=uuid.UUID(str(model_id)))
    except (ModelConnection.DoesNotExist, ValidationError, ValueError):
        raise Missing(
            _("There is no model connection %(id)r; it may have been deleted.")
            % {"id": str(model_id)}
        ) from None


def model_fields(connection: ModelConnection) -> dict[str, Any]:
    """A connection as it is shown: whether there is a key, never the key."""
    return {
        "id": str(connection.id),
        "name": connection.name,
        "provider": connection.provider,
        "base_url": connection.base_url,
        "model": connection.model,
        "has_key": bool(connection.key_sealed),
        "key_hint": connection.key_hint,
        "parameters": connection.parameters,
        "price": connection.price,
        "state": connection.state,
    }


def model_list() -> list[dict[str, Any]]:
    """All connections by name."""
    return [model_fields(connection) for connection in ModelConnection.objects.all()]


class ModelSpec(msgspec.Struct, frozen=True):
    """A connection as `aworld.llm.registry.make_model` takes it. Never printed, never sent."""

    name: str
    provider: str
    base_url: str
    model: str
    api_key: str
    parameters: dict[str, Any]
    price: dict[str, Any] | None

    def __repr__(self) -> str:
        return f"ModelSpec({self.name!r})"


def model_spec(connection: ModelConnection) -> ModelSpec:
    """The connection with its key, for the process that calls the model.

    Raises:
        ConfigurationError: the key cannot be decrypted.
    """
    return ModelSpec(
        name=connection.name,
        provider=connection.provider,
        base_url=connection.base_url,
        model=connection.model,
        api_key=unseal(connection.key_sealed) if connection.key_sealed else "",
        parameters=dict(connection.parameters),
        price=connection.price,
    )


def model_spec_named(name: str) -> ModelSpec | None:
    """The connection of that name with its key; None where there is none."""
    connection = ModelConnection.objects.filter(name=name).first()
    return model_spec(connection) if connection is not None else None
