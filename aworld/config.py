"""Where things are: three environment variables, and the folder they default to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class Config(NamedTuple):
    """The process's settings, read once from the environment."""

    home: Path
    """AWORLD_HOME: data folder; `.aworld` in the current folder's project, or `~/.aworld`."""
    mongodb_uri: str
    """AWORLD_MONGODB_URI: "" means SQLite in `home`."""
    redis_url: str
    """AWORLD_REDIS_URL: "" means none; `aworld up` sets it for what it starts."""

    @property
    def database(self) -> Path:
        """Execution records."""
        return self.home / "runs.sqlite3"

    @property
    def blobs(self) -> Path:
        """Large payloads, by sha256."""
        return self.home / "blobs"


def load() -> Config:
    """Read the settings; makes no folder."""
    home = os.environ.get("AWORLD_HOME", "")
    return Config(
        home=Path(home).expanduser() if home else Path.home() / ".aworld",
        mongodb_uri=os.environ.get("AWORLD_MONGODB_URI", ""),
        redis_url=os.environ.get("AWORLD_REDIS_URL", ""),
    )
