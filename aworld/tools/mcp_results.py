"""From MCP's descriptions and results to ours."""

from __future__ import annotations

import base64
import binascii
import functools
import json
import mimetypes
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from aworld.errors import ToolError
from aworld.tools.base import Attachment, Effect, ToolResult
from aworld.tools.json_schema import first_problem
from aworld.tools.mcp.listing import MOST_TOOLS, ListedTool

if TYPE_CHECKING:
    from mcp_types import CallToolResult, Tool, ToolAnnotations

PROBLEM = "aworld/problem"
"""Key in a tool's `_meta`: why agents cannot be given it."""
MOST_NAME = 256
"""Characters of a tool's own name."""
MOST_BYTES = 32 * 1024 * 1024
"""Of all attachments of one result; what goes beyond is left out, and the text says so."""
MOST_SCHEMA = 200_000
"""Characters of a tool's schema."""
MOST_DESCRIPTION = 8_000
NESTED = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else")


def repaired_tools(tools: Sequence[Any]) -> list[dict[str, Any]]:
    """The tools of a listing as the SDK reads them, for it refuses all because of one.

    What cannot be read of a tool is left out of it, with a note of why in its `_meta`; what has
    no name is left out itself.
    """
    from mcp_types import Tool

    kept = []
    for tool in tools[: MOST_TOOLS + 1]:
        name = tool.get("name") if isinstance(tool, Mapping) else None
        if not isinstance(name, str) or not name or len(name) > MOST_NAME:
            continue
        schema, problem = usable_schema(tool.get("inputSchema"))
        repaired = {**tool, "inputSchema": schema or {"type": "object"}}
        if "outputSchema" in tool and usable_schema(tool["outputSchema"])[1]:
            # Results would be refused by it, whatever they are.
            del repaired["outputSchema"]
        try:
            Tool.model_validate(repaired, by_name=False)
        except ValueError:
            known = {field: _text(tool.get(field)) for field in ("title", "description")}
            hints = _booleans(tool.get("annotations"))
            repaired = {"name": name, "inputSchema": repaired["inputSchema"], **known, **hints}
        if problem:
            repaired["_meta"] = {PROBLEM: problem}
        kept.append(repaired)
    return kept


def _booleans(hints: Any) -> dict[str, Any]:
    if not isinstance(hints, Mapping):
        return {}
    return {"annotations": {k: v for k, v in hints.items() if isinstance(v, bool)}}


def as_listed(tool: Tool) -> ListedTool:
    """A tool of a listing that went through `repaired_tools`."""
    hints = tool.annotations
    title = tool.title or (hints.title if hints is not None else "") or ""
    return ListedTool(
        name=tool.name,
        title=title[:200],
        description=(tool.description or "")[:MOST_DESCRIPTION],
        parameters=tool.input_schema,
        effect=_effect(hints),
        problem=str((tool.meta or {}).get(PROBLEM, "")),
    )


def _effect(hints: ToolAnnotations | None) -> Effect:
    if hints is not None and hints.read_only_hint:
        return "read_only"
    return "idempotent" if hints is not None and hints.idempotent_hint else "unsafe"


def usable_schema(schema: Any) -> tuple[dict[str, Any], str]:
    """The schema as model APIs and our own check take it, and what keeps it from being used."""
    if not isinstance(schema, Mapping):
        return {}, "Its schema is no object."
    if schema.get("type", "object") != "object":
        return {}, "Its arguments are not an object."
    try:
        text = json.dumps(schema, allow_nan=False)
        copy: dict[str, Any] = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}, "Its schema is no JSON."
    if len(text) > MOST_SCHEMA:
        return {}, f"Its schema has {len(text)} characters; at most {MOST_SCHEMA} are used."
    try:
        _drop_strange_patterns(copy)
        problem = _not_a_schema(json.dumps(copy))
        if problem:
            return {}, f"Its schema is not valid: {problem}"
        copy.pop("$schema", None)
        copy["type"] = "object"
        copy.setdefault("properties", {})
        first_problem(copy, {})
    except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as error:
        return {}, f"Its schema cannot be read: {error}"
    return copy, ""


