"""A web browser, shut in, that reaches only the hosts that the run may reach."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.browser.actions import ACTIONS, PARAMETERS, perform
from aworld.tools.browser.looking import view
from aworld.tools.browser.sessions import sessions
from aworld.tools.browser.transfer import save_downloads
from aworld.tools.failures import MalformedCall


class Browser(BaseTool):
    """Chromium, driven by actions; each answer shows the page as a tree with refs to act by."""

    name: ClassVar[str] = "browser"
    description: ClassVar[str] = (
        "Use a web browser. Each answer shows the page as a tree of elements with refs such as "
        "e12; give a ref as 'target' to act on an element. "
        + " ".join(
            f"{name}({', '.join((*known.needed, *(f'{o}?' for o in known.optional)))})."
            for name, known in ACTIONS.items()
        )
    )
    effect: ClassVar[Effect] = "unsafe"
    timeout_s: ClassVar[float] = 90.0

    def get_schema(self) -> dict[str, Any]:
        """An action, and what it needs."""
        return {
            "type": "object",
            "properties": {"action": {"enum": list(ACTIONS)}, **PARAMETERS},
            "required": ["action"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """Do the action; the answer has what happened, then the page as it is now.

        Raises:
            MalformedCall: the action lacks an argument.
            ToolRefused: the host is not allowed, or the browser cannot be shut in here.
            ToolError: it cannot be done.
        """
        action = arguments.pop("action")
        known = ACTIONS[action]
        for field in known.needed:
            if field not in arguments:
                raise MalformedCall(f"The action {action!r} needs {field!r}. Call it again.")
        extra = [field for field in arguments if field not in (*known.needed, *known.optional)]
        if extra:
            raise MalformedCall(f"The action {action!r} takes no {extra[0]!r}. Call it again.")
        session = await sessions.get(context)
        async with session.lock:
            done = await perform(session, action, {**arguments, "workspace": context.workspace})
            saved = await save_downloads(session, context.workspace)
            parts = [done.text, *session.taken_notes(), *saved]
            if done.view:
                parts.append(await view(session))
        data = {"address": session.page.url, "tab": session.current + 1} if session.tabs else None
        return ToolResult("\n".join(parts), data=data, attachments=done.attachments)
