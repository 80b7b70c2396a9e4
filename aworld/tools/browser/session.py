"""A run's own browser: one context with its tabs, what its pages say, and what they ask for."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from aworld.errors import ToolError
from aworld.tools.browser import snapshot
from aworld.tools.browser.answering import answering
from aworld.tools.browser.chromium import Chromium, browsers
from aworld.tools.browser.proxy import ContextProxy
from aworld.tools.browser.settle import STILL, Pace, RealPace, Requests
from aworld.tools.browser.sight import AccessibleSight, Sight

if TYPE_CHECKING:
    from playwright.async_api import (
        BrowserContext,
        ConsoleMessage,
        Dialog,
        Download,
        Locator,
        Page,
    )

MOST_TABS = 12
_OWN_REQUESTS = ("content-autofill.googleapis.com",)
"""What the browser asks for by itself, where no policy can be put into its jail; no page did."""
_ACTION_MS = 4_000
_SNAPSHOT_S = 10.0


class Look(msgspec.Struct, frozen=True):
    """How a context shows pages."""

    width: int = 1280
    height: int = 800
    locale: str = "en-US"
    timezone: str = "UTC"


class BrowserSession:
    """Tabs of one run. `lock` is held during each action."""

    def __init__(self, chromium: Chromium, proxy: ContextProxy) -> None:
        self.chromium = chromium
        self.proxy = proxy
        self.lock = asyncio.Lock()
        self.tabs: list[Page] = []
        self.current = 0
        self.dialog: Dialog | None = None
        self.dialog_opened = asyncio.Event()
        self.pending: asyncio.Task[Any] | None = None
        """The action that a dialog interrupted."""
        self.downloads: deque[Download] = deque(maxlen=20)
        self.console: deque[str] = deque(maxlen=100)
        self.notes: deque[str] = deque(maxlen=20)
        """What happened since the last result, in sentences."""
        self.pace: Pace
        self.sight: Sight = AccessibleSight()
        self._told: set[str] = set()
        self._context: BrowserContext | None = None

    @classmethod
    async def open(
        cls,
        hosts: Sequence[str],
        *,
        look: Look = Look(),
        local: Mapping[str, Path] | None = None,
        scripts: tuple[str, ...] = (),
    ) -> BrowserSession:
        """A context with one empty tab, which reaches `hosts` and the servers of ours behind the
        sockets of `local`; `scripts` run in each page before its own.

        Raises:
            ToolError: the browser does not start.
        """
        chromium = await browsers.get()
        proxy = ContextProxy(hosts, local)
        server = await chromium.serve(proxy)
        session = cls(chromium, proxy)
        try:
            context = await chromium.browser.new_context(
                proxy={"server": server},
                viewport={"width": look.width, "height": look.height},
                locale=look.locale,
                timezone_id=look.timezone,
                reduced_motion="reduce",
                color_scheme="light",
                device_scale_factor=1,
            )
            session._context = context
            context.set_default_timeout(_ACTION_MS)
            session.pace = RealPace(Requests(context))
            context.on("page", session._add_tab)
            context.on("dialog", session._hear_dialog)
            context.on("console", session._hear_console)
            context.on("weberror", lambda error: session._say(f"error: {error.error}"))
            for script in (STILL, *scripts):
                await context.add_init_script(script)
            await context.new_page()
        except Exception:
            await session.close()
            raise
        return session

    @property
    def context(self) -> BrowserContext:
        """Playwright's handle."""
        assert self._context is not None
        return self._context

    @property
    def alive(self) -> bool:
        """Whether its browser still runs."""
        return self.chromium.alive

    @property
    def page(self) -> Page:
        """The tab that actions are done in."""
        if not self.tabs:
            raise ToolError("There is no open tab. Open one with the action 'tab_new'.")
        return self.tabs[self.current]

    async def tree(self) -> str:
        """The current tab's elements, with refs.

        Raises:
            ToolError: the page does not answer.
        """
        tree = ""
        async with answering(self, _SNAPSHOT_S):
            tree = await self.sight.tree(self.page)
        return tree

    async def find(self, target: str, preferred: Set[str] = frozenset()) -> Locator:
        """The element that a ref or a name means; one of the preferred roles goes before others.

        Raises:
            ToolError: none does, or several; the text names the nearest.
        """
        tree = await self.tree()
        given = snapshot.REF.match(target.strip())
        if given is not None:
            if any(each.ref == given[1] for each in snapshot.elements(tree)):
                return self.sight.element(self.page, given[1])
            raise ToolError(
                f"There is no element {given[1]!r} on this page now. Its refs are in the newest "
                "view of it."
            )
        found = snapshot.fitting(target, tree, preferred)
        if len(found) == 1:
            return self.sight.element(self.page, found[0].ref)
        if found:
            listed = "; ".join(map(str, found[:5]))
            raise ToolError(f"{target!r} means {len(found)} elements: {listed}. Give one's ref.")
        near = "; ".join(map(str, snapshot.nearest(target, tree)))
        hint = f" The nearest: {near}." if near else " Nothing on the page is named like it."
        raise ToolError(f"There is no element {target!r} on the page.{hint}")

    async def until_dialog(self, action: Callable[[], Awaitable[None]]) -> None:
        """Do something that a dialog of the page may interrupt; then it waits for the answer."""
        self.dialog_opened.clear()
        work = asyncio.ensure_future(action())
        heard = asyncio.ensure_future(self.dialog_opened.wait())
        try:
            await asyncio.wait({work, heard}, return_when=asyncio.FIRST_COMPLETED)
            if work.done() or self.dialog is None:
                await work
            else:
                self.pending = work
        except asyncio.CancelledError:
            work.cancel()
            raise
        finally:
            heard.cancel()

    async def answer_dialog(self, accept: bool, text: str | None) -> str:
        """Answer the open dialog; the action it interrupted goes on.

        Raises:
            ToolError: none is open.
        """
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            raise ToolError("No dialog of the page is open.")
        work, self.pending = self.pending, None
        if accept:
            await (dialog.accept(text) if text is not None else dialog.accept())
        else:
            await dialog.dismiss()
        if work is not None:
            await self.until_dialog(lambda: work)
        return "Accepted the dialog." if accept else "Dismissed the dialog."

    def taken_notes(self) -> list[str]:
        """The sentences since the last time, with connections that were refused meanwhile."""
        notes = list(self.notes)
        self.notes.clear()
        for why in self.proxy.take_denied():
            if why not in self._told and not why.startswith(_OWN_REQUESTS):
                self._told.add(why)
                notes.append(f"Refused: {why}.")
        return notes

    async def close(self) -> None:
        """End the context and its proxy; may be called twice."""
        if self.pending is not None:
            self.pending.cancel()
        if self._context is not None and self.alive:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(10):
                    await self._context.close()
        await self.proxy.close()

    def _add_tab(self, page: Page) -> None:
        if len(self.tabs) >= MOST_TABS:
            self.notes.append(f"A tab was closed at once: there are {MOST_TABS} already.")
            _later(page.close())
            return
        self.tabs.append(page)
        if len(self.tabs) > 1:
            self.notes.append(f"A new tab opened and is the current one: tab {len(self.tabs)}.")
        self.current = len(self.tabs) - 1
        page.on("close", self._drop_tab)
        page.on("crash", self._hear_crash)
        page.on("download", self._hear_download)

    def _drop_tab(self, page: Page) -> None:
        if page in self.tabs:
            index = self.tabs.index(page)
            self.tabs.remove(page)
            if self.current >= index:
                self.current = max(0, self.current - 1)

    def _hear_crash(self, page: Page) -> None:
        self.notes.append(
            "The page crashed, most likely for want of memory. Its tab was closed; go on elsewhere."
        )
        self._drop_tab(page)
        _later(page.close())

    def _hear_dialog(self, dialog: Dialog) -> None:
        said = dialog.message[:500]
        if dialog.type in ("alert", "beforeunload"):
            self.notes.append(f"The page said: {said!r}" if said else "The page asked to stay.")
            _later(dialog.accept())
            return
        self.dialog = dialog
        self.notes.append(
            f"The page asks ({dialog.type}): {said!r}. It waits: answer with the action 'dialog'."
        )
        self.dialog_opened.set()

    def _hear_download(self, download: Download) -> None:
        self.downloads.append(download)

    def _hear_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "log", "info"):
            self._say(f"{message.type}: {message.text}")

    def _say(self, line: str) -> None:
        self.console.append(line[:500])


_tasks: set[asyncio.Future[Any]] = set()


def _later(work: Awaitable[Any]) -> None:
    """Do something that an event's handler cannot wait for; a page that is gone is no matter."""

    async def quietly() -> None:
        from playwright.async_api import Error

        with contextlib.suppress(Error):
            await work

    task = asyncio.ensure_future(quietly())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
