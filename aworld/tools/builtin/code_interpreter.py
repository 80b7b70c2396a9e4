"""Python in the sandbox."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, ClassVar

from aworld.errors import SandboxError, ToolError
from aworld.sandbox import open_sandbox
from aworld.tools.base import Attachment, BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.failures import ToolRefused
from aworld.tools.interpreter.session import Outcome
from aworld.tools.interpreter.sessions import sessions

SECONDS = 60.0
"""Time one cell may take."""


class CodeInterpreter(BaseTool):
    """Runs a cell of Python; variables live on until the run ends, files in the workspace."""

    name: ClassVar[str] = "code_interpreter"
    description: ClassVar[str] = (
        "Run Python code in a sandbox without network. Variables stay for the next call; print "
        "what you want to see."
    )
    effect: ClassVar[Effect] = "unsafe"
    # Above the cell's own limit, which kills the process and says what is lost.
    timeout_s: ClassVar[float] = SECONDS + 30.0

    def get_schema(self) -> dict[str, Any]:
        """The code."""
        return {
            "type": "object",
            "properties": {"code": {"type": "string", "description": "Python"}},
            "required": ["code"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """What the code printed, and its last value.

        Raises:
            ToolRefused: the run has no workspace, or the machine no sandbox.
            ToolError: the code raised; the text has its output and the traceback.
        """
        if not context.workspace:
            raise ToolRefused("This run has no workspace, so no code can be run.")
        workspace = Path(context.workspace)
        workspace.mkdir(parents=True, exist_ok=True)
        try:
            session = await sessions.get(open_sandbox(), workspace)
            async with session.lock:
                outcome = await session.execute(arguments["code"], SECONDS)
        except SandboxError as error:
            raise ToolRefused(str(error)) from error
        text = as_text(outcome)
        if outcome.error is not None:
            raise ToolError(text)
        return ToolResult(text, data=as_data(outcome), attachments=as_attachments(outcome))


def as_text(outcome: Outcome) -> str:
    """All that the model needs to know, in the order in which a notebook shows it."""
    parts = [_stream(outcome.stdout, outcome.stdout_cut)]
    warnings = _stream(outcome.stderr, outcome.stderr_cut)
    parts.append(f"stderr:\n{warnings}" if warnings else "")
    parts.append(outcome.value or "")
    parts.append(outcome.error or "")
    if outcome.plots:
        count = len(outcome.plots)
        parts.append(f"({count} plot{'s' if count > 1 else ''} attached)")
    return "\n".join(part for part in parts if part) or "(no output)"


def as_data(outcome: Outcome) -> dict[str, Any]:
    """`{stdout, stderr, value}`."""
    return {"stdout": outcome.stdout, "stderr": outcome.stderr, "value": outcome.value}


def as_attachments(outcome: Outcome) -> tuple[Attachment, ...]:
    """The plots as pictures."""
    return tuple(
        Attachment(f"plot-{number}.png", "image/png", base64.b64decode(picture))
        for number, picture in enumerate(outcome.plots, 1)
    )


def _stream(text: str, cut: int) -> str:
    shown = text.rstrip("\n")
    return f"{shown}\n… cut: {cut} more bytes were written." if cut else shown
