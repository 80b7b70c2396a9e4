"""The running browser of an event loop: started when first needed, and anew after a crash."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import TYPE_CHECKING

from aworld.errors import ToolError
from aworld.sandbox.bubblewrap import Way
from aworld.sandbox.choice import Probe, probe_bubblewrap
from aworld.sandbox.process import ALLOW, is_allowed
from aworld.tools.browser import memory
from aworld.tools.browser.jail import Confinement, give_to_browser, write_launcher
from aworld.tools.browser.program import FLAGS, find_browser
from aworld.tools.browser.proxy import ContextProxy
from aworld.tools.browser.relay import PORT
from aworld.tools.browser.sight import register_engine
from aworld.tools.failures import ToolRefused

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

_log = logging.getLogger(__name__)
_LAUNCH_MS = 30_000


class Chromium:
    """One browser process with what belongs to it."""

    def __init__(self, driver: Playwright) -> None:
        self._driver = driver
        self._browser: Browser | None = None
        self._folder: Path | None = None
        self._watch: asyncio.Task[None] | None = None
        self._addresses = 0
        self.confinement: Confinement = "none"
        self.pid = 0

    @property
    def browser(self) -> Browser:
        """Playwright's handle."""
        assert self._browser is not None
        return self._browser

    @property
    def alive(self) -> bool:
        """Whether it still runs. Where only the driver died, Playwright does not notice, but the
        browser ended with it."""
        if self._browser is None or not self._browser.is_connected():
            return False
        return not self.pid or memory.runs(self.pid)

    @property
    def downloads(self) -> Path:
        """Where it puts what it downloads."""
        assert self._folder is not None
        return self._folder / "shared"

    async def start(self) -> None:
        """Start it as well shut in as this machine can.

        Raises:
            ToolRefused: there is no browser, or no way to shut it in.
            ToolError: it does not start.
        """
        program = find_browser()
        problem = ""
        for confinement in ways():
            # A Unix socket's path may have 108 characters, so the system's folder for all.
            self._folder = Path(tempfile.mkdtemp(prefix="aworld-browser-", dir=_short_folder()))
            try:
                await self._launch(program, confinement)
            except ToolError as error:
                problem = str(error)
                shutil.rmtree(self._folder, ignore_errors=True)
                continue
            self.confinement = confinement
            if confinement in ("none", "sandbox"):
                _log.warning("The browser runs without bubblewrap: %s", confinement)
            return
        raise ToolError(f"The browser {program!r} does not start: {problem}")

    async def _launch(self, program: str, confinement: Confinement) -> None:
        from playwright.async_api import Error

        assert self._folder is not None
        self._folder.chmod(0o711)
        shared = self.downloads
        shared.mkdir(mode=0o700)
        launcher = Path(program)
        way = probe_bubblewrap().way
        jailed = confinement.startswith("jail") and way is not None
        if jailed:
            assert way is not None
            launcher = self._prepare(way, program, nested=confinement == "jail+sandbox")
        try:
            self._browser = await self._driver.chromium.launch(
                executable_path=launcher,
                args=list(FLAGS),
                chromium_sandbox=confinement.endswith("sandbox"),
                downloads_path=shared,
                env={"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(shared)},
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=_LAUNCH_MS,
            )
        except Error as error:
            raise ToolError(_last_words(str(error))) from error
        if jailed:
            await self._relay_ready()
            self.pid = int(Path(f"{launcher}.pid").read_text(encoding="ascii"))
            self._watch = asyncio.create_task(memory.watch(self.pid, shared))

    def _prepare(self, way: Way, program: str, *, nested: bool) -> Path:
        assert self._folder is not None
        give_to_browser(way, self.downloads)
        launcher = self._folder / "chromium"
        write_launcher(way, program, self.downloads, launcher, nested=nested)
        return launcher

    async def _relay_ready(self) -> None:
        """Raises ToolError where the relay beside the browser does not come up."""
        try:
            async with asyncio.timeout(10):
                while not (self.downloads / "relay-ready").exists():
                    await asyncio.sleep(0.01)
        except TimeoutError:
            await self.close()
            raise ToolError("its way to the network did not come up") from None

    async def serve(self, proxy: ContextProxy) -> str:
        """Have a context's proxy serve; the address that the context is to be given."""
        if not self.confinement.startswith("jail"):
            return f"http://127.0.0.1:{await proxy.listen_on_loopback()}"
        self._addresses += 1
        high, low = divmod(self._addresses, 254)
        # From 127.1.0.1 on: the first address of all is what pages mean by the machine itself.
        address = f"127.{1 + high // 256}.{high % 256}.{low + 1}"
        await proxy.listen_at(self.downloads / f"{address}.sock")
        return f"http://{address}:{PORT}"

    async def close(self) -> None:
        """End it; may be called twice."""
        if self._watch is not None:
            self._watch.cancel()
        if self._browser is not None:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(10):
                    await self._browser.close()
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)


