"""Pages for the browser's tests, and a record of what was asked for."""

from __future__ import annotations

import asyncio

from aiohttp import web

from tests.tools.browser import pages


class _Packets(asyncio.DatagramProtocol):
    """Hears what is sent without a connection, such as a look-up of one's own address."""

    def __init__(self, reached: list[str]) -> None:
        self._reached = reached

    def datagram_received(self, data: bytes, addr: object) -> None:
        self._reached.append("packet")


class SmallSite:
    """Serves `pages` on 127.0.0.1; a second port stands for a host that is not allowed."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        """Paths that reached the allowed port."""
        self.reached: list[str] = []
        """Paths that reached the other one: an escape."""
        self.uploaded: dict[str, bytes] = {}
        self._runners: list[web.AppRunner] = []
        self.port = 0
        self.other_port = 0

    @property
    def address(self) -> str:
        """`127.0.0.1:PORT`, as the list of hosts has it."""
        return f"127.0.0.1:{self.port}"

    @property
    def other(self) -> str:
        """The address that no test may reach."""
        return f"127.0.0.1:{self.other_port}"

    def url(self, path: str = "") -> str:
        """A page's address."""
        return f"http://{self.address}/{path}"

    async def start(self) -> None:
        """Listen on both ports."""
        app = web.Application()
        app.router.add_get("/download/{name}", self._download)
        app.router.add_post("/upload", self._upload)
        app.router.add_get("/away", self._away)
        app.router.add_get("/slow", self._slow)
        app.router.add_get("/{name:.*}", self._page)
        self.port = await self._listen(app)
        outside = web.Application()
        outside.router.add_route("*", "/{name:.*}", self._outside)
        self.other_port = await self._listen(outside)
        loop = asyncio.get_running_loop()
        self._packets, _ = await loop.create_datagram_endpoint(
            lambda: _Packets(self.reached), local_addr=("127.0.0.1", self.other_port)
        )

    async def stop(self) -> None:
        """End both."""
        self._packets.close()
        for runner in self._runners:
            await runner.cleanup()

    async def _listen(self, app: web.Application) -> int:
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        self._runners.append(runner)
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port: int = runner.addresses[0][1]
        return port

    async def _page(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        self.asked.append(name)
        if name.endswith(".js"):
            text = pages.SCRIPTS[name].replace("OTHER", self.other)
            return web.Response(text=text, content_type="text/javascript")
        if name not in pages.PAGES:
            raise web.HTTPNotFound(text="no such page")
        text = pages.PAGES[name].replace("OTHER", self.other)
        return web.Response(text=text, content_type="text/html")

    async def _download(self, request: web.Request) -> web.Response:
        disposition = f'attachment; filename="{request.query.get("as", "report.csv")}"'
        return web.Response(body=b"a,b\n1,2\n", headers={"Content-Disposition": disposition})

    async def _upload(self, request: web.Request) -> web.Response:
        given = await request.post()
        file = given["file"]
        assert isinstance(file, web.FileField)
        self.uploaded[file.filename] = file.file.read()
        return web.Response(text="<h1>Thank you</h1>", content_type="text/html")

    async def _away(self, request: web.Request) -> web.Response:
        raise web.HTTPFound(f"http://{self.other}/redirected")

    async def _slow(self, request: web.Request) -> web.Response:
        await asyncio.sleep(0.4)
        return web.Response(text="late", content_type="text/plain")

    async def _outside(self, request: web.Request) -> web.Response:
        self.reached.append(request.path)
        return web.Response(text="escaped")
