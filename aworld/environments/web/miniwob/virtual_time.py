"""Time that passes only while something is done.

MiniWoB's pages glide, count down and move things about. Their timers run on a clock of ours, so a
model may think as long as it likes and the same actions always meet the same page.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Page

BEGIN = datetime.datetime(2024, 3, 4, 10, 0, 0, tzinfo=datetime.UTC)
_INSTALLED = BEGIN - datetime.timedelta(hours=1)
_ALIGNED_MS = 60_000
COUNT_CHANGES = """
(() => {
  window.aworldChanges = 0;
  new MutationObserver(() => { window.aworldChanges += 1; }).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
})();
"""
"""Put into every page before its own scripts."""

_TICK_MS = 100
_QUIET_TICKS = 4
_MOST_TICKS = 20


async def stop_time(page: Page) -> None:
    """Put the page's next documents on the clock; before the page is opened."""
    await page.clock.install(time=_INSTALLED)
    await page.clock.pause_at(BEGIN)


async def align_time(page: Page) -> None:
    """Bring a loaded page to `BEGIN`, and its frames to where they always are: the clock has run
    for as long as it took to stop it, which is never the same."""
    ran_ms = int(await page.evaluate("performance.now()"))
    await page.clock.run_for(max(0, _ALIGNED_MS - ran_ms))
    await page.clock.set_system_time(BEGIN)


class VirtualPace:
    """Lets the page's clock run until nothing changes for 0.4 s, at most 2 s."""

    async def rest(self, page: Page) -> None:
        """Let it run."""
        quiet = 0
        changes = await page.evaluate("window.aworldChanges")
        for _ in range(_MOST_TICKS):
            await page.clock.run_for(_TICK_MS)
            now = await page.evaluate("window.aworldChanges")
            quiet = quiet + 1 if now == changes else 0
            changes = now
            if quiet >= _QUIET_TICKS:
                return

    async def wait(self, page: Page, seconds: float) -> None:
        """Let it run for so long."""
        await page.clock.run_for(int(seconds * 1000))
