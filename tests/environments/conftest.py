"""Fixtures of the environments' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aworld.storage.sqlite import SqliteStore
from tests.environments.locked_box import Box, boxes
from tests.teams import sqlite


@pytest.fixture
def box() -> Iterator[type[Box]]:
    """Boxes are a kind of environment meanwhile."""
    with boxes() as kind:
        yield kind


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own."""
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def store(home: Path) -> Iterator[SqliteStore]:
    """The home's store."""
    opened = sqlite(home)
    yield opened
    opened.close()
