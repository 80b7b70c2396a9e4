"""Files of the run's workspace."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.failures import MalformedCall
from aworld.tools.workspace import actions
from aworld.tools.workspace.folder import Folder

_NEEDED = {
    "read": ("path",),
    "write": ("path", "text"),
    "append": ("path", "text"),
    "patch": ("path", "old", "new"),
    "list": (),
    "search": ("text",),
}


class Files(BaseTool):
    """Reads and changes files that the code interpreter sees as well."""

    name: ClassVar[str] = "files"
    description: ClassVar[str] = (
        "Read, write, append, patch, list or search text files in the workspace."
    )
    effect: ClassVar[Effect] = "unsafe"
    timeout_s: ClassVar[float] = 30.0

    def get_schema(self) -> dict[str, Any]:
        """An action, and what it needs."""
        return {
            "type": "object",
            "properties": {
                "action": {"enum": list(_NEEDED)},
                "path": {"type": "string", "description": "Inside the workspace: notes/plan.txt"},
                "text": {"type": "string", "description": "To write, append or search for"},
                "old": {"type": "string", "description": "patch: a passage, there exactly once"},
                "new": {"type": "string", "description": "patch: what takes its place"},
                "first_line": {"type": "integer", "minimum": 1},
                "lines": {"type": "integer", "minimum": 1},
            },
            "required": ["action"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """Do the action.

        Raises:
            ToolError: no such file, too large, no text.
            ToolRefused: the path leads out of the workspace.
        """
        action = arguments["action"]
        for field in _NEEDED[action]:
            if field not in arguments:
                raise MalformedCall(f"The action {action!r} needs {field!r}. Call it again.")
        text = await asyncio.to_thread(_perform, context.workspace, action, arguments)
        return ToolResult(text)


def _perform(workspace: str, action: str, given: dict[str, Any]) -> str:
    folder = Folder(workspace)
    path = given.get("path", "")
    match action:
        case "read":
            return actions.read(folder, path, given.get("first_line", 1), given.get("lines", 0))
        case "write":
            return actions.write(folder, path, given["text"])
        case "append":
            return actions.append(folder, path, given["text"])
        case "patch":
            return actions.patch(folder, path, given["old"], given["new"])
        case "list":
            return actions.list_folder(folder, path)
        case _:
            return actions.search(folder, path, given["text"])
