"""Writing teams and model connections. Each service makes one deciding write."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from apps.agents import selectors
from apps.agents.first_start import LOCAL_MODEL, TEAMS
from apps.agents.models import ModelConnection, Team
from apps.agents.sealing import hint, seal
from apps.shell.refusals import Conflict, Invalid
from aworld.errors import ConfigurationError
from aworld.events.envelope import Clock

MOST_NAME = 120


def _named(definition: Any) -> str:
    """The name in a team's definition.

    Raises:
        Invalid: not an object, no name, or too long a one.
    """
    if not isinstance(definition, dict):
        raise Invalid(_("A team's definition is a JSON object with a 'name' and 'agents'."))
    name = definition.get("name")
    if not isinstance(name, str) or not name.strip():
        raise Invalid(_("The team has no name. Give it one in the field 'name'."))
    if len(name.strip()) > MOST_NAME:
        raise Invalid(
            _("The team's name has %(length)d characters; use at most %(most)d.")
            % {"length": len(name.strip()), "most": MOST_NAME}
        )
    return name.strip()


def _taken(name: str) -> Conflict:
    return Conflict(
        _("The name %(name)r is taken already. Choose another one.") % {"name": name}, name=name
    )


def team_create(definition: Any) -> Team:
    """Add a team. It may still have problems; they are shown, and it does not run before.

    Raises:
        Invalid: no name.
        Conflict: the name is taken.
    """
    name = _named(definition)
    if Team.objects.filter(name=name).exists():
        raise _taken(name)
    try:
        return Team.objects.create(
            name=name, definition={**definition, "name": name}, updated_at=Clock().now()
        )
    except IntegrityError:
        raise _taken(name) from None


def team_update(team_id: str, definition: Any, version: int) -> Team:
    """Save a team over the version that was edited.

    Raises:
        Missing: no such team.
        Conflict: someone saved in between, or the new name is taken.
    """
    name = _named(definition)
    team = selectors.team_get(team_id)
    if name != team.name and Team.objects.filter(name=name).exists():
        raise _taken(name)
    try:
        saved = Team.objects.filter(pk=team.pk, version=version).update(
            name=name,
            definition={**definition, "name": name},
            version=version + 1,
            updated_at=Clock().now(),
        )
    except IntegrityError:
        raise _taken(name) from None
    if not saved:
        current = selectors.team_get(team_id)
        raise Conflict(
            _(
                "Team %(name)r was saved by someone else meanwhile: it is at version %(now)d, you "
                "edited version %(yours)d. Reload it, or save yours under another name."
            )
            % {"name": current.name, "now": current.version, "yours": version},
            version=current.version,
        )
    return selectors.team_get(team_id)


def team_delete(team_id: str) -> None:
    """Remove a team; its runs keep their copies.

    Raises:
        Missing: no such team.
    """
    selectors.team_get(team_id).delete()


def _checked(fields: dict[str, Any]) -> dict[str, Any]:
    """A connection's fields, if a model can be made of them.

    Raises:
        Invalid: it cannot.
    """
    from aworld.llm.client import check_base_url, split_parameters
    from aworld.llm.prices import price_from
    from aworld.llm.registry import get_provider

    name = str(fields.get("name", "")).strip()
    if not name or len(name) > MOST_NAME:
        raise Invalid(
            _("A model connection needs a name of 1 to %(most)d characters.") % {"most": MOST_NAME}
        )
    base_url = str(fields.get("base_url", "")).strip()
    if base_url and not base_url.startswith(("http://", "https://")):
        raise Invalid(
            _("The base URL %(url)r does not begin with http:// or https://.") % {"url": base_url}
        )
    try:
        if base_url:
            check_base_url(base_url)
        split_parameters(fields.get("parameters"))
        get_provider(str(fields.get("provider", "")))
        price_from(fields.get("price"))
    except ConfigurationError as error:
        raise Invalid(str(error)) from None
    return {
        "name": name,
        "provider": str(fields.get("provider", "")),
        "base_url": base_url,
        "model": str(fields.get("model", "")).strip(),
        "parameters": dict(fields.get("parameters") or {}),
        "price": fields.get("price") or None,
    }


def _key_fields(api_key: str | None) -> dict[str, str]:
    """What storing a key changes: None keeps the one there is, "" removes it.

    Raises:
        Invalid: no header can carry it.
    """
    if api_key is None:
        return {}
    from aworld.llm.client import check_key

    key = api_key.strip()
    try:
        check_key(key)
    except ConfigurationError as error:
        raise Invalid(str(error)) from None
    return {"key_sealed": seal(key) if key else "", "key_hint": hint(key)}


def model_create(fields: dict[str, Any], api_key: str | None) -> ModelConnection:
    """Add a connection.

    Raises:
        Invalid: a field cannot be used.
        Conflict: the name is taken.
    """
    checked = _checked(fields)
    if ModelConnection.objects.filter(name=checked["name"]).exists():
        raise _taken(checked["name"])
    try:
        return ModelConnection.objects.create(
            **checked, **_key_fields(api_key), updated_at=Clock().now()
        )
    except IntegrityError:
        raise _taken(checked["name"]) from None


def model_update(model_id: str, fields: dict[str, Any], api_key: str | None) -> ModelConnection:
    """Change a connection. Without `api_key` the stored key stays, unless the address changes:
    a key is never sent to a server it was not entered for.

    Raises:
        Missing: no such connection.
        Invalid: a field cannot be used, or the key must be entered again.
        Conflict: the name is taken.
    """
    connection = selectors.model_get(model_id)
    checked = _checked(fields)
    moved = (checked["base_url"], checked["provider"]) != (connection.base_url, connection.provider)
    if moved and connection.key_sealed and api_key is None:
        raise Invalid(
            _(
                "The connection %(name)r goes to another server now. Enter its key again, or send "
                "an empty 'api_key' to remove it."
            )
            % {"name": connection.name}
        )
    if (
        checked["name"] != connection.name
        and ModelConnection.objects.filter(name=checked["name"]).exists()
    ):
        raise _taken(checked["name"])
    ModelConnection.objects.filter(pk=connection.pk).update(
        **checked, **_key_fields(api_key), state="untested", updated_at=Clock().now()
    )
    return selectors.model_get(model_id)


def model_delete(model_id: str) -> None:
    """Remove a connection; teams that name it show that it is missing.

    Raises:
        Missing: no such connection.
    """
    selectors.model_get(model_id).delete()


def model_tested(connection: ModelConnection, ok: bool) -> None:
    """Remember how the test ended."""
    ModelConnection.objects.filter(pk=connection.pk).update(state="ok" if ok else "failed")


def first_definitions() -> list[str]:
    """Add what is missing of them by name; returns the names. What is there stays as it is."""
    made: list[str] = []
    if not ModelConnection.objects.filter(name=LOCAL_MODEL["name"]).exists():
        model_create(LOCAL_MODEL, None)
        made.append(f"model {LOCAL_MODEL['name']!r}")
    for definition in TEAMS:
        if not Team.objects.filter(name=definition["name"]).exists():
            team_create(definition)
            made.append(f"team {definition['name']!r}")
    return made
