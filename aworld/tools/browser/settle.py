"""Waiting until a page has come to rest, so that the same actions show the same things."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Request

STILL = """
(() => {
  const style = () => {
    if (!document.documentElement || document.getElementById('aworld-still')) return;
    const sheet = document.createElement('style');
    sheet.id = 'aworld-still';
    sheet.textContent = '*,*::before,*::after{animation-duration:0s!important;'
      + 'animation-delay:0s!important;transition-duration:0s!important;'
      + 'transition-delay:0s!important;scroll-behavior:auto!important;'
      + 'caret-color:transparent!important}';
    document.documentElement.append(sheet);
  };
  style();
  document.addEventListener('DOMContentLoaded', style);
})();
"""
"""Put into every page before its own scripts: nothing glides, nothing blinks."""

_QUIET_MS = 60
_MOST_S = 5.0
_QUIET = """
([quiet, most]) => new Promise(done => {
  const end = still => { observer.disconnect(); done(still); };
  let timer = setTimeout(() => end(true), quiet);
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => end(true), quiet);
  });
  observer.observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  setTimeout(() => end(false), most);
})
"""
_LASTING = ("websocket", "eventsource", "media", "ping")
"""Kinds of requests that have no end worth waiting for."""


class Pace(Protocol):
    """How time passes for a page."""

    async def rest(self, page: Page) -> None:
        """Return once the page is at rest, or will not be."""
        ...

    async def wait(self, page: Page, seconds: float) -> None:
        """Let time pass."""
        ...


class Requests:
    """What a context is still loading."""

    def __init__(self, context: BrowserContext) -> None:
        self._open: set[Request] = set()
        context.on("request", self._begin)
        context.on("requestfinished", self._end)
        context.on("requestfailed", self._end)

    def _begin(self, request: Request) -> None:
        if request.resource_type not in _LASTING:
            self._open.add(request)

    def _end(self, request: Request) -> None:
        self._open.discard(request)

    def forget(self) -> None:
        """What is open now will not end: a page that was left, a request that hangs."""
        self._open.clear()

    @property
    def count(self) -> int:
        """How many requests are open."""
        return len(self._open)


class RealPace:
    """Time as the clock on the wall has it. At rest is what loads nothing and changes nothing for
    a moment; after five seconds a page is taken as it is."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def wait(self, page: Page, seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds)

    async def rest(self, page: Page) -> None:
        """Wait for it."""
        end = time.monotonic() + _MOST_S
        while (left := end - time.monotonic()) > 0:
            still = await self._still(page, left)
            if still and self._requests.count == 0:
                return
            if self._requests.count:
                await asyncio.sleep(0.02)
        self._requests.forget()

    async def _still(self, page: Page, left_s: float) -> bool:
        from playwright.async_api import Error

        # A page that is left while we ask answers with an error; the next one is asked then.
        with contextlib.suppress(Error, TimeoutError):
            async with asyncio.timeout(left_s):
                await page.wait_for_load_state("domcontentloaded")
                most_ms = max(_QUIET_MS, int(min(left_s, 2.0) * 1000))
                return bool(await page.evaluate(_QUIET, [_QUIET_MS, most_ms]))
        if page.is_closed():
            return True
        await asyncio.sleep(0.02)
        return False
