"""From a model connection, as the web application or a file holds it, to a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aworld.errors import ConfigurationError
from aworld.llm.base import Model
from aworld.llm.client import LLMClient
from aworld.llm.provider import Provider, get_provider, providers, register_provider

__all__ = ["Provider", "get_provider", "make_model", "providers", "register_provider"]

_FIELDS = frozenset(
    {
        "name",
        "provider",
        "model",
        "base_url",
        "api_key",
        "parameters",
        "price",
        "tool_style",
        "transport",
    }
)


def make_model(spec: Mapping[str, Any], secrets: Mapping[str, str] | None = None) -> Model:
    """Make the model of a connection.

    `spec` is `{provider, model, base_url?, api_key?, parameters?, price?, tool_style?,
    transport?, name?}`. Without `api_key` the key is looked up in `secrets`, by the connection's
    name, then by its provider's; then in the provider's environment variable.

    Raises:
        ConfigurationError: a field is unknown or missing, or the provider is not known.
    """
    for field in spec:
        if field not in _FIELDS and not str(field).startswith("x-"):
            raise ConfigurationError(
                f"A model connection has no field {field!r}. Its fields: "
                f"{', '.join(sorted(_FIELDS))}."
            )
    provider = get_provider(str(spec.get("provider") or "openai-compatible"))
    key = str(spec.get("api_key") or "")
    for place in (str(spec.get("name", "")), provider.name):
        key = key or (secrets or {}).get(place, "")
    if provider.make is not None:
        return provider.make(spec, key)
    return LLMClient(
        model_name=str(spec.get("model") or ""),
        api_key=key,
        base_url=str(spec.get("base_url") or ""),
        provider=provider.name,
        parameters=spec.get("parameters"),
        price=spec.get("price"),
        tool_style=spec.get("tool_style") or None,
        transport=spec.get("transport") or "auto",
    )
