"""Where there is no bubblewrap the browser's options must hold what the jail holds elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from aworld.sandbox.choice import Probe
from aworld.tools.base import ToolContext
from aworld.tools.browser import chromium
from aworld.tools.failures import ToolRefused
from tests.tools.browser.calling import browse, missing, refused
from tests.tools.browser.small_site import SmallSite

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(bool(missing()), reason=missing()),
]


@pytest.fixture(autouse=True)
def no_jail() -> Iterator[None]:
    """Root cannot have Chromium's own sandbox either."""
    with pytest.MonkeyPatch.context() as patch:
        ways = ["none"] if os.geteuid() == 0 else ["sandbox"]
        patch.setattr(chromium, "ways", lambda: ways)
        yield


async def test_pages_work_and_lead_nowhere_else(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url())
    assert (await chromium.browsers.get()).confinement in ("none", "sandbox")
    assert "Refused: 127.0.0.1" in (await browse(context, "navigate", url=site.url("frames"))).text
    await browse(context, "navigate", url=site.url("scripts"))
    await browse(context, "wait", text="fetch,socket,stream,worker", seconds=10)
    await browse(context, "navigate", url=site.url("service"))
    await browse(context, "wait", text="asked", seconds=10)
    assert "is not on the list" in await refused(context, "navigate", url=site.url("away"))
    assert site.reached == []


async def test_a_download_lands_in_the_workspace(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url())
    result = await browse(context, "download", target="Report")
    assert "Downloaded 'downloads/report.csv' (8 bytes)." in result.text


async def test_as_root_it_is_refused_unless_it_was_allowed() -> None:
    nothing = Probe(None, "bubblewrap is not installed.", "Install it.")
    assert chromium.possible_ways(nothing, root=False, allowed=False) == ["sandbox"]
    assert chromium.possible_ways(nothing, root=True, allowed=True) == ["none"]
    with pytest.raises(ToolRefused, match="bubblewrap is not installed. Install it."):
        chromium.possible_ways(nothing, root=True, allowed=False)
