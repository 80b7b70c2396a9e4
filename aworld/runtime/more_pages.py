"""`read_result` is offered to a model once there is something to read: a result of several pages.

Until then its prompt has only the tools that its agent was given.
"""

from __future__ import annotations

import functools

from aworld.events.action import ToolReturned
from aworld.events.union import Event
from aworld.llm.base import ToolSchema
from aworld.tools.pages import has_more

READ_RESULT = "read_result"
EFFECT = "read_only"


def leads_on(event: Event) -> bool:
    """Whether an event is a tool's result with further pages."""
    return isinstance(event.payload, ToolReturned) and has_more(event.payload.text)


def with_read_result(tools: tuple[ToolSchema, ...]) -> tuple[ToolSchema, ...]:
    """The tools and `read_result`, which may be one of them already."""
    if any(tool.name == READ_RESULT for tool in tools):
        return tools
    return (*tools, _schema())


@functools.cache
def _schema() -> ToolSchema:
    from aworld.tools.builtin.read_result import ReadResult

    tool = ReadResult()
    return ToolSchema(tool.name, tool.description, tool.get_schema())
