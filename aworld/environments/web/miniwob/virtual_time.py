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
INSTALLED = BEGIN - datetime.timedelta(hours=1)
"""The clock runs from when it is installed to when it is stopped at `BEGIN`, some milliseconds."""
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
