"""Waiting for a page that may say nothing, or for a browser that may have ended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from aworld.errors import ToolError
from aworld.tools.browser.faults import in_words

if TYPE_CHECKING:
    from aworld.tools.browser.session import BrowserSession


@contextlib.asynccontextmanager
async def answering(session: BrowserSession, seconds: float) -> AsyncGenerator[None]:
    """Turns a page's silence, and the browser's end, into sentences.

    Raises:
        ToolError: in place of Playwright's errors.
    """
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(seconds):
            yield
    except (TimeoutError, Error) as error:
        if not session.alive:
            raise ToolError(
                "The browser has crashed. The next call starts a new one, with an empty tab."
            ) from error
        if not isinstance(error, Error):
            raise ToolError(
                f"The page did not answer within {seconds:g} s: a script keeps it busy. Close "
                "its tab, or go to another page."
            ) from None
        raise ToolError(in_words(str(error))) from error
