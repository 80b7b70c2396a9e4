"""What a page can reach: the hosts of the run, by whatever way it tries."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from aworld.tools.base import ToolContext
from aworld.tools.failures import ToolRefused
from tests.tools.browser.calling import browse, missing, refused
from tests.tools.browser.small_site import SmallSite

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(bool(missing()), reason=missing()),
]


async def test_without_hosts_nothing_is_reached(site: SmallSite, context: ToolContext) -> None:
    alone = msgspec.structs.replace(context, network=())
    with pytest.raises(ToolRefused, match=r"'127.0.0.1' is not on the list of allowed hosts"):
        await browse(alone, "navigate", url=site.url("alone"))
    assert "alone" not in site.asked


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "chrome://version",
        "view-source:http://example.org",
        "javascript:alert(1)",
        "data:text/html,<h1>x</h1>",
        "devtools://devtools/bundled/inspector.html",
    ],
)
async def test_only_the_web_can_be_opened(context: ToolContext, url: str) -> None:
    with pytest.raises(ToolRefused, match="Only http and https can be opened"):
        await browse(context, "navigate", url=url)


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.2", "[::1]", "169.254.169.254", "10.0.0.1", "0x7f.1", "2130706433"],
)
async def test_private_addresses_are_refused_however_they_are_written(
    context: ToolContext, site: SmallSite, host: str
) -> None:
    said = await refused(context, "navigate", url=f"http://{host}:{site.port}/private")
    assert "is not on the list" in said or "not a public address" in said
    assert "private" not in site.asked


async def test_a_name_that_leads_to_a_private_address_is_refused(
    context: ToolContext, site: SmallSite
) -> None:
    named = msgspec.structs.replace(context, network=(f"localhost:{site.port}",))
    said = await refused(named, "navigate", url=f"http://localhost:{site.port}/named")
    assert "which is not a public address" in said and "named" not in site.asked


async def test_a_redirect_leads_nowhere_else(context: ToolContext, site: SmallSite) -> None:
    said = await refused(context, "navigate", url=site.url("away"))
    assert f"port {site.other_port} of '127.0.0.1' is not on the list" in said
    assert site.reached == []


async def test_frames_pictures_and_prefetching_lead_nowhere_else(
    context: ToolContext, site: SmallSite
) -> None:
    result = await browse(context, "navigate", url=site.url("frames"))
    assert "Refused: 127.0.0.1" in result.text
    assert site.reached == []


async def test_scripts_sockets_streams_workers_and_peers_lead_nowhere_else(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url("scripts"))
    result = await browse(context, "wait", text="fetch,socket,stream,worker", seconds=10)
    assert "escaped" not in result.text
    assert site.reached == []


async def test_a_service_worker_leads_nowhere_else(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url("service"))
    await browse(context, "wait", text="asked", seconds=10)
    assert site.reached == []


async def test_a_page_cannot_open_files_or_the_browsers_own_pages(
    context: ToolContext, site: SmallSite
) -> None:
    for target in ("File", "Chrome", "Open"):
        await browse(context, "navigate", url=site.url("leave"))
        result = await browse(context, "click", target=target)
        assert "root:" not in result.text and "Chromium" not in result.text


async def test_two_runs_have_lists_of_their_own_and_share_no_cookie(
    context: ToolContext, site: SmallSite, tmp_path: Path
) -> None:
    from aworld.tools import open_things
    from aworld.tools.browser.sessions import sessions

    other = ToolContext(workspace=str(tmp_path / "other"), network=())
    try:
        await browse(context, "navigate", url=site.url())
        session = await sessions.get(context)
        await session.context.add_cookies([{"name": "secret", "value": "x", "url": site.url()}])
        with pytest.raises(ToolRefused):
            await browse(other, "navigate", url=site.url())
        assert await (await sessions.get(other)).context.cookies() == []
    finally:
        await open_things.close_all(other.workspace)
