"""Files of the run's workspace."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.failures import MalformedCall
from aworld.tools.workspace import actions, patching, searching
from aworld.tools.workspace.folder import Folder

_NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "read": (("path",),),
    "write": (("path", "text"),),
    "append": (("path", "text"),),
    "patch": (("path", "old", "new"), ("diff",)),
    "list": ((),),
    "search": (("text",), ("pattern",)),
    "move": (("path", "to"),),
    "delete": (("path",),),
}
"""For each action what it needs: one of these sets."""


class Files(BaseTool):
    """Reads and changes files that the code interpreter sees as well."""

    name: ClassVar[str] = "files"
    description: ClassVar[str] = (
        "Read, write, append, patch, list, search, move or delete text files in the workspace."
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
                "pattern": {"type": "string", "description": "search: a regular expression"},
                "old": {"type": "string", "description": "patch: a passage, there exactly once"},
                "new": {"type": "string", "description": "patch: what takes its place"},
                "diff": {
                    "type": "string",
                    "description": "patch: a unified diff, for one file or several",
                },
                "to": {"type": "string", "description": "move: the new path"},
                "first_line": {"type": "integer", "minimum": 1},
                "lines": {"type": "integer", "minimum": 1, "description": "How many to read"},
                "deep": {"type": "boolean", "description": "list: all files below"},
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
        if not any(all(field in arguments for field in way) for way in _NEEDED[action]):
            ways = " or ".join(" and ".join(map(repr, way)) for way in _NEEDED[action])
            raise MalformedCall(f"The action {action!r} needs {ways}. Call it again.")
        if action == "search" and "pattern" in arguments:
            folder, path = Folder(context.workspace), arguments.get("path", "")
            return ToolResult(await searching.search_pattern(folder, path, arguments["pattern"]))
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
        case "patch" if "diff" in given:
            return patching.apply_diff(folder, given["diff"], path)
        case "patch":
            return patching.replace_passage(folder, path, given["old"], given["new"])
        case "list":
            return actions.list_folder(folder, path, deep=given.get("deep", False))
        case "move":
            return actions.move(folder, path, given["to"])
        case "delete":
            return actions.delete(folder, path)
        case _:
            return searching.search_text(folder, path, given["text"])