@functools.lru_cache(maxsize=1024)
def _not_a_schema(text: str) -> str:
    from jsonschema import SchemaError
    from jsonschema.validators import validator_for

    schema = json.loads(text)
    try:
        validator_for(schema).check_schema(schema)
    except SchemaError as error:
        return str(error.message)[:200]
    except RecursionError:
        return "it nests too deeply."
    return ""


def _drop_strange_patterns(schema: Any) -> None:
    """Patterns are JavaScript's; one that Python does not read is not checked here."""
    if not isinstance(schema, dict):
        return
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        try:
            re.compile(pattern)
        except re.error:
            del schema["pattern"]
    for keyword in ("properties", "$defs", "definitions", "patternProperties"):
        for inner in schema.get(keyword, {}).values():
            _drop_strange_patterns(inner)
    for keyword in NESTED:
        _drop_strange_patterns(schema.get(keyword))
    for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for inner in schema.get(keyword, ()):
            _drop_strange_patterns(inner)


def as_result(server: str, result: CallToolResult) -> ToolResult:
    """Text to the text; pictures, sound and files to attachments; structured content to data.

    Raises:
        ToolError: the tool says that it failed; its own words.
    """
    parts = _Parts()
    for block in result.content:
        parts.add(block.model_dump(by_alias=True, exclude_none=True, mode="json"))
    text = "\n".join(parts.texts)
    data = result.structured_content
    if result.is_error:
        raise ToolError(text or f"MCP server {server!r} says that the call failed, and not why.")
    if not parts.texts and data is not None:
        text = json.dumps(data, ensure_ascii=False)
    return ToolResult(text, data=data, attachments=tuple(parts.attachments))


class _Parts:
    """Collects the blocks of a result."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.attachments: list[Attachment] = []
        self._bytes = 0

    def add(self, block: Mapping[str, Any]) -> None:
        """One block, by its type."""
        kind = block.get("type")
        if kind == "text":
            self.texts.append(_text(block.get("text")))
        elif kind in ("image", "audio"):
            self._attach(str(kind), _text(block.get("mimeType")), _text(block.get("data")))
        elif kind == "resource":
            self._resource(block.get("resource") or {})
        elif kind == "resource_link":
            about = _text(block.get("description")) or _text(block.get("name"))
            self.texts.append(f"[resource {_text(block.get('uri'))}: {about}]")
        else:
            self.texts.append(f"[content of the unknown type {kind!r} was left out]")

    def _resource(self, resource: Mapping[str, Any]) -> None:
        address = _text(resource.get("uri"))
        if "text" in resource:
            self.texts.append(f"[resource {address}]\n{_text(resource['text'])}")
            return
        name = unquote(urlsplit(address).path).rsplit("/", 1)[-1]
        kind = _text(resource.get("mimeType")) or mimetypes.guess_type(name)[0] or ""
        self._attach("file", kind, _text(resource.get("blob")), name)

    def _attach(self, kind: str, media_type: str, encoded: str, name: str = "") -> None:
        media_type = media_type or "application/octet-stream"
        number = len(self.attachments) + 1
        suffix = mimetypes.guess_extension(media_type, strict=False)
        name = name or f"{kind}-{number}{suffix or _suffix(media_type)}"
        try:
            data = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            self.texts.append(f"[{name} was left out: its base64 cannot be read]")
            return
        if self._bytes + len(data) > MOST_BYTES:
            self.texts.append(f"[{name} was left out: {len(data)} bytes are too many]")
            return
        self._bytes += len(data)
        self.attachments.append(Attachment(name, media_type, data))
        self.texts.append(f"[{name}, {media_type}, {len(data)} bytes, is attached]")


def _suffix(media_type: str) -> str:
    """`.wav` for `audio/wav`, which the standard table does not know."""
    end = media_type.rpartition("/")[2]
    return f".{end}" if end.isalnum() and media_type.startswith(("image/", "audio/")) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
