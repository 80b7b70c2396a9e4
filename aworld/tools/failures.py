"""The ways a call of a tool ends without a result. All are ToolErrors, so the model is told."""

from __future__ import annotations

from typing import ClassVar

from aworld.errors import ToolError


class ToolTimeout(ToolError):
    """The tool did not finish in time."""

    reason: ClassVar[str] = "timeout"


class MalformedCall(ToolError):
    """The arguments do not fit the tool's schema; the tool was not called."""

    reason: ClassVar[str] = "malformed_call"


class ToolRefused(ToolError):
    """The tool may not do this: a path outside the workspace, code without a sandbox."""

    reason: ClassVar[str] = "refused"


def reason_of(error: ToolError) -> str:
    """The word that `tool.failed` records: `timeout`, `malformed_call`, `refused` or `error`."""
    if isinstance(error, ToolTimeout | MalformedCall | ToolRefused):
        return error.reason
    return "error"
