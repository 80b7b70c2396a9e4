"""What a provider is, and where the known ones are found."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from aworld.errors import ConfigurationError
from aworld.llm.base import Model

MakeModel = Callable[[Mapping[str, Any], str], Model]
"""Makes a model of a model connection and its key."""


class Provider(msgspec.Struct, frozen=True):
    """Where a provider is and how it differs."""

    name: str
    title: str
    base_url: str = ""
    """"" where the user must give one."""
    base_url_env: str = ""
    """Environment variable that overrides `base_url`."""
    key_env: str = ""
    """Environment variable that holds the key, where none is given."""
    needs_key: bool = False
    cloud: bool = False
    """Reached through the `openai` SDK rather than the lean transport."""
    model_prefixes: tuple[str, ...] = ()
    """Names of models by which the provider is guessed."""
    protocol: Literal["openai", "anthropic"] = "openai"
    path: str = "/chat/completions"
    """Below the base URL."""
    key_header: str = ""
    """The header that carries the key as it is; "" means `Authorization: Bearer`."""
    headers: tuple[tuple[str, str], ...] = ()
    """Sent with every request."""
    tool_style: str = "native"
    max_tokens_name: str = "max_tokens"
    stream_usage: bool = True
    """Whether streamed answers give their token counts when asked by `stream_options`."""
    always_stream: bool = False
    """Some of its models answer only as a stream."""
    reasoning_back: str = ""
    """The field in which earlier thinking goes back with calls of tools; "" where it must not."""
    url_example: str = ""
    """What a base URL looks like, where the user must give one."""
    quirks: tuple[str, ...] = ()
    """What differs from OpenAI's own API, a sentence each; shown where a connection is edited."""
    make: MakeModel | None = None
    """For other protocols: makes the model."""


_registered: dict[str, Provider] = {}


def register_provider(provider: Provider) -> None:
    """Add a provider, or replace one of the same name."""
    _registered[provider.name] = provider


def get_provider(name: str) -> Provider:
    """A provider by name.

    Raises:
        ConfigurationError: there is none of that name.
    """
    known = {**_built_in(), **_registered}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ConfigurationError(
        f"There is no model provider {name!r}.{hint} Known: {', '.join(sorted(known))}."
    )


def providers() -> list[Provider]:
    """All known providers by name."""
    return sorted({**_built_in(), **_registered}.values(), key=lambda provider: provider.name)


def guess_provider(model: str) -> Provider:
    """The provider whose models have such names; OpenAI where none fits."""
    lowered = model.lower()
    for provider in providers():
        if lowered.startswith(provider.model_prefixes):
            return provider
    return get_provider("openai")


@functools.cache
def _built_in() -> dict[str, Provider]:
    package = importlib.import_module("aworld.llm.providers")
    found: dict[str, Provider] = {}
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        provider: Provider = importlib.import_module(module.name).PROVIDER
        found[provider.name] = provider
    return found