def ways() -> list[Confinement]:
    """How the browser may be shut in on this machine, the best first.

    Raises:
        ToolRefused: it cannot be, and nobody allowed it to run free.
    """
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return possible_ways(probe_bubblewrap(), root=root, allowed=is_allowed())


def possible_ways(probe: Probe, *, root: bool, allowed: bool) -> list[Confinement]:
    """As `ways`, of what is known."""
    if probe.way is not None:
        return ["jail+sandbox", "jail"]
    if not root:
        return ["sandbox", "none"] if allowed else ["sandbox"]
    if allowed:
        return ["none"]
    raise ToolRefused(
        f"The browser cannot be shut in here: {probe.problem} {probe.cure} Or run the worker as "
        f"an ordinary user, for whom Chromium's own sandbox works, or set {ALLOW}=1."
    )


def _short_folder() -> str | None:
    return "/tmp" if os.path.isdir("/tmp") else None


def _last_words(text: str) -> str:
    """The line of a failed start that says why."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "bwrap:" in line or "rror" in line]
    return (telling or lines or ["it said nothing"])[-1][:300]


class Browsers:
    """The browser of each event loop, ended with it."""

    def __init__(self) -> None:
        self._loops: dict[asyncio.AbstractEventLoop, _LoopBrowser] = {}

    async def get(self) -> Chromium:
        """The running browser of this loop; a new one where it has crashed.

        Raises:
            ToolError: it does not start.
        """
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            for closed in [known for known in self._loops if known.is_closed()]:
                del self._loops[closed]
            held = self._loops[loop] = _LoopBrowser()
            # An asynchronous generator that has begun is closed when its loop shuts down.
            held.keeper = self._keep(loop)
            await anext(held.keeper)
        return await self._loops[loop].get()

    async def close(self) -> None:
        """End this loop's browser and its driver."""
        held = self._loops.pop(asyncio.get_running_loop(), None)
        if held is not None:
            await held.close()

    async def _keep(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            held = self._loops.pop(loop, None)
            if held is not None:
                await held.close()


class _LoopBrowser:
    def __init__(self) -> None:
        self.keeper: AsyncGenerator[None] | None = None
        self._lock = asyncio.Lock()
        self._driver: Playwright | None = None
        self._chromium: Chromium | None = None

    async def get(self) -> Chromium:
        async with self._lock:
            if self._chromium is not None and self._chromium.alive:
                return self._chromium
            if self._chromium is not None:
                # It has crashed, and perhaps its driver with it.
                await self.close()
            chromium = Chromium(await self._running_driver())
            await chromium.start()
            self._chromium = chromium
            return chromium

    async def _running_driver(self) -> Playwright:
        if self._driver is None:
            from playwright.async_api import async_playwright

            self._driver = await async_playwright().start()
            await register_engine(self._driver)
        return self._driver

    async def close(self) -> None:
        chromium, self._chromium = self._chromium, None
        driver, self._driver = self._driver, None
        if chromium is not None:
            await chromium.close()
        if driver is not None:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(10):
                    await driver.stop()


browsers = Browsers()
"""All browsers of this process."""
