"""Our tools as an MCP server, through the official SDK: any MCP client lists and calls them."""

from __future__ import annotations

import base64
import logging
import tempfile
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from aworld.errors import AWorldError, ConfigurationError
from aworld.tools import registry
from aworld.tools.base import Attachment, BaseTool, ToolContext, ToolResult
from aworld.tools.interpreter.sessions import close_interpreter
from aworld.tools.open_things import close_all

if TYPE_CHECKING:
    from mcp.server import Server, ServerRequestContext
    from mcp_types import (
        CallToolRequestParams,
        CallToolResult,
        ContentBlock,
        ListToolsResult,
        PaginatedRequestParams,
        Tool,
    )

KEPT_FILES = 50
"""Files of results that a later call may read on, newest last."""

log = logging.getLogger(__name__)

FindTools = Callable[[], Mapping[str, BaseTool]]
"""The tools on offer, by name; asked anew for each listing and call."""


class ToolServer:
    """Answers listings and calls; one folder for all of its clients."""

    def __init__(self, find_tools: FindTools, workspace: str) -> None:
        self._find_tools = find_tools
        self._workspace = workspace
        self._files: dict[str, bytes] = {}

    async def list_tools(
        self, request: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """All tools on one page."""
        from mcp_types import ListToolsResult

        return ListToolsResult(tools=[_described(tool) for tool in self._find_tools().values()])

    async def call_tool(
        self, request: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        """Call one; what goes wrong is a result that says so, for the model to read.

        Raises:
            MCPError: there is no such tool.
        """
        from mcp import MCPError
        from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

        tools = self._find_tools()
        tool = tools.get(params.name)
        if tool is None:
            raise MCPError(
                INVALID_PARAMS,
                f"There is no tool {params.name!r}. There are: {', '.join(tools) or 'none'}.",
            )
        context = ToolContext(
            agent="mcp", workspace=self._workspace, recorded_file=self._recorded_file
        )
        try:
            result = await registry.call(tool, context, params.arguments or {})
        except AWorldError as error:
            text = TextContent(type="text", text=str(error))
            return CallToolResult(content=[text], is_error=True)
        self._keep(result.attachments)
        return _as_mcp(result)

    async def close(self) -> None:
        """End what the tools keep going, such as an interpreter."""
        await close_interpreter(self._workspace)
        await close_all(self._workspace)

    def _keep(self, attachments: Sequence[Attachment]) -> None:
        for attachment in attachments:
            self._files.pop(attachment.name, None)
            self._files[attachment.name] = attachment.data
        for name in list(self._files)[:-KEPT_FILES]:
            del self._files[name]

    async def _recorded_file(self, name: str) -> bytes | None:
        return self._files.get(name)


def make_server(tools: ToolServer, *, name: str, instructions: str) -> Server[Any]:
    """The SDK's server over the tools; serves any number of clients."""
    from mcp.server import Server

    from aworld import __version__

    return Server(
        name,
        version=__version__,
        instructions=instructions,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call_tool,
    )


@asynccontextmanager
async def workspace_folder(wanted: str) -> AsyncGenerator[str]:
    """The folder that tools share: the given one, or one that goes with the server.

    Raises:
        ConfigurationError: the given one cannot be made.
    """
    if wanted:
        folder = Path(wanted).expanduser().resolve()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(
                f"The workspace {wanted!r} cannot be made ({error.strerror}). Name another folder."
            ) from error
        yield str(folder)
        return
    with tempfile.TemporaryDirectory(prefix="aworld-mcp-", ignore_cleanup_errors=True) as made:
        yield made


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one client over standard input and output, until it closes them."""
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _described(tool: BaseTool) -> Tool:
    from mcp_types import Tool, ToolAnnotations

    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.get_schema(),
        annotations=ToolAnnotations(
            read_only_hint=tool.effect == "read_only",
            idempotent_hint=tool.effect != "unsafe",
        ),
    )


def _as_mcp(result: ToolResult) -> CallToolResult:
    from mcp_types import CallToolResult, TextContent

    content: list[ContentBlock] = []
    if result.text or not result.attachments:
        content.append(TextContent(type="text", text=result.text))
    content += [_block(attachment) for attachment in result.attachments]
    data = msgspec.to_builtins(result.data)
    # Clients of the protocol before 2026-07 take objects only.
    structured = data if isinstance(data, dict) else None
    return CallToolResult(content=content, structured_content=structured)


def _block(attachment: Attachment) -> ContentBlock:
    from mcp_types import AudioContent, BlobResourceContents, EmbeddedResource, ImageContent

    data = base64.b64encode(attachment.data).decode("ascii")
    family = attachment.media_type.partition("/")[0]
    if family == "image":
        return ImageContent(type="image", data=data, mime_type=attachment.media_type)
    if family == "audio":
        return AudioContent(type="audio", data=data, mime_type=attachment.media_type)
    return EmbeddedResource(
        type="resource",
        resource=BlobResourceContents(
            uri=_address(attachment.name), mime_type=attachment.media_type, blob=data
        ),
    )


def _address(name: str) -> str:
    from urllib.parse import quote

    return f"attachment:///{quote(name)}"
