"""Reading model connections: those of the settings, and those under `models:` in config.yaml."""

from __future__ import annotations

import logging
import uuid
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.agents.models import ModelConnection
from apps.agents.sealing import hint, unseal
from apps.agents.spending import spending_of
from apps.shell.refusals import Missing
from aworld.errors import ConfigurationError
from aworld.llm.configured import check_fallback_names, configured_models, with_fallbacks

log = logging.getLogger(__name__)

FROM_FILE = "config:"
"""Begins the id of a connection that stands in config.yaml."""


def providers() -> list[dict[str, Any]]:
    """`[{name, title, base_url, url_example, needs_key, key_env, quirks}]`: whom a connection may
    go to."""
    from aworld.llm.registry import providers as known

    return [
        {
            "name": provider.name,
            "title": provider.title,
            "base_url": provider.base_url,
            "url_example": provider.url_example,
            "needs_key": provider.needs_key,
            "key_env": provider.key_env,
            "quirks": list(provider.quirks),
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


def model_shown(model_id: str) -> dict[str, Any]:
    """A connection of the settings or of config.yaml as it is shown.

    Raises:
        Missing: there is none.
    """
    if not model_id.startswith(FROM_FILE):
        connection = model_get(model_id)
        return model_fields(connection, hidden=connection.name in _in_file())
    return _configured_fields(_configured(model_id))


def spec_of(model_id: str) -> dict[str, Any]:
    """What a model is made of, its fallbacks as names.

    Raises:
        Missing: there is no such connection.
        ConfigurationError: the key cannot be decrypted.
    """
    if model_id.startswith(FROM_FILE):
        return _configured(model_id)
    return msgspec.structs.asdict(model_spec(model_get(model_id)))


def _configured(model_id: str) -> dict[str, Any]:
    name = model_id.removeprefix(FROM_FILE)
    found = configured_models().get(name)
    if found is None:
        raise Missing(
            _("There is no model connection %(name)r in config.yaml any more.") % {"name": name}
        )
    return found


def _in_file() -> dict[str, dict[str, Any]]:
    """The connections of config.yaml, for pages that must show also while it cannot be read; a run
    that wants one of them says why it cannot."""
    try:
        return configured_models()
    except ConfigurationError as error:
        log.warning("The models of config.yaml are left out: %s", error)
        return {}


def model_names() -> list[str]:
    """The names that an agent may use."""
    stored = set(ModelConnection.objects.values_list("name", flat=True))
    return sorted(stored | set(_in_file()))


def model_fields(connection: ModelConnection, *, hidden: bool = False) -> dict[str, Any]:
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
        "limits": connection.limits,
        "fallbacks": connection.fallbacks,
        "spending": spending_of(connection.name, connection.limits),
        "source": "settings",
        "hidden": hidden,
        "state": connection.state,
    }


def _configured_fields(spec: dict[str, Any]) -> dict[str, Any]:
    """A connection of config.yaml as it is shown."""
    key, parameters = str(spec.get("api_key") or ""), spec.get("parameters")
    return {
        "id": FROM_FILE + spec["name"],
        "name": spec["name"],
        "provider": str(spec.get("provider") or "openai-compatible"),
        "base_url": str(spec.get("base_url") or ""),
        "model": str(spec.get("model") or ""),
        "has_key": bool(key),
        "key_hint": "" if key.startswith("$") else hint(key),
        "parameters": parameters if isinstance(parameters, dict) else {},
        **_shown_rules(spec),
        "source": "config.yaml",
        "hidden": False,
        "state": "untested",
    }


def _shown_rules(spec: dict[str, Any]) -> dict[str, Any]:
    """Price, limits and fallbacks, if they can be read; a run says what is wrong with them."""
    from aworld.llm.limits.rules import Limits, limits_from
    from aworld.llm.prices import price_from

    try:
        price = price_from(spec.get("price"))
        limits = limits_from(spec.get("limits"), priced=price is not None)
        fallbacks = check_fallback_names(spec["name"], spec.get("fallbacks"))
    except ConfigurationError as error:
        log.warning("The page shows no limits of %r: %s", spec["name"], error)
        price, limits, fallbacks = None, Limits(), []
    plain = msgspec.to_builtins(limits)
    return {
        "price": msgspec.to_builtins(price),
        "limits": plain,
        "fallbacks": fallbacks,
        "spending": spending_of(spec["name"], plain),
    }


def model_list() -> list[dict[str, Any]]:
    """All connections by name. Where both have one of a name, config.yaml's is used, and last."""
    configured = _in_file()
    shown = [
        model_fields(connection, hidden=connection.name in configured)
        for connection in ModelConnection.objects.all()
    ]
    shown += [_configured_fields(spec) for spec in configured.values()]
    return sorted(shown, key=lambda model: (model["name"], not model["hidden"]))


class ModelSpec(msgspec.Struct, frozen=True):
    """A connection as `aworld.llm.registry.make_model` takes it. Never printed, never sent."""

    name: str
    provider: str
    base_url: str
    model: str
    api_key: str
    parameters: dict[str, Any]
    price: dict[str, Any] | None
    limits: dict[str, Any]
    fallbacks: list[Any]
    """Names of other connections."""

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
        limits=dict(connection.limits),
        fallbacks=list(connection.fallbacks),
    )


def model_spec_named(name: str) -> ModelSpec | None:
    """The connection of that name with its key, from the settings; None where there is none."""
    connection = ModelConnection.objects.filter(name=name).first()
    return model_spec(connection) if connection is not None else None


def whole_spec(name: str) -> dict[str, Any] | None:
    """What a model is made of: config.yaml's connection of that name, else the settings', with the
    whole specs of its fallbacks; None where there is none.

    Raises:
        ConfigurationError: config.yaml cannot be read, a fallback does not exist, or a key cannot
            be decrypted.
    """
    configured = configured_models()

    def find(wanted: str) -> dict[str, Any] | None:
        if wanted in configured:
            return configured[wanted]
        spec = model_spec_named(wanted)
        return msgspec.structs.asdict(spec) if spec is not None else None

    found = find(name)
    return with_fallbacks(found, find) if found is not None else None
