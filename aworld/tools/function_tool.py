"""A tool out of a typed function."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, overload

import msgspec

from aworld.errors import ConfigurationError
from aworld.tools.base import BaseTool, Effect, ToolContext
from aworld.tools.definitions import define
from aworld.tools.threads import in_thread

Function = Callable[..., Any]

_ARGUMENT_LINE = re.compile(r"^\s+\*{0,2}(\w+)(?:\s*\([^)]*\))?:\s+(.+)$")


class FunctionTool(BaseTool, register=False):
    """Calls a function with the model's arguments. A plain function runs in a thread."""

    # These shadow the class variables: each function is a tool of its own.
    name: str  # type: ignore[misc]
    description: str  # type: ignore[misc]
    effect: Effect  # type: ignore[misc]
    timeout_s: float  # type: ignore[misc]

    def __init__(
        self,
        function: Function,
        *,
        name: str = "",
        description: str = "",
        effect: Effect = "unsafe",
        timeout_s: float = 60.0,
    ) -> None:
        """Name and description default to the function's own.

        Raises:
            ConfigurationError: a parameter has no type, or one that JSON cannot carry.
        """
        self.name = name or function.__name__
        self.effect = effect
        self.timeout_s = timeout_s
        self._function = function
        documented = _documentation(function)
        self.description = description or documented[0] or self.name.replace("_", " ")
        self._context_name, self._arguments = _arguments_type(function, self.name)
        self._schema = _schema(self._arguments, documented[1])

    def get_schema(self) -> dict[str, Any]:
        """From the function's signature."""
        return self._schema

    async def run(self, context: ToolContext, /, **arguments: Any) -> Any:
        """Call the function."""
        record = msgspec.convert(arguments, self._arguments)
        values = {field: getattr(record, field) for field in record.__struct_fields__}
        if self._context_name:
            values[self._context_name] = context
        if inspect.iscoroutinefunction(self._function):
            return await self._function(**values)
        return await in_thread(self._function, **values)


@overload
def function_tool(function: Function) -> FunctionTool: ...
@overload
def function_tool(
    *, name: str = "", description: str = "", effect: Effect = "unsafe", timeout_s: float = 60.0
) -> Callable[[Function], FunctionTool]: ...
def function_tool(function: Function | None = None, **options: Any) -> Any:
    """Turn a function into a tool: `@function_tool`, or `@function_tool(effect="read_only")`.

    Its docstring's first paragraph is the description, its annotations the schema, the lines
    under `Args:` those of the parameters. A parameter of type ToolContext gets the context.
    The tool is known by its name from then on.

    Raises:
        ConfigurationError: a parameter has no type, or one that JSON cannot carry.
    """
    if function is not None:
        return _defined(FunctionTool(function), function)
    return lambda wrapped: _defined(FunctionTool(wrapped, **options), wrapped)


def _defined(tool: FunctionTool, function: Function) -> FunctionTool:
    define(tool, function.__module__, function.__qualname__)
    return tool


def _arguments_type(function: Function, name: str) -> tuple[str, type[msgspec.Struct]]:
    """The name of the context's parameter ("" without one), and a record of all others."""
    context_name = ""
    fields: list[Any] = []
    hints = inspect.get_annotations(function, eval_str=True)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ConfigurationError(
                f"The tool {name!r} takes *{parameter.name}, which a model cannot fill. Name its "
                "parameters."
            )
        if hints.get(parameter.name) is ToolContext:
            context_name = parameter.name
            continue
        if parameter.name not in hints:
            raise ConfigurationError(
                f"The parameter {parameter.name!r} of tool {name!r} has no type. Write it like "
                f"'{parameter.name}: str'."
            )
        field = (parameter.name, hints[parameter.name])
        has_default = parameter.default is not parameter.empty
        fields.append((*field, _default(parameter.default)) if has_default else field)
    return context_name, msgspec.defstruct(name, fields, kw_only=True)


def _default(value: Any) -> Any:
    """A list or dict must not be shared between calls."""
    if isinstance(value, list | dict | set):
        return msgspec.field(default_factory=lambda: type(value)(value))
    return value


def _schema(record: type[msgspec.Struct], described: dict[str, str]) -> dict[str, Any]:
    try:
        (reference,), components = msgspec.json.schema_components(
            [record], ref_template="#/$defs/{name}"
        )
    except TypeError as error:
        why = str(error).rpartition("\n")[2]
        raise ConfigurationError(
            f"The tool {record.__name__!r} has a parameter that JSON cannot carry ({why}). Use "
            "str, int, float, bool, list, dict, Literal or a msgspec.Struct."
        ) from None
    schema: dict[str, Any] = components.pop(reference["$ref"].removeprefix("#/$defs/"))
    schema = {"type": "object", "properties": schema["properties"]} | (
        {"required": schema["required"]} if schema.get("required") else {}
    )
    for name, text in described.items():
        if name in schema["properties"]:
            schema["properties"][name].setdefault("description", text)
    schema["additionalProperties"] = False
    return schema | ({"$defs": components} if components else {})


def _documentation(function: Function) -> tuple[str, dict[str, str]]:
    """The first paragraph of the docstring, and the texts of its `Args:` section."""
    text = inspect.getdoc(function) or ""
    first = " ".join(text.partition("\n\n")[0].split())
    described: dict[str, str] = {}
    _, _, section = text.partition("Args:\n")
    for line in section.splitlines():
        match = _ARGUMENT_LINE.match(line)
        if match is None:
            break
        described[match[1]] = match[2].strip()
    return first, described
