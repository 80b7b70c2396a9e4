"""A call of the browser, as an agent makes it."""

from __future__ import annotations

from typing import Any

import pytest

from aworld.errors import ToolError
from aworld.tools import registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.browser.chromium import ways
from aworld.tools.browser.program import find_browser


def missing() -> str:
    """What this machine lacks for a browser; "" where it has all."""
    try:
        find_browser()
        ways()
    except ToolError as error:
        return str(error)
    return ""


async def browse(context: ToolContext, action: str, **arguments: Any) -> ToolResult:
    """Call the tool."""
    return await registry.call("browser", context, {"action": action, **arguments})


async def refused(context: ToolContext, action: str, **arguments: Any) -> str:
    """Call it; what it says no with."""
    with pytest.raises(ToolError) as caught:
        await browse(context, action, **arguments)
    return str(caught.value)
