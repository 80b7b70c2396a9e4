"""Writing teams. Each service makes one deciding write."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from apps.agents import selectors
from apps.agents.first_start import LOCAL_MODEL, TEAMS
from apps.agents.model_services import model_create
from apps.agents.models import ModelConnection, Team
from apps.agents.naming import MOST_NAME, name_taken
from apps.shell.refusals import Conflict, Invalid
from aworld.events.envelope import Clock


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


def team_create(definition: Any) -> Team:
    """Add a team. It may still have problems; they are shown, and it does not run before.

    Raises:
        Invalid: no name.
        Conflict: the name is taken.
    """
    name = _named(definition)
    if Team.objects.filter(name=name).exists():
        raise name_taken(name)
    try:
        return Team.objects.create(
            name=name, definition={**definition, "name": name}, updated_at=Clock().now()
        )
    except IntegrityError:
        raise name_taken(name) from None


def team_update(team_id: str, definition: Any, version: int) -> Team:
    """Save a team over the version that was edited.

    Raises:
        Missing: no such team.
        Conflict: someone saved in between, or the new name is taken.
    """
    name = _named(definition)
    team = selectors.team_get(team_id)
    if name != team.name and Team.objects.filter(name=name).exists():
        raise name_taken(name)
    try:
        saved = Team.objects.filter(pk=team.pk, version=version).update(
            name=name,
            definition={**definition, "name": name},
            version=version + 1,
            updated_at=Clock().now(),
        )
    except IntegrityError:
        raise name_taken(name) from None
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
