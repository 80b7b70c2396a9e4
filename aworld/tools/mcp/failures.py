"""How a connection with an MCP server fails, apart from what a tool itself says."""

from __future__ import annotations

from aworld.errors import ToolError


class ConnectionFailed(ToolError):
    """The server could not be started or reached."""

    def __init__(self, message: str, *, lasting: bool = False) -> None:
        """`lasting`: trying again does not help, as with a command that does not exist."""
        super().__init__(message)
        self.lasting = lasting


class ConnectionLost(ToolError):
    """The server went away during a call."""

    def __init__(self, message: str, *, unsent: bool) -> None:
        """`unsent`: the call surely did not reach the server, so it may be made again."""
        super().__init__(message)
        self.unsent = unsent
