"""What a tool is: a name, a schema, and one coroutine.

Subclass `BaseTool`; the registry finds built-in tools by their file, users' tools by `register`.
"""

from __future__ import annotations

import abc
from typing import Any, ClassVar, Literal

import msgspec

Effect = Literal["read_only", "idempotent", "unsafe"]
"""`read_only` changes nothing; `idempotent` may be repeated; `unsafe` must never run twice."""


class Attachment(msgspec.Struct, frozen=True):
    """A file or picture that a tool returned."""

    name: str
    media_type: str
    data: bytes


class ToolResult(msgspec.Struct, frozen=True):
    """What a tool gives back."""

    text: str
    """What the model reads."""
    data: Any = None
    """The same as JSON, where it has a shape."""
    attachments: tuple[Attachment, ...] = ()


class ToolContext(msgspec.Struct, frozen=True):
    """Where a call happens."""

    run_id: str = ""
    agent: str = ""
    workspace: str = ""
    """Folder of this run that file tools and the code interpreter share; "" where there is none."""
    network: tuple[str, ...] = ()
    """Hosts that the call may reach, such as `example.org`; none by default."""


class BaseTool(abc.ABC):
    """One tool. Instances are shared between runs: keep no state of a run on them."""

    name: ClassVar[str]
    description: ClassVar[str]
    effect: ClassVar[Effect] = "unsafe"
    timeout_s: ClassVar[float] = 60.0

    @abc.abstractmethod
    def get_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments object (`type: object`)."""

    @abc.abstractmethod
    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
        """Do it.

        Raises:
            ToolError: it cannot be done; the text goes to the model as it stands.
        """

    def describe_error(self, error: Exception) -> str:
        """What the model is told when `run` raised."""
        return str(error) or type(error).__name__
