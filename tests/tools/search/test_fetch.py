"""Pages of the web: fetched as text, and only from where the run may go."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from aworld.errors import ToolError
from aworld.tools import registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.documents.readers import close_reader
from aworld.tools.failures import ToolRefused, ToolTimeout
from aworld.tools.search import web_client
from tests.servers import free_port
from tests.tools.documents import made_files as made

PAGE = (
    b"<title>Tides</title><nav>menu</nav><h1>Ebb</h1><p>Go <a href='b'>on</a>.</p>"
    + b"<p>x</p>" * 9
)


class Site:
    """A server of pages, and what it was asked for."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: list[str] = []

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        match request.match_info["path"]:
            case "page":
                return web.Response(body=PAGE, content_type="text/html")
            case "report":
                return web.Response(body=made.report(3), content_type="application/pdf")
            case "picture":
                return web.Response(body=made.picture(), content_type="image/png")
            case "away":
                raise web.HTTPFound(f"http://localhost:{self.port}/page")
            case "inward":
                raise web.HTTPFound("http://169.254.169.254/latest/meta-data")
            case "file":
                raise web.HTTPFound("file:///etc/passwd")
            case "moved":
                raise web.HTTPMovedPermanently("/page")
            case "round":
                raise web.HTTPFound("/round")
            case "bomb":
                packed = gzip.compress(bytes(40_000_000))
                return web.Response(body=packed, headers={"Content-Encoding": "gzip"})
            case _:
                return web.Response(status=404, text="no such page here")


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    site = Site(free_port())
    app = web.Application()
    app.router.add_get("/{path:.*}", site.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", site.port).start()
    yield site
    await runner.cleanup()


@pytest.fixture
async def context(site: Site, tmp_path: Path) -> AsyncIterator[ToolContext]:
    yield ToolContext(workspace=str(tmp_path), network=(f"127.0.0.1:{site.port}",))
    await close_reader(str(tmp_path))


async def fetch(context: ToolContext, url: str, **more: Any) -> ToolResult:
    return await registry.call("search", context, {"action": "fetch", "url": url, **more})


async def test_a_page_comes_as_markdown_with_whole_addresses(
    site: Site, context: ToolContext
) -> None:
    result = await fetch(context, site.url("moved"))
    assert result.text.startswith(f"{site.url('page')} (text/html, {len(PAGE)} bytes)\n")
    assert "Title: Tides" in result.text and "# Ebb" in result.text
    assert f"Go [on]({site.url('b')})." in result.text
    assert result.data["url"] == site.url("page")
    found = await fetch(context, site.url("page"), text="ebb")
    assert "stands at 1 place" in found.text


async def test_a_document_is_read_by_pages_and_may_be_kept(
    site: Site, context: ToolContext
) -> None:
    result = await fetch(context, site.url("report"), pages="2", save_as="kept/r.pdf")
    assert "This is page 2." in result.text and "This is page 1." not in result.text
    kept = Path(context.workspace, "kept/r.pdf").read_bytes()
    assert kept.startswith(b"%PDF-") and f"Kept {len(kept)} bytes as 'kept/r.pdf'" in result.text
    picture = await fetch(context, site.url("picture"))
    assert picture.attachments[0].data == made.picture()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:1/", "port 1 of '127.0.0.1' is not on the list of allowed hosts"),
        ("http://example.org/", "'example.org' is not on the list of allowed hosts"),
        ("file:///etc/passwd", "only http and https are fetched"),
        ("ftp://example.org/", "only http and https are fetched"),
        ("no address", "only http and https are fetched"),
    ],
)
async def test_a_host_that_is_not_allowed_is_refused(
    context: ToolContext, url: str, why: str
) -> None:
    with pytest.raises(ToolRefused, match=why):
        await fetch(context, url)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "169.254.169.254",
     "0.0.0.0", "127.1"],
)  # fmt: skip
async def test_where_every_public_host_is_allowed_private_addresses_are_not(host: str) -> None:
    with pytest.raises(ToolError, match="not a public address|cannot be reached"):
        await fetch(ToolContext(network=("*",)), f"http://{host}/")


async def test_a_name_that_stands_for_a_private_address_is_refused(site: Site) -> None:
    context = ToolContext(network=(f"localhost:{site.port}",))
    with pytest.raises(ToolRefused, match="'localhost' is .*, which is not a public address"):
        await fetch(context, f"http://localhost:{site.port}/page")
    assert site.asked == []


@pytest.mark.parametrize("path", ["away", "inward", "file"])
async def test_each_hop_of_a_redirection_is_asked_for_anew(
    site: Site, context: ToolContext, path: str
) -> None:
    with pytest.raises(ToolRefused):
        await fetch(context, site.url(path))
    assert site.asked == [f"/{path}"]


async def test_what_cannot_be_got_is_told(
    site: Site, context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ToolError, match="answered 404 Not Found: no such page here"):
        await fetch(context, site.url("none"))
    with pytest.raises(ToolError, match="redirects more than 6 times"):
        await fetch(context, site.url("round"))
    with pytest.raises(ToolError, match="has more than 10485760 bytes"):
        await fetch(context, site.url("bomb"))
    monkeypatch.setattr(web_client, "SECONDS", 0.0001)
    with pytest.raises(ToolTimeout, match="did not answer within"):
        await fetch(context, site.url("page"))


async def test_without_a_policy_nothing_is_fetched(site: Site, tmp_path: Path) -> None:
    with pytest.raises(ToolRefused, match=r"not on the list of allowed hosts \(none\)"):
        await fetch(ToolContext(workspace=str(tmp_path)), site.url("page"))
    assert site.asked == []
