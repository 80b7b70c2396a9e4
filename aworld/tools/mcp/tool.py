"""A tool of an MCP server, as a tool of ours."""

from __future__ import annotations

from typing import Any, cast

from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.mcp.connections import connections
from aworld.tools.mcp.listing import ListedTool, Listing, tool_names
from aworld.tools.mcp.server_spec import ServerSpec


class McpTool(BaseTool, register=False):
    """Calls a tool of a server; the connection is opened when it is first needed."""

    # These shadow the class variables: each server has tools of its own.
    name: str  # type: ignore[misc]
    description: str  # type: ignore[misc]
    effect: Effect  # type: ignore[misc]
    timeout_s: float  # type: ignore[misc]

    def __init__(self, spec: ServerSpec, name: str, listed: ListedTool) -> None:
        self.name = name
        self.description = listed.description or listed.title or f"{listed.name} of {spec.name}"
        self.effect = listed.effect
        # The server's own limit for silence is kept inside, with its words.
        self.timeout_s = spec.longest_s + spec.start_s
        self.spec = spec
        self.listed = listed

    def get_schema(self) -> dict[str, Any]:
        """As the server gave it."""
        return cast(dict[str, Any], self.listed.parameters)

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """Call it on the server.

        Raises:
            ToolError: it could not be done, in the server's own words where it has some.
        """
        connection = await connections.get(self.spec, context.workspace)
        return await connection.call(
            self.listed.name, arguments, repeatable=self.effect != "unsafe"
        )


def offered_tools(spec: ServerSpec, listing: Listing) -> dict[str, McpTool]:
    """The tools of a server that agents can be given, by their names here.

    Left out are those whose schema cannot be used, and those that `spec.tools` does not name.
    """
    names = tool_names(spec.name, [tool.name for tool in listing.tools])
    return {
        names[tool.name]: McpTool(spec, names[tool.name], tool)
        for tool in listing.tools
        if not tool.problem and (spec.tools is None or tool.name in spec.tools)
    }
