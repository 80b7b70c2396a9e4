"""Python in the sandbox."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from aworld.errors import SandboxError, ToolError
from aworld.sandbox import Surroundings, open_sandbox
from aworld.sandbox.reasons import as_lines
from aworld.tools.base import Attachment, BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.failures import ToolRefused
from aworld.tools.interpreter.changes import FileSize, look, written
from aworld.tools.interpreter.session import PREPARE_S, Outcome
from aworld.tools.interpreter.sessions import sessions

SECONDS = 60.0
"""Time one cell may take."""
_MOST_NAMED = 20


class CodeInterpreter(BaseTool):
    """Runs a cell of Python; variables live on until the run ends, files in the workspace."""

    name: ClassVar[str] = "code_interpreter"
    description: ClassVar[str] = (
        "Run Python code in a sandbox without network. Variables stay for the next call; print "
        "what you want to see. numpy, pandas and matplotlib are there; plots come back as pictures."
    )
    effect: ClassVar[Effect] = "unsafe"
    # Above the cell's own limits, which kill the process and say what is lost.
    timeout_s: ClassVar[float] = PREPARE_S + SECONDS + 30.0

    def get_schema(self) -> dict[str, Any]:
        """The code."""
        return {
            "type": "object",
            "properties": {"code": {"type": "string", "description": "Python"}},
            "required": ["code"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """What the code printed, its last value, its plots, and the files that it wrote.

        Raises:
            ToolRefused: the run has no workspace, or the machine no sandbox.
            ToolError: the code raised; the text has its output and the traceback.
        """
        if not context.workspace:
            raise ToolRefused("This run has no workspace, so no code can be run.")
        workspace = Path(context.workspace)
        workspace.mkdir(parents=True, exist_ok=True)
        try:
            around = Surroundings(network=context.network)
            session = await sessions.get(open_sandbox(), workspace, around)
            async with session.lock:
                before = await asyncio.to_thread(look, workspace)
                outcome = await session.execute(arguments["code"], SECONDS)
                files = written(before, await asyncio.to_thread(look, workspace))
        except SandboxError as error:
            raise ToolRefused(str(error)) from error
        text = as_text(outcome, files)
        if outcome.error is not None:
            raise ToolError(text)
        return ToolResult(text, data=as_data(outcome, files), attachments=as_attachments(outcome))


def as_text(outcome: Outcome, files: Sequence[FileSize] = ()) -> str:
    """All that the model needs to know, in the order in which a notebook shows it."""
    parts = [_stream(outcome.stdout, outcome.stdout_cut)]
    warnings = _stream(outcome.stderr, outcome.stderr_cut)
    parts.append(f"stderr:\n{warnings}" if warnings else "")
    parts.append(outcome.value or "")
    parts.append(outcome.error or "")
    parts.append(as_lines(outcome.denied))
    if outcome.plots or outcome.plots_left_out:
        count = len(outcome.plots)
        more = f", {outcome.plots_left_out} left out" if outcome.plots_left_out else ""
        parts.append(f"({count} plot{'' if count == 1 else 's'} attached{more})")
    if files:
        names = ", ".join(f"{path} ({size} bytes)" for path, size in files[:_MOST_NAMED])
        more = f" and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""
        parts.append(f"(files written: {names}{more})")
    return "\n".join(part for part in parts if part) or "(no output)"


def as_data(outcome: Outcome, files: Sequence[FileSize] = ()) -> dict[str, Any]:
    """`{stdout, stderr, value, files: [{path, size}]}`."""
    return {
        "stdout": outcome.stdout,
        "stderr": outcome.stderr,
        "value": outcome.value,
        "files": [file._asdict() for file in files],
    }


def as_attachments(outcome: Outcome) -> tuple[Attachment, ...]:
    """The plots as pictures."""
    return tuple(
        Attachment(f"plot-{number}.png", "image/png", base64.b64decode(picture))
        for number, picture in enumerate(outcome.plots, 1)
    )


def _stream(text: str, cut: int) -> str:
    shown = text.rstrip("\n")
    return f"{shown}\n… cut: {cut} more bytes were written." if cut else shown
