"""Tools for models without native tool calls: a contract in the prompt, calls read from the text.

The small local model was trained on exactly what these functions write; change a byte here and the
adapter has to be trained again (`examples/tool_adapter`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

import msgspec

from aworld.llm.arguments import unfit
from aworld.llm.base import ChatMessage, ToolCall, ToolSchema

OPEN, CLOSE = "<tool_call>", "</tool_call>"
WRITE = f'{OPEN}{{"name": "TOOL", "arguments": {{"PARAMETER": "VALUE"}}}}{CLOSE}'
"""The form a call is written in; error texts repeat it."""

_FENCE = re.compile(r"```(?:json|tool_call)?[ \t]*\n(.*?)```", re.DOTALL)
_NAME = re.compile(r'"name"\s*:\s*"([^"\\]+)"')


class ParsedText(msgspec.Struct, frozen=True):
    """A model's text, taken apart."""

    text: str
    """What is left for a reader once the calls are taken out."""
    calls: tuple[ToolCall, ...] = ()
    """In the order they were written; a malformed one has `arguments` None and an `error`."""


class _Malformed(Exception):
    """A block that is no call; the text says what is wrong with it."""


def render_tools(tools: Sequence[ToolSchema]) -> str:
    """The contract that ends the system prompt; "" without tools."""
    if not tools:
        return ""
    lines = ["Tools:"]
    for tool in tools:
        lines.append(f"- {tool.name}({_signature(tool.parameters)}): {tool.description}".rstrip())
    lines.append(f"To use a tool, write {WRITE} and wait for its <tool_response>.")
    return "\n".join(lines)


def render_call(call: ToolCall) -> str:
    """A call as the model writes it; a malformed one as it was written."""
    named = _NAME.search(call.raw)
    if call.arguments is None and (not call.name or (named and named[1] == call.name)):
        return f"{OPEN}{call.raw}{CLOSE}"
    arguments = call.raw if call.arguments is None else call.arguments
    body = json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=False)
    return f"{OPEN}{body}{CLOSE}"


def parse_tool_calls(text: str, known: Collection[str], *, first: int = 1) -> ParsedText:
    """Read the calls in a model's text.

    `known` are the tools on offer: JSON in a code fence, or a text that is JSON and nothing else,
    is a call only if it names one of them. A `<tool_call>` block always is, whatever it names.
    `first` numbers the calls (`call_1`, …): pass `count_calls(messages) + 1` to keep ids unique.
    """
    if OPEN in text:
        rest, bodies = _blocks(text)
        calls = tuple(_call(body, known, first + n) for n, body in enumerate(bodies))
        return ParsedText(rest, calls)
    found: list[ToolCall] = []

    def take(body: str) -> bool:
        call = _call(body, known, first + len(found))
        if call.arguments is None or call.name not in known:
            return False
        found.append(call)
        return True

    if text.lstrip().startswith("{") and take(text):
        return ParsedText("", tuple(found))
    rest = _FENCE.sub(lambda match: "" if take(match[1]) else match[0], text)
    return ParsedText(rest.strip(), tuple(found))


def count_calls(messages: Sequence[ChatMessage]) -> int:
    """How many calls a conversation holds already."""
    return sum(len(message.tool_calls) for message in messages)


def to_plain_messages(
    messages: Sequence[ChatMessage], tools: Sequence[ToolSchema] = ()
) -> list[dict[str, str]]:
    """The conversation in the roles system, user and assistant only.

    The contract ends the first system message, or becomes one. Neighbours of one role are joined,
    since small models know only turns that alternate.
    """
    plain: list[dict[str, str]] = []
    contract = render_tools(tools)
    if contract:
        plain.append({"role": "system", "content": ""})
    for message in messages:
        role = "user" if message.role == "tool" else message.role
        content = _content(message)
        if plain and plain[-1]["role"] == role:
            plain[-1]["content"] = f"{plain[-1]['content']}\n{content}".strip("\n")
        else:
            plain.append({"role": role, "content": content})
    if contract:
        plain[0]["content"] = f"{plain[0]['content']}\n\n{contract}".strip()
    return plain


