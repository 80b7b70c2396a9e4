"""What is read from a page: its tree, its text, a picture, what its scripts said."""

from __future__ import annotations

from aworld.tools.base import Attachment
from aworld.tools.browser.answering import answering
from aworld.tools.browser.outcome import Done, Given
from aworld.tools.browser.session import BrowserSession
from aworld.tools.browser.snapshot import piece

SHOWN_CHARACTERS = 12_000
"""Of a page's tree or text in one answer."""
_PICTURE_S = 20.0
_MOST_PIXELS = 4_000


async def view(session: BrowserSession, offset: int = 0) -> str:
    """The current page as text: title, address, tree."""
    if not session.tabs:
        return "No tab is open."
    if session.dialog is not None:
        return "The page waits for an answer to its dialog."
    tree = await session.tree()
    title = ""
    async with answering(session, _PICTURE_S):
        title = await session.page.title()
    head = f"Page: {title[:200] or 'untitled'}\nAddress: {session.page.url[:500]}\n"
    return head + piece(tree or "(the page is empty)", offset, SHOWN_CHARACTERS)


async def snapshot(session: BrowserSession, given: Given) -> Done:
    """The page's tree, from an offset on."""
    return Done(await view(session, int(given.get("offset", 0))), view=False)


async def text(session: BrowserSession, given: Given) -> Done:
    """The text of the page or of an element, as it can be seen."""
    element = await session.find(given["target"]) if "target" in given else None
    found = ""
    async with answering(session, _PICTURE_S):
        found = await (element or session.page.locator("body")).inner_text()
    return Done(
        piece(found.strip() or "(no text)", int(given.get("offset", 0)), SHOWN_CHARACTERS),
        view=False,
    )


async def screenshot(session: BrowserSession, given: Given) -> Done:
    """A picture of what can be seen, of an element, or of the page in its whole length."""
    picture = b""
    if "target" in given:
        element = await session.find(given["target"])
        async with answering(session, _PICTURE_S):
            picture = await element.screenshot(animations="disabled", caret="hide")
    else:
        picture = await take_picture(session, whole=bool(given.get("full_page")))
    attachment = Attachment("screenshot.png", "image/png", picture)
    return Done("A picture of the page is attached.", view=False, attachments=(attachment,))


async def take_picture(session: BrowserSession, *, whole: bool = False) -> bytes:
    """A PNG of the current tab; `whole` shows up to 4,000 pixels of its length."""
    page = session.page
    picture = b""
    async with answering(session, _PICTURE_S):
        if whole:
            size = page.viewport_size or {"width": 1280, "height": 800}
            height = await page.evaluate("document.documentElement.scrollHeight")
            area = {"x": 0.0, "y": 0.0, "width": float(size["width"]), "height": 0.0}
            area["height"] = float(max(1, min(int(height), _MOST_PIXELS)))
            picture = await page.screenshot(
                full_page=True,
                clip={"x": 0, "y": 0, "width": area["width"], "height": area["height"]},
                animations="disabled",
                caret="hide",
            )
        else:
            picture = await page.screenshot(animations="disabled", caret="hide")
    return picture


async def console(session: BrowserSession, given: Given) -> Done:
    """What the pages' scripts wrote, with their errors."""
    return Done("\n".join(session.console) or "Nothing was written.", view=False)
