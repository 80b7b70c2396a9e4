"""`config.yaml` of the current folder: settings under the key `aworld`, below the environment's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from aworld.errors import ConfigurationError

__all__ = ["FILE", "apply_settings_file"]

FILE = "config.yaml"
_VARIABLES = {
    "home": "AWORLD_HOME",
    "mongodb_uri": "AWORLD_MONGODB_URI",
    "redis_url": "AWORLD_REDIS_URL",
    "port": "AWORLD_PORT",
    "workers": "AWORLD_WORKERS",
}


def apply_settings_file(folder: Path) -> None:
    """Set the variables that the file names and the environment does not.

    A file without the key `aworld` is another program's and is left alone.

    Raises:
        ConfigurationError: the file cannot be read, or has a setting that does not exist.
    """
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except OSError:
        return
    if "aworld:" not in text:
        return
    for name, value in _settings(text, folder / FILE).items():
        variable = _VARIABLES.get(name)
        if variable is None:
            raise ConfigurationError(
                f"{str(folder / FILE)!r} has a setting {name!r} that does not exist; "
                f"there are {', '.join(_VARIABLES)}."
            )
        if value not in ("", None):
            os.environ.setdefault(variable, str(value))


def _settings(text: str, file: Path) -> dict[str, Any]:
    import yaml

    try:
        whole = yaml.safe_load(text)
    except yaml.YAMLError as fault:
        raise ConfigurationError(f"{str(file)!r} is no YAML: {fault}") from fault
    settings = whole.get("aworld") if isinstance(whole, dict) else None
    if settings is None:
        return {}
    if not isinstance(settings, dict):
        raise ConfigurationError(f"{str(file)!r}: 'aworld' should hold settings by name.")
    return settings