def _content(message: ChatMessage) -> str:
    if message.role == "tool":
        return f"<tool_response>{_harmless(message.content)}</tool_response>"
    return "\n".join(
        part for part in (message.content, *map(render_call, message.tool_calls)) if part
    )


def _harmless(result: str) -> str:
    """A tool's text that can neither end its own turn nor its wrapper."""
    return result.replace("<|", "< |").replace("</tool_response", "< /tool_response")


def _signature(parameters: dict[str, Any]) -> str:
    required = parameters.get("required", ())
    parts = []
    for name, schema in parameters.get("properties", {}).items():
        parts.append(f"{name}{'' if name in required else '?'}: {_type(schema)}")
    return ", ".join(parts)


def _type(schema: dict[str, Any]) -> str:
    """A short name of a JSON Schema; one that nests is shown as it stands."""
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if schema.get("type") == "array" and "type" in schema.get("items", {}):
        return f"{_type(schema['items'])}[]"
    if isinstance(schema.get("type"), str) and "properties" not in schema:
        return str(schema["type"])
    return json.dumps(schema, ensure_ascii=False)


def _blocks(text: str) -> tuple[str, list[str]]:
    """Split into the text outside the blocks and the body of each block."""
    outside: list[str] = []
    bodies: list[str] = []
    position = 0
    while (start := text.find(OPEN, position)) >= 0:
        outside.append(text[position:start])
        body_start = start + len(OPEN)
        position, end = _block_end(text, body_start)
        bodies.append(text[body_start:end].strip())
    outside.append(text[position:])
    kept = (part.strip() for part in outside)
    return "\n".join(part for part in kept if part), bodies


def _block_end(text: str, start: int) -> tuple[int, int]:
    """Where to read on, and where the body that starts at `start` ends.

    A closing tag inside a JSON string does not end a block; a block that nothing closes ends at
    the next one or with the text.
    """
    while text[start : start + 1].isspace():
        start += 1
    try:
        _, after = _decoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        after = start
    close = text.find(CLOSE, after)
    following = text.find(OPEN, after)
    if close >= 0 and (following < 0 or close < following):
        return close + len(CLOSE), close
    end = following if following >= 0 else len(text)
    return end, end


def _call(body: str, known: Collection[str], number: int) -> ToolCall:
    identifier = f"call_{number}"
    try:
        name, arguments = _read(body)
    except _Malformed as problem:
        match = _NAME.search(body)
        tools = f" Tools: {', '.join(known)}." if known else ""
        error = f"The tool call could not be read: {problem}. Write {WRITE} instead.{tools}"
        return ToolCall(identifier, match[1] if match else "", None, raw=body, error=error)
    return ToolCall(identifier, name, arguments)


def _read(body: str) -> tuple[str, dict[str, Any]]:
    """The name and the arguments in a block's JSON.

    Raises:
        _Malformed: they are not there.
    """
    block = _json(body, "the text between the tags")
    if not isinstance(block, dict):
        raise _Malformed("it is not a JSON object")
    name = block.get("name")
    if not isinstance(name, str) or not name:
        raise _Malformed('"name" is missing')
    arguments = block.get("arguments", block.get("parameters"))
    if isinstance(arguments, str):
        arguments = _json(arguments, '"arguments"')
    if not isinstance(arguments, dict):
        raise _Malformed('"arguments" is not a JSON object')
    why = unfit(arguments)
    if why:
        raise _Malformed(f'of its "arguments", {why}')
    return name, arguments


def _json(text: str, what: str) -> Any:
    """Decode JSON; closing braces too many at its end are forgiven, small models write them.

    Raises:
        _Malformed: `what` is not JSON.
    """
    try:
        value, end = _decoder().raw_decode(text.strip())
    except RecursionError:
        raise _Malformed(f"{what} nests too deeply") from None
    except ValueError as error:
        raise _Malformed(f"{what} is not JSON ({error})") from None
    rest = text.strip()[end:].strip("} \n\t")
    if rest:
        raise _Malformed(f"{what} goes on after the JSON with {rest[:40]!r}")
    return value


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")
