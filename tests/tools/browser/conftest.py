"""A small site on this machine, and a run that may reach it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from aworld.tools import open_things
from aworld.tools.base import ToolContext
from aworld.tools.browser.chromium import browsers
from tests.tools.browser.small_site import SmallSite


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def site() -> AsyncIterator[SmallSite]:
    """The site."""
    served = SmallSite()
    await served.start()
    yield served
    await served.stop()


@pytest_asyncio.fixture(loop_scope="module", scope="module", autouse=True)
async def browser() -> AsyncIterator[None]:
    """One browser for the tests of a file, ended after them."""
    yield
    await browsers.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A run's folder."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest_asyncio.fixture(loop_scope="module")
async def context(site: SmallSite, workspace: Path) -> AsyncIterator[ToolContext]:
    """A run that may reach the site and nothing else."""
    yield ToolContext(workspace=str(workspace), network=(site.address,))
    await open_things.close_all(str(workspace))
