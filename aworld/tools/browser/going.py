"""Going from page to page, and between tabs."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from aworld.errors import ToolError
from aworld.tools.browser.answering import answering
from aworld.tools.browser.faults import in_words
from aworld.tools.browser.outcome import Done, Given
from aworld.tools.browser.session import BrowserSession
from aworld.tools.failures import ToolRefused

_LOAD_S = 30.0
_PORTS = {"http": 80, "https": 443}


async def navigate(session: BrowserSession, given: Given) -> Done:
    """Open an address in the current tab."""
    url = _checked(session, given["url"])
    if not session.tabs:
        await session.context.new_page()
    await _load(session, url)
    return Done(f"Opened {url}.")


async def back(session: BrowserSession, given: Given) -> Done:
    """Go back by one page."""
    moved = False
    async with answering(session, _LOAD_S):
        moved = await session.page.go_back(wait_until="domcontentloaded") is not None
        await session.pace.rest(session.page)
    return Done("Went back." if moved else "There is no page to go back to.")


async def forward(session: BrowserSession, given: Given) -> Done:
    """Go forward by one page."""
    moved = False
    async with answering(session, _LOAD_S):
        moved = await session.page.go_forward(wait_until="domcontentloaded") is not None
        await session.pace.rest(session.page)
    return Done("Went forward." if moved else "There is no page to go forward to.")


async def reload(session: BrowserSession, given: Given) -> Done:
    """Load the page again."""
    async with answering(session, _LOAD_S):
        await session.page.reload(wait_until="domcontentloaded")
        await session.pace.rest(session.page)
    return Done("Loaded the page again.")


async def tabs(session: BrowserSession, given: Given) -> Done:
    """List the tabs."""
    rows = []
    async with answering(session, _LOAD_S):
        for number, page in enumerate(session.tabs, 1):
            mark = " (current)" if number == session.current + 1 else ""
            rows.append(f"{number}. {await page.title() or 'untitled'}, {page.url}{mark}")
    return Done("\n".join(rows) or "No tab is open.", view=False)


async def tab_new(session: BrowserSession, given: Given) -> Done:
    """Open a tab, and an address in it."""
    url = _checked(session, given["url"]) if "url" in given else ""
    async with answering(session, _LOAD_S):
        await session.context.new_page()
    session.notes.clear()
    if url:
        await _load(session, url)
    return Done(f"Opened tab {len(session.tabs)}.")


async def tab_select(session: BrowserSession, given: Given) -> Done:
    """Make a tab the current one."""
    session.current = _number(session, given) - 1
    async with answering(session, _LOAD_S):
        await session.page.bring_to_front()
    return Done(f"Tab {session.current + 1} is the current one.")


async def tab_close(session: BrowserSession, given: Given) -> Done:
    """Close a tab, the current one by default."""
    number = _number(session, given) if "tab" in given else session.current + 1
    page = session.tabs[number - 1] if session.tabs else session.page
    async with answering(session, _LOAD_S):
        await page.close()
    return Done(f"Closed tab {number}.", view=bool(session.tabs))


async def wait(session: BrowserSession, given: Given) -> Done:
    """Wait for a time, or until a text is there."""
    seconds = float(given.get("seconds", 10.0 if "text" in given else 1.0))
    if "text" not in given:
        await session.pace.wait(session.page, seconds)
        return Done(f"Waited {seconds:g} s.")
    end = time.monotonic() + seconds
    while given["text"] not in await session.tree():
        if time.monotonic() > end:
            raise ToolError(f"{given['text']!r} did not appear within {seconds:g} s.")
        await session.pace.wait(session.page, 0.1)
    return Done(f"{given['text']!r} is there.")


async def dialog(session: BrowserSession, given: Given) -> Done:
    """Answer the page's dialog."""
    said = ""
    async with answering(session, _LOAD_S):
        said = await session.answer_dialog(given["accept"], given.get("text"))
    return Done(said)


def _checked(session: BrowserSession, url: str) -> str:
    """An address that may be opened.

    Raises:
        ToolRefused: it is not of the web, or its host is not allowed.
    """
    url = url.strip()
    if url in ("about:blank", ""):
        return "about:blank"
    if "://" not in url and not url.lower().startswith(("javascript:", "data:", "view-source:")):
        url = f"https://{url}"
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        raise ToolError(f"The address {url[:200]!r} is not valid.") from None
    if parts.scheme not in _PORTS:
        raise ToolRefused(f"Only http and https can be opened, not {parts.scheme!r}.")
    if not parts.hostname:
        raise ToolError(f"The address {url[:200]!r} names no host.")
    why = session.proxy.refusal(parts.hostname, port)
    if why:
        raise ToolRefused(why)
    return url


async def _load(session: BrowserSession, url: str) -> None:
    from playwright.async_api import Error

    before = len(session.downloads)
    async with answering(session, _LOAD_S):
        try:
            response = await session.page.goto(
                url, wait_until="domcontentloaded", timeout=_LOAD_S * 1000
            )
        except Error as error:
            if len(session.downloads) > before:
                return
            if not session.alive:
                raise
            denied = session.proxy.take_denied()
            if denied:
                raise ToolRefused(f"Refused: {denied[-1]}.") from error
            raise ToolError(f"{url} could not be opened. {in_words(str(error))}") from error
        if response is not None and response.status == 403:
            denied = session.proxy.take_denied()
            if denied:
                raise ToolRefused(f"Refused: {denied[-1]}.")
        if response is not None and response.status >= 400:
            session.notes.append(f"The host answered with status {response.status}.")
        await session.pace.rest(session.page)


def _number(session: BrowserSession, given: Given) -> int:
    number = int(given["tab"])
    if not 1 <= number <= len(session.tabs):
        raise ToolError(f"There is no tab {number}: {len(session.tabs)} are open.")
    return number
