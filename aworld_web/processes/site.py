"""Where the product's own files are: the checkout, or what the wheel carries."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from aworld.llm.configured import VARIABLE, config_file

__all__ = ["child_environment", "put_on_path", "site_folder"]

_PACKAGE = Path(__file__).resolve().parent.parent


def site_folder() -> Path:
    """The folder that holds `apps`, `templates` and `frontend/dist`."""
    installed = _PACKAGE / "_site"
    return installed if installed.is_dir() else _PACKAGE.parent


def put_on_path() -> None:
    """Make `apps` importable here. `aworld up` alone does this: the names are too plain for all."""
    folder = str(site_folder())
    if folder not in sys.path:
        sys.path.insert(0, folder)


def child_environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a child: ours, where its code and its data are, and what is named."""
    path = [str(site_folder()), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(part for part in path if part),
        # A file that lies where `aworld up` was typed must not stand in for a module of ours.
        "PYTHONSAFEPATH": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "DJANGO_SETTINGS_MODULE": "aworld_web.settings",
        "AWORLD_HOME": str(home.absolute()),
        # Children run in the data folder; the models' file lies where the command was typed.
        VARIABLE: str(config_file().absolute()),
        **more,
    }
