"""Which provider answers searches of the web: `search:` in config.yaml, or the environment.

search:
  provider: brave
  api_key_env: BRAVE_API_KEY      # the variable that has the key; or api_key: the key itself
  base_url: https://…             # SearXNG's address, or another server for the provider
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from aworld.errors import ConfigurationError
from aworld.tools.search.providers import PROVIDERS, Provider

VARIABLE = "AWORLD_SEARCH_PROVIDER"
_FILE = "config.yaml"
_FIELDS = ("provider", "api_key", "api_key_env", "base_url")


class SearchSettings(NamedTuple):
    """A provider that can be asked."""

    provider: Provider
    base_url: str
    key: str


def configured(folder: Path | None = None) -> SearchSettings | None:
    """The provider that is configured, or None. The file wins over the environment.

    Raises:
        ConfigurationError: something is named that does not exist, or a key is missing.
    """
    written = _from_file((folder or Path.cwd()) / _FILE)
    name = str(written.get("provider") or os.environ.get(VARIABLE, ""))
    if not name:
        ready = [known.name for known in PROVIDERS.values() if os.environ.get(known.variable)]
        if not ready:
            return None
        name = ready[0]
    provider = PROVIDERS.get(name)
    if provider is None:
        raise ConfigurationError(
            f"There is no search provider {name!r}. Known: {', '.join(PROVIDERS)}."
        )
    return _complete(provider, written)


def how_to_configure() -> str:
    """What an owner can do, in one sentence."""
    variables = ", ".join(f"{known.variable} ({known.title})" for known in PROVIDERS.values())
    return (
        f"The owner can set one of {variables} in the environment, or `search:` in {_FILE} with "
        "provider and api_key_env or base_url."
    )


def _complete(provider: Provider, written: Mapping[str, Any]) -> SearchSettings:
    variable = str(written.get("api_key_env") or provider.variable)
    value = str(written.get("api_key") or os.environ.get(variable, ""))
    if provider.needs_key:
        base_url, key = str(written.get("base_url") or provider.base_url), value
        missing = f"needs a key. Set {variable} in the environment"
    else:
        base_url, key = str(written.get("base_url") or value), ""
        missing = f"needs its address. Set {provider.variable} to it"
    if not (key if provider.needs_key else base_url):
        raise ConfigurationError(f"The search provider {provider.name!r} {missing}.")
    return SearchSettings(provider, base_url.rstrip("/"), key)


def _from_file(path: Path) -> Mapping[str, Any]:
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    if "search:" not in text:
        return {}
    try:
        whole = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{str(path)!r} is no YAML: {error}") from error
    written = whole.get("search") if isinstance(whole, dict) else None
    if written is None:
        return {}
    if not isinstance(written, dict):
        raise ConfigurationError(f"`search:` in {str(path)!r} must hold {', '.join(_FIELDS)}.")
    unknown = sorted(set(written) - set(_FIELDS))
    if unknown:
        raise ConfigurationError(
            f"`search:` in {str(path)!r} has {unknown[0]!r}, which does not exist; there are "
            f"{', '.join(_FIELDS)}."
        )
    return written
