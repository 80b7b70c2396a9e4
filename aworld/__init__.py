"""AWorld: build, debug, evaluate and train teams of LLM agents.

    from aworld import Agent, LLMClient, MultiAgentGroup

Names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from aworld.agents.agent import Agent
    from aworld.agents.group import MultiAgentGroup
    from aworld.agents.result import RunFailedError, RunResult
    from aworld.errors import AWorldError, ToolError
    from aworld.llm.client import LLMClient
    from aworld.llm.scripted import ScriptedModel
    from aworld.tools.base import Attachment, BaseTool, ToolContext, ToolResult
    from aworld.tools.function_tool import function_tool
    from aworld.tools.mcp.known_servers import mcp_tools

__version__ = "0.1.0"

_HOMES: Final[dict[str, str]] = {
    "AWorldError": "aworld.errors",
    "Agent": "aworld.agents.agent",
    "Attachment": "aworld.tools.base",
    "BaseTool": "aworld.tools.base",
    "LLMClient": "aworld.llm.client",
    "MultiAgentGroup": "aworld.agents.group",
    "RunFailedError": "aworld.agents.result",
    "RunResult": "aworld.agents.result",
    "ScriptedModel": "aworld.llm.scripted",
    "ToolContext": "aworld.tools.base",
    "ToolError": "aworld.errors",
    "ToolResult": "aworld.tools.base",
    "function_tool": "aworld.tools.function_tool",
    "mcp_tools": "aworld.tools.mcp.known_servers",
}

__all__ = [
    "AWorldError",
    "Agent",
    "Attachment",
    "BaseTool",
    "LLMClient",
    "MultiAgentGroup",
    "RunFailedError",
    "RunResult",
    "ScriptedModel",
    "ToolContext",
    "ToolError",
    "ToolResult",
    "function_tool",
    "mcp_tools",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'aworld' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value
