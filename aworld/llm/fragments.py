"""Native tool calls, which arrive whole or in pieces."""

from __future__ import annotations

from typing import Any

import msgspec

from aworld.llm.arguments import unfit
from aworld.llm.base import ToolCall


class FunctionFragment(msgspec.Struct, frozen=True):
    """Name and arguments, or a piece of them."""

    name: str | None = None
    arguments: str | dict[str, Any] | None = None
    """JSON as text; some servers give the object itself."""


class CallFragment(msgspec.Struct, frozen=True):
    """A call or a piece of one."""

    index: int | None = None
    id: str | int | None = None
    """TGI numbers its calls, older Ollama and llama.cpp leave the id out."""
    function: FunctionFragment = FunctionFragment()


class _Open:
    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []


class CallFragments:
    """Puts the pieces of parallel calls together."""

    def __init__(self) -> None:
        self._calls: list[_Open] = []
        self._by_index: dict[int, _Open] = {}

    def add(self, fragment: CallFragment) -> None:
        """Take in the next piece."""
        call = self._call_of(fragment)
        call.id = call.id or _id(fragment)
        call.name = call.name or fragment.function.name or ""
        arguments = fragment.function.arguments
        if isinstance(arguments, dict):
            call.arguments.append(msgspec.json.encode(arguments).decode())
        elif arguments:
            call.arguments.append(arguments)

    def calls(self) -> tuple[ToolCall, ...]:
        """All calls, in the order in which they began."""
        return tuple(_read(call, number) for number, call in enumerate(self._calls, 1))

    def _call_of(self, fragment: CallFragment) -> _Open:
        """The call a piece belongs to. Servers differ: some leave the index out or give every
        call index 0, so a new id begins a new call as well."""
        if fragment.index is not None:
            known = self._by_index.get(fragment.index)
        else:
            known = self._calls[-1] if self._calls else None
        identifier = _id(fragment)
        if known is not None and not (identifier and known.id and identifier != known.id):
            return known
        call = _Open()
        self._calls.append(call)
        if fragment.index is not None:
            self._by_index[fragment.index] = call
        return call


def _id(fragment: CallFragment) -> str:
    return "" if fragment.id is None else str(fragment.id)


def _read(call: _Open, number: int) -> ToolCall:
    identifier = call.id or f"call_{number}"
    raw = "".join(call.arguments)
    if not call.name:
        return _malformed(identifier, "", raw, "it names no tool")
    if not raw.strip():
        return ToolCall(identifier, call.name, {})
    try:
        arguments = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        return _malformed(identifier, call.name, raw, f"its arguments are not JSON ({error})")
    if not isinstance(arguments, dict):
        return _malformed(identifier, call.name, raw, "its arguments are not a JSON object")
    why = unfit(arguments)
    if why:
        return _malformed(identifier, call.name, raw, f"of its arguments, {why}")
    return ToolCall(identifier, call.name, arguments)


def _malformed(identifier: str, name: str, raw: str, why: str) -> ToolCall:
    tool = f" to {name!r}" if name else ""
    error = (
        f"The tool call{tool} could not be read: {why}. Call the tool again with one valid JSON "
        "object as arguments."
    )
    return ToolCall(identifier, name, None, raw=raw, error=error)
