"""Model connections under `models:` in config.yaml, read anew whenever a run begins.

models:
  writer:
    provider: deepseek
    model: deepseek-chat
    api_key: ${DEEPSEEK_API_KEY}
    price: {input: 0.28, cached_input: 0.028, output: 0.42}
    fallbacks: [local]
    limits: {requests_per_minute: 60, cost_per_day_usd: 5}
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from aworld.errors import ConfigurationError

FILE = "config.yaml"
VARIABLE = "AWORLD_CONFIG"
"""Names the file for processes that run in another folder than the command that started them."""
MOST_FALLBACKS = 8

FindSpec = Callable[[str], Mapping[str, Any] | None]


def config_file(folder: Path | None = None) -> Path:
    """The file that counts: the one that the variable names, or else the folder's own."""
    named = os.environ.get(VARIABLE, "")
    return Path(named) if named else (folder or Path.cwd()) / FILE


def configured_models(folder: Path | None = None) -> dict[str, dict[str, Any]]:
    """The connections by name, each with its name in it; empty where there is no file.

    Raises:
        ConfigurationError: the file cannot be read, or `models:` is something else.
    """
    path = config_file(folder)
    try:
        state = path.stat()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigurationError(f"File {str(path)!r} cannot be read: {error}") from None
    return dict(_read(path, state.st_mtime_ns, state.st_size, state.st_ino))


@functools.lru_cache(maxsize=4)
def _read(path: Path, *state: int) -> dict[str, dict[str, Any]]:
    """The file as it is in this state; read once for each."""
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ConfigurationError(f"File {str(path)!r} is nested too deeply.") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigurationError(f"File {str(path)!r} cannot be read: {error}") from None
    models = (content.get("models") if isinstance(content, dict) else None) or {}
    fit = isinstance(models, dict) and all(isinstance(spec, dict) for spec in models.values())
    if not fit:
        raise ConfigurationError(
            f"`models:` in {str(path)!r} must map each name to its fields (provider, model, …)."
        )
    return {str(name): {**spec, "name": str(name)} for name, spec in models.items()}


def with_fallbacks(spec: Mapping[str, Any], find: FindSpec) -> dict[str, Any]:
    """A connection with the whole specs of its fallbacks instead of their names.

    A fallback's own fallbacks do not count, so there are no circles.

    Raises:
        ConfigurationError: a fallback does not exist, is named twice, or is the connection itself.
    """
    name = str(spec.get("name", ""))
    names = check_fallback_names(name, spec.get("fallbacks"))
    whole: list[dict[str, Any]] = []
    for other in names:
        found = find(other)
        if found is None:
            raise ConfigurationError(
                f"Model connection {name!r} falls back on {other!r}, which does not exist. Add "
                "that connection, or take it out of the fallbacks."
            )
        whole.append({key: value for key, value in found.items() if key != "fallbacks"})
    plain = {key: value for key, value in spec.items() if key != "fallbacks"}
    return {**plain, "fallbacks": whole} if whole else plain


def check_fallback_names(name: str, names: object) -> list[str]:
    """The names of a connection's fallbacks, in their order.

    Raises:
        ConfigurationError: it is no list of other connections, each once.
    """
    if names is None:
        return []
    if not isinstance(names, list | tuple) or not all(isinstance(one, str) for one in names):
        raise ConfigurationError(
            f"The fallbacks of model connection {name!r} must be a list of names of connections."
        )
    if name in names:
        raise ConfigurationError(
            f"Model connection {name!r} cannot fall back on itself. Take it out of its fallbacks."
        )
    if len(set(names)) < len(names) or len(names) > MOST_FALLBACKS:
        raise ConfigurationError(
            f"Model connection {name!r} names {len(names)} fallbacks. Name each once, and at most "
            f"{MOST_FALLBACKS}."
        )
    return list(names)
