"""Writing model connections. Each service makes one deciding write."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import IntegrityError
from django.utils.translation import gettext as _

from apps.agents.model_selectors import FROM_FILE, model_get
from apps.agents.models import ModelConnection
from apps.agents.naming import MOST_NAME, name_taken
from apps.agents.sealing import hint, seal
from apps.shell.refusals import Conflict, Invalid
from aworld.errors import ConfigurationError
from aworld.events.envelope import Clock


def _checked(fields: dict[str, Any]) -> dict[str, Any]:
    """A connection's fields, if a model can be made of them.

    Raises:
        Invalid: it cannot.
    """
    from aworld.llm.client import check_base_url, split_parameters
    from aworld.llm.configured import check_fallback_names
    from aworld.llm.limits.rules import limits_from
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
        price = price_from(fields.get("price"))
        limits = limits_from(_given_limits(fields), priced=price is not None)
        fallbacks = check_fallback_names(name, fields.get("fallbacks"))
    except ConfigurationError as error:
        raise Invalid(str(error)) from None
    return {
        "name": name,
        "provider": str(fields.get("provider", "")),
        "base_url": base_url,
        "model": str(fields.get("model", "")).strip(),
        "parameters": dict(fields.get("parameters") or {}),
        "price": fields.get("price") or None,
        "limits": msgspec.to_builtins(limits),
        "fallbacks": fallbacks,
    }


def _given_limits(fields: dict[str, Any]) -> dict[str, Any]:
    """The limits that are set; JSON may write a whole number as 60.0."""
    given = {name: most for name, most in (fields.get("limits") or {}).items() if most is not None}
    return {
        name: int(most) if isinstance(most, float) and most.is_integer() else most
        for name, most in given.items()
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
        raise name_taken(checked["name"])
    try:
        return ModelConnection.objects.create(
            **checked, **_key_fields(api_key), updated_at=Clock().now()
        )
    except IntegrityError:
        raise name_taken(checked["name"]) from None


def model_update(model_id: str, fields: dict[str, Any], api_key: str | None) -> ModelConnection:
    """Change a connection. Without `api_key` the stored key stays, unless the address changes:
    a key is never sent to a server it was not entered for.

    Raises:
        Missing: no such connection.
        Invalid: a field cannot be used, or the key must be entered again.
        Conflict: the name is taken.
    """
    connection = _from_settings(model_id)
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
        raise name_taken(checked["name"])
    ModelConnection.objects.filter(pk=connection.pk).update(
        **checked, **_key_fields(api_key), state="untested", updated_at=Clock().now()
    )
    return model_get(model_id)


def model_delete(model_id: str) -> None:
    """Remove a connection; teams that name it show that it is missing.

    Raises:
        Missing: no such connection.
    """
    _from_settings(model_id).delete()


def model_tested(model_id: str, ok: bool) -> None:
    """Remember how the test ended; of a connection of config.yaml nothing is kept."""
    if not model_id.startswith(FROM_FILE):
        ModelConnection.objects.filter(pk=model_id).update(state="ok" if ok else "failed")


def _from_settings(model_id: str) -> ModelConnection:
    """A connection that may be changed here.

    Raises:
        Missing: there is none.
        Conflict: it stands in config.yaml.
    """
    if model_id.startswith(FROM_FILE):
        raise Conflict(
            _("Model connection %(name)r stands in config.yaml. Change it there.")
            % {"name": model_id.removeprefix(FROM_FILE)}
        )
    return model_get(model_id)
