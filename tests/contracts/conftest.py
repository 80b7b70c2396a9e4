"""Fixtures of the contract suites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.stores import STORES, Place


@pytest.fixture(params=sorted(STORES))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty store of each backend in turn."""
    backend = STORES[request.param]
    found = Place(backend, backend.environment(request, tmp_path))
    yield found
    found.close()
