"""bash in the sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from aworld.errors import SandboxError, ToolError
from aworld.sandbox import Surroundings, open_sandbox
from aworld.sandbox.reasons import as_lines
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.failures import ToolRefused, ToolTimeout
from aworld.tools.shell.session import Finished
from aworld.tools.shell.sessions import session_of

SECONDS = 60.0
"""Time a command may take where the call does not say."""
MOST_SECONDS = 300.0

COMMAND_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "description": "For bash; may have several lines"},
        "timeout_s": {
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": MOST_SECONDS,
            "description": f"Seconds until it is stopped; {SECONDS:g} where not given",
        },
    },
    "required": ["command"],
    "additionalProperties": False,
}
"""The arguments, here and as an action of the terminal environment."""


class Shell(BaseTool):
    """Runs a command in bash; folder and variables live on until the run ends."""

    name: ClassVar[str] = "shell"
    description: ClassVar[str] = (
        "Run a command in a persistent bash session in a sandbox. The current folder, variables "
        "and background processes stay for the next call; nothing can be typed into a program."
    )
    effect: ClassVar[Effect] = "unsafe"
    # Above the command's own limit, which stops it and keeps the shell.
    timeout_s: ClassVar[float] = MOST_SECONDS + 30.0

    def get_schema(self) -> dict[str, Any]:
        """The command, and how long it may take."""
        return COMMAND_SCHEMA

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """What the command wrote, and its exit status where it is not 0.

        Raises:
            ToolRefused: the run has no workspace, or the machine no sandbox.
            ToolTimeout: the command was stopped.
            ToolError: the shell ended.
        """
        if not context.workspace:
            raise ToolRefused("This run has no workspace, so no command can be run.")
        Path(context.workspace).mkdir(parents=True, exist_ok=True)
        around = Surroundings(network=context.network)
        try:
            session = await session_of(open_sandbox(), context.workspace, around)
            finished = await session.execute(
                arguments["command"], arguments.get("timeout_s", SECONDS)
            )
        except SandboxError as error:
            raise ToolRefused(str(error)) from error
        return as_result(finished)


def as_result(finished: Finished) -> ToolResult:
    """The result of a command as a tool gives it.

    Raises:
        ToolTimeout: it was stopped for its time.
        ToolError: it was stopped for another limit, or the shell ended.
    """
    text = as_text(finished)
    if finished.stopped.startswith("it did not end"):
        raise ToolTimeout(text)
    if finished.lost or finished.stopped:
        raise ToolError(text)
    return ToolResult(text, data=as_data(finished))


def as_text(finished: Finished) -> str:
    """All that a model needs to know."""
    parts = [finished.output.rstrip("\n")]
    if finished.exit_code and not finished.stopped:
        parts.append(f"(exit code {finished.exit_code})")
    if finished.stopped:
        parts.append(f"sandbox: it was stopped: {finished.stopped}")
    parts.append(as_lines(finished.denied))
    if finished.lost:
        parts.append(
            "(the shell ended: its variables and background processes are lost, files in the "
            "workspace are kept; the next call starts a new one)"
        )
    return "\n".join(part for part in parts if part) or "(no output)"


def as_data(finished: Finished) -> dict[str, Any]:
    """`{exit_code, folder, bytes}`."""
    return {
        "exit_code": finished.exit_code,
        "folder": finished.folder,
        "bytes": finished.total_bytes,
    }
