"""From a model connection, as the web application or a file holds it, to a model."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from aworld.errors import ConfigurationError
from aworld.llm.base import Model
from aworld.llm.client import LLMClient
from aworld.llm.fallback import BESIDE_OTHERS, FallbackModel, Link
from aworld.llm.limits.gate import NO_LIMITS, LimitGate
from aworld.llm.limits.rules import limits_from
from aworld.llm.limits.shared_book import shared_book
from aworld.llm.prices import price_from
from aworld.llm.provider import Provider, get_provider, providers, register_provider
from aworld.llm.retries import RetryPolicy

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
        "limits",
        "fallbacks",
        "tool_style",
        "transport",
    }
)
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def make_model(spec: Mapping[str, Any], secrets: Mapping[str, str] | None = None) -> Model:
    """Make the model of a connection.

    `spec` is `{provider, model, base_url?, api_key?, parameters?, price?, limits?, fallbacks?,
    tool_style?, transport?, name?}`. `fallbacks` are the connections to ask when this one fails,
    each a whole spec, in their order; their own fallbacks do not count. An `api_key` like
    `${VARIABLE}` is read from the environment. Without one the key is looked up in `secrets`, by
    the connection's name, then by its provider's; then in the provider's environment variable.

    Raises:
        ConfigurationError: a field is unknown or missing, or the provider is not known.
    """
    others = spec.get("fallbacks") or ()
    if not isinstance(others, list | tuple) or not all(isinstance(one, Mapping) for one in others):
        raise ConfigurationError(
            f"The fallbacks of model connection {spec.get('name', '')!r} must be a list of "
            "connections, each with its fields."
        )
    if not others:
        return _make(spec, secrets, RetryPolicy())
    chain = [spec, *others]
    links: list[Link] = []
    for position, one in enumerate(chain, 1):
        patience = BESIDE_OTHERS if position < len(chain) else RetryPolicy()
        name = str(one.get("name") or one.get("model") or position)
        links.append(Link(name, _make(one, secrets, patience)))
    return FallbackModel(links)


def _make(
    spec: Mapping[str, Any], secrets: Mapping[str, str] | None, retries: RetryPolicy
) -> Model:
    for field in spec:
        if field not in _FIELDS and not str(field).startswith("x-"):
            raise ConfigurationError(
                f"A model connection has no field {field!r}. Its fields: "
                f"{', '.join(sorted(_FIELDS))}."
            )
    provider = get_provider(str(spec.get("provider") or "openai-compatible"))
    key = _key(spec)
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
        gate=_gate(spec, provider),
        retries=retries,
    )


def _gate(spec: Mapping[str, Any], provider: Provider) -> LimitGate:
    limits = limits_from(spec.get("limits"), priced=price_from(spec.get("price")) is not None)
    if not limits.any:
        return NO_LIMITS
    counted_as = spec.get("name") or f"{provider.name} {spec.get('model', '')}"
    return LimitGate(str(counted_as), limits, shared_book())


def _key(spec: Mapping[str, Any]) -> str:
    """The key, or what the variable holds that it names.

    Raises:
        ConfigurationError: there is no such variable.
    """
    given = str(spec.get("api_key") or "")
    named = _VARIABLE.fullmatch(given)
    if named is None:
        return given
    variable = named.group(1) or named.group(2)
    if not os.environ.get(variable):
        raise ConfigurationError(
            f"The key of model connection {spec.get('name', '')!r} is to be in the environment "
            f"variable {variable}, which is not set. Set it, or write the key itself."
        )
    return os.environ[variable]
