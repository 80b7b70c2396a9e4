"""What is done to a page's elements."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aworld.errors import ToolError
from aworld.tools.browser.answering import answering
from aworld.tools.browser.faults import in_words
from aworld.tools.browser.outcome import Done, Given
from aworld.tools.browser.session import BrowserSession
from aworld.tools.browser.snapshot import FIELDS

if TYPE_CHECKING:
    from playwright.async_api import Locator

_ACTION_S = 20.0
_TYPED_CHARACTERS = 200
_TYPED_KINDS = ("", "text", "search", "email", "password", "tel", "url", "number")
_KIND = "e => e.isContentEditable ? 'text' : e.tagName === 'INPUT' ? e.type : \
e.tagName === 'TEXTAREA' ? 'text' : null"
_OPTIONS = "e => e.tagName === 'SELECT' ? [...e.options].map(o => o.label.trim()) : null"
_PIXELS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


async def click(session: BrowserSession, given: Given) -> Done:
    """Click an element."""
    element = await session.find(given["target"])
    async with answering(session, _ACTION_S):
        # Told at once: the page is at rest, so nothing is about to enable it.
        if await element.is_disabled():
            raise ToolError(in_words("element is not enabled"))
    button = given.get("button", "left")
    count = 2 if given.get("double") else 1
    await _act(session, lambda: element.click(button=button, click_count=count))
    return Done(f"Clicked {given['target']!r}.")


async def fill(session: BrowserSession, given: Given) -> Done:
    """Put a text into a field, in place of what it holds."""
    element = await session.find(given["target"], FIELDS)
    text = given["text"]

    async def put() -> None:
        kind = await element.evaluate(_KIND)
        if kind in _TYPED_KINDS and 0 < len(text) <= _TYPED_CHARACTERS and "\n" not in text:
            # Key by key, for pages that listen to keys: lists of suggestions, live searches.
            await element.fill("")
            await element.press_sequentially(text)
        else:
            await element.fill(text)
        if given.get("submit"):
            await element.press("Enter")

    await _act(session, put)
    return Done(f"Filled {given['target']!r}.")


async def select(session: BrowserSession, given: Given) -> Done:
    """Choose options of a list by their labels."""
    element = await session.find(given["target"], FIELDS)
    wanted = given["options"]
    known: list[str] | None = None
    async with answering(session, _ACTION_S):
        known = await element.evaluate(_OPTIONS)
    if known is None:
        raise ToolError(f"{given['target']!r} is no list to select from. Click it instead.")
    missing = [label for label in wanted if label.strip() not in known]
    if missing:
        shown = ", ".join(map(repr, known[:30]))
        raise ToolError(f"The list has no option {missing[0]!r}. It has: {shown}.")
    # By position: a label that Playwright compares may not have been trimmed.
    positions = [known.index(label.strip()) for label in wanted]
    await _act(session, lambda: element.select_option(index=positions))
    return Done(f"Selected {', '.join(map(repr, wanted))}.")


async def press(session: BrowserSession, given: Given) -> Done:
    """Press a key, on an element or where the focus is."""
    key = given["key"]
    if "target" in given:
        element = await session.find(given["target"])
        await _act(session, lambda: element.press(key))
    else:
        await _act(session, lambda: session.page.keyboard.press(key))
    return Done(f"Pressed {key!r}.")


async def type_text(session: BrowserSession, given: Given) -> Done:
    """Type where the focus is, or at the end of an element's text."""
    text = given["text"]
    if "target" in given:
        element = await session.find(given["target"], FIELDS)
        await _act(session, lambda: element.press_sequentially(text))
    else:
        await _act(session, lambda: session.page.keyboard.type(text))
    return Done(f"Typed {len(text)} characters.")


async def hover(session: BrowserSession, given: Given) -> Done:
    """Put the mouse over an element."""
    element = await session.find(given["target"])
    await _act(session, lambda: element.hover())
    return Done(f"The mouse is over {given['target']!r}.")


async def scroll(session: BrowserSession, given: Given) -> Done:
    """Scroll the page, or the element under the mouse after a target is given."""
    across, along = _PIXELS[given.get("direction", "down")]
    pixels = int(given.get("pixels", 600))
    element = await session.find(given["target"]) if "target" in given else None

    async def turn() -> None:
        if element is not None:
            await element.scroll_into_view_if_needed()
            await element.evaluate(
                "(e, [x, y]) => e.scrollBy(x, y)", [across * pixels, along * pixels]
            )
        else:
            await session.page.evaluate(
                "([x, y]) => window.scrollBy(x, y)", [across * pixels, along * pixels]
            )

    await _act(session, turn)
    return Done(f"Scrolled {given.get('direction', 'down')} by {pixels} pixels.")


async def drag(session: BrowserSession, given: Given) -> Done:
    """Drag an element onto another."""
    start, end = await session.find(given["target"]), await session.find(given["to"])
    await _act(session, lambda: _drag(session, start, end))
    return Done(f"Dragged {given['target']!r} to {given['to']!r}.")


async def _drag(session: BrowserSession, start: Locator, end: Locator) -> None:
    """By the mouse, in steps: pages that move a thing by its offset see each of them."""
    mouse = session.page.mouse
    await start.hover()
    await mouse.down()
    box = await end.bounding_box()
    if box is None:
        raise ToolError("The place to drag to is not visible.")
    await mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
    await mouse.up()


async def click_at(session: BrowserSession, given: Given) -> Done:
    """Click a point of the picture."""
    x, y = _inside(session, given["x"], given["y"])
    await _act(session, lambda: session.page.mouse.click(x, y))
    return Done(f"Clicked at ({x:g}, {y:g}).")


async def drag_at(session: BrowserSession, given: Given) -> Done:
    """Drag from a point of the picture to another."""
    start = _inside(session, given["x"], given["y"])
    end = _inside(session, given["to_x"], given["to_y"])
    mouse = session.page.mouse

    async def pull() -> None:
        await mouse.move(*start)
        await mouse.down()
        await mouse.move(*end, steps=8)
        await mouse.up()

    await _act(session, pull)
    return Done(f"Dragged from ({start[0]:g}, {start[1]:g}) to ({end[0]:g}, {end[1]:g}).")


def _inside(session: BrowserSession, x: float, y: float) -> tuple[float, float]:
    size = session.page.viewport_size
    if size is not None and not (0 <= x < size["width"] and 0 <= y < size["height"]):
        raise ToolError(
            f"The point ({x:g}, {y:g}) is outside of the picture, which is {size['width']} wide "
            f"and {size['height']} high."
        )
    return x, y


async def _act(session: BrowserSession, action: Callable[[], Awaitable[Any]]) -> None:
    """Do it, and wait until the page is at rest again."""

    async def both() -> None:
        async with answering(session, _ACTION_S):
            await action()
            # What was clicked may have closed its tab.
            if session.tabs:
                await session.pace.rest(session.page)

    await session.until_dialog(both)
