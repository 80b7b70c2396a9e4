"""What a tool is: a name, a schema, and one function.

Subclass `BaseTool` and the registry finds it: built-in tools by their file, others because their
class was defined (`definitions`).
"""

from __future__ import annotations

import abc
import re
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, Literal

import msgspec

from aworld.tools import definitions

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


class Question(msgspec.Struct, frozen=True):
    """What a tool wants to know of a person."""

    question: str
    choices: tuple[str, ...] = ()
    """Answers to choose from; a person may write another one all the same."""
    default: str | None = None
    """Taken where nobody answers in time; None means there is none."""
    timeout_s: float | None = None
    """Seconds to wait; None waits for ever."""


class Reply(msgspec.Struct, frozen=True):
    """What a person answered."""

    answer: str
    by: str = ""
    """Who answered; "" where nobody did."""
    timed_out: bool = False
    """Nobody answered in time: `answer` is the default, or ""."""


class ToolContext(msgspec.Struct, frozen=True):
    """Where a call happens."""

    run_id: str = ""
    agent: str = ""
    workspace: str = ""
    """Folder of this run that file tools and the code interpreter share; "" where there is none."""
    network: tuple[str, ...] = ()
    """Hosts that the call may reach, such as `example.org`; none by default."""
    recorded_file: Callable[[str], Awaitable[bytes | None]] | None = None
    """Gives a file by name that an earlier call of this run returned, or None; without a log of
    the run there is no such function."""
    ask: Callable[[Question], Awaitable[Reply]] | None = None
    """Puts a question to a person and waits, while other agents go on; the tool's own time limit
    counts meanwhile. None where there is no run, so nobody to ask."""


class BaseTool(abc.ABC):
    """One tool. Instances are shared between runs: keep no state of a run on them.

    Defining a subclass makes it known, once it is no longer abstract and can be made without
    arguments; `class Draft(BaseTool, register=False)` leaves it out.
    """

    name: ClassVar[str]
    """How models call it, of `[A-Za-z0-9_-]`; by default the class's name, `read_page` for
    `ReadPage`."""
    description: ClassVar[str]
    """What the model is told; by default the first paragraph of the class's docstring."""
    effect: ClassVar[Effect] = "unsafe"
    timeout_s: ClassVar[float] = 60.0
    long_results: ClassVar[bool] = True
    """Whether its text may be too long for one page; then `read_result` is offered beside it."""

    _defaults: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, *, register: bool = True, **options: Any) -> None:
        """Give the class a name and a description where it has none, and make it known."""
        super().__init_subclass__(**options)
        defaults = {"name": _snake_case(cls.__name__), "description": _first_paragraph(cls.__doc__)}
        missing = {field for field in defaults if not _given(cls, field)}
        for field in missing:
            setattr(cls, field, defaults[field])
        cls._defaults = frozenset(missing)
        if register:
            definitions.define(cls, cls.__module__, cls.__qualname__)

    @abc.abstractmethod
    def get_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments object (`type: object`)."""

    @abc.abstractmethod
    def run(self, *context: Any, **arguments: Any) -> Any:
        """Do it: `run(self, **arguments)`, or `run(self, context, **arguments)` where the first
        parameter is named `context` or is a `ToolContext`.

        May be a coroutine; a plain function runs in a thread. What it gives back may be text,
        anything JSON can carry, a file of the workspace (`pathlib.Path`), `(bytes, media type)`,
        a Pillow picture, a matplotlib figure, an `Attachment`, a list of these, or a `ToolResult`.

        Raises:
            ToolError: it cannot be done; the text goes to the model as it stands.
        """

    def describe_error(self, error: Exception) -> str:
        """What the model is told when `run` raised."""
        return str(error) or type(error).__name__


def _given(cls: type[BaseTool], field: str) -> bool:
    """Whether the class or one it inherits from says so itself."""
    return any(
        field in vars(base) and field not in vars(base).get("_defaults", ())
        for base in cls.__mro__
        if base is not BaseTool
    )


def _snake_case(name: str) -> str:
    """`ReadPage` → `read_page`, `PDFTool` → `pdf_tool`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _first_paragraph(docstring: str | None) -> str:
    return " ".join((docstring or "").strip().partition("\n\n")[0].split())
