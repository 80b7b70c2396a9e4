"""A desktop with windows, mouse and keyboard, shut in, for programs that have no other door."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from aworld.errors import EnvironmentFault, ToolError
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.desktop.actions import computer_13, pyautogui_code, spaces
from aworld.tools.desktop.kept import close_desktop, desktop_of
from aworld.tools.desktop.session import DesktopSession
from aworld.tools.desktop.view import look
from aworld.tools.failures import MalformedCall

_ACTIONS = ("look", "launch", spaces.COMPUTER, spaces.PYAUTOGUI, "close")
_LAUNCH_S = 1.5


class Desktop(BaseTool):
    """A desktop in the sandbox. The workspace is its home folder; it has no network."""

    name: ClassVar[str] = "desktop"
    description: ClassVar[str] = (
        "Use programs on a desktop (files, text editor, spreadsheet, terminal, browser) whose home "
        "folder is the workspace; there is no network. Actions: look; launch a program by "
        "'command' (pcmanfm, mousepad, gnumeric, gnome-terminal, google-chrome, or your own); "
        "computer with 'action_type' for one movement of mouse or keyboard; pyautogui with 'code'; "
        "close. Each answer has a picture, the elements with their middles, the terminal's text."
    )
    effect: ClassVar[Effect] = "unsafe"
    timeout_s: ClassVar[float] = 120.0

    def get_schema(self) -> dict[str, Any]:
        """An action, and what it needs."""
        return {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": list(_ACTIONS)},
                "command": {"type": "string", "description": "A program with its arguments."},
                **computer_13.PARAMETERS["properties"],
                **pyautogui_code.PARAMETERS["properties"],
            },
            "required": ["action"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """Do the action, wait until the picture stands still, and look.

        Raises:
            MalformedCall: the action lacks an argument.
            ToolError: it cannot be done, or there can be no desktop here.
        """
        action = arguments.pop("action")
        if action == "close":
            await close_desktop(context.workspace)
            return ToolResult("The desktop is closed. Files in the workspace are kept.")
        kept = desktop_of(context.workspace)
        async with kept.lock:
            try:
                session, note = await kept.session()
                await _perform(session, action, arguments)
                seen = await look(session, "screenshot_a11y_tree", note)
            except EnvironmentFault as error:
                raise ToolError(str(error)) from error
        return ToolResult(seen.text, data=seen.data, attachments=seen.attachments)


async def _perform(session: DesktopSession, action: str, arguments: dict[str, Any]) -> None:
    if action == "look":
        return
    if action == "launch":
        if not arguments.get("command", "").strip():
            raise MalformedCall("The action 'launch' needs 'command'. Call it again.")
        await session.launch(arguments["command"], shell=True)
        await asyncio.sleep(_LAUNCH_S)
    else:
        todo = spaces.pieces_of(action, arguments, session.width, session.height)
        if isinstance(todo, str):
            await asyncio.sleep(spaces.WAIT_S if todo == "WAIT" else 0)
            return
        await session.input(todo)
    await session.settle()
