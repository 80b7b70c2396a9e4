"""One browser for the tests of a file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from aworld.environments.base import Place
from aworld.tools.browser.chromium import browsers


@pytest_asyncio.fixture(loop_scope="module", scope="module", autouse=True)
async def browser() -> AsyncIterator[None]:
    """Ended after them."""
    yield
    await browsers.close()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An episode's folders."""
    found = Place(tmp_path / "workspace", tmp_path / "private")
    found.workspace.mkdir()
    found.private.mkdir()
    return found
