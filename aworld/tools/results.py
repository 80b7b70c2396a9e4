"""Makes one `ToolResult` of whatever a tool gave back."""

from __future__ import annotations

import io
import mimetypes
import os
import re
from pathlib import Path
from typing import Any, Protocol, TypeGuard, runtime_checkable

import msgspec

from aworld.errors import ToolError
from aworld.tools.base import Attachment, ToolContext, ToolResult
from aworld.tools.failures import ToolRefused
from aworld.tools.workspace.folder import Folder

MOST_FILE_BYTES = 64 * 1024 * 1024
"""Size of one file or picture that a tool may give back."""
MOST_FILES = 100

_MEDIA_TYPE = re.compile(r"[a-z]+/[\w.+-]+(;.*)?")
_SIGNATURES = {
    b"\x89PNG\r\n": ("image/png", "png"),
    b"\xff\xd8\xff": ("image/jpeg", "jpg"),
    b"GIF8": ("image/gif", "gif"),
    b"%PDF-": ("application/pdf", "pdf"),
    b"PK\x03\x04": ("application/zip", "zip"),
    b"ID3": ("audio/mpeg", "mp3"),
}


@runtime_checkable
class Figure(Protocol):
    """A matplotlib figure, or what is like one."""

    def savefig(self, target: Any, *, format: str) -> None:
        """Draw it into a file."""
        ...


@runtime_checkable
class Picture(Protocol):
    """A Pillow picture, or what is like one."""

    size: Any
    mode: Any

    def save(self, target: Any, format: str) -> None:
        """Write it into a file."""
        ...


def as_result(value: object, context: ToolContext) -> ToolResult:
    """The uniform result.

    Raises:
        ToolError: a file is not there or too large, or a picture cannot be drawn.
        ToolRefused: a file lies outside the workspace.
    """
    if isinstance(value, ToolResult):
        return value
    if isinstance(value, str):
        return ToolResult(str(value))
    if value is None:
        return ToolResult("(nothing)")
    if _is_content(value):
        return _together([value], context)
    if isinstance(value, list | tuple) and any(map(_is_content, value)):
        return _together(value, context)
    return _as_json(value)


def _as_json(value: object) -> ToolResult:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return ToolResult(str(value), data=value)
    try:
        plain = msgspec.to_builtins(value, str_keys=True)
        return ToolResult(msgspec.json.encode(plain).decode(), data=plain)
    except (TypeError, ValueError, OverflowError, RecursionError):
        # No shape that JSON knows, such as a table of pandas: what it looks like must do.
        return ToolResult(str(value))


def _is_content(value: object) -> bool:
    """Whether it is a file or a picture rather than text or data."""
    if isinstance(value, Attachment | Path | bytes | bytearray | Figure) or _is_picture(value):
        return True
    return _typed_bytes(value) is not None


def _is_picture(value: object) -> TypeGuard[Picture]:
    # A table may have columns of these names.
    return isinstance(value, Picture) and isinstance(value.mode, str) and callable(value.save)


def _typed_bytes(value: object) -> tuple[bytes, str] | None:
    if isinstance(value, tuple) and len(value) == 2:
        data, media_type = value
        if isinstance(data, bytes | bytearray) and isinstance(media_type, str):
            return bytes(data), media_type
    return None


def _together(values: Any, context: ToolContext) -> ToolResult:
    """Files and pictures as attachments; what stands between them as text."""
    texts: list[str] = []
    files: list[Attachment] = []
    for value in values:
        if _is_content(value):
            files.append(_attachment(value, len(files) + 1, context))
        else:
            inner = as_result(value, context)
            texts.append(inner.text)
            files.extend(inner.attachments)
    said = "\n".join(text for text in texts if text)
    return ToolResult(said or _named(files), attachments=tuple(files))


def _named(files: list[Attachment]) -> str:
    listed = ", ".join(f"{file.name} ({len(file.data)} bytes)" for file in files)
    return f"({listed} attached)"


def _attachment(value: object, number: int, context: ToolContext) -> Attachment:
    if isinstance(value, Attachment):
        return value
    if isinstance(value, Path):
        return _file(value, context)
    if isinstance(value, Figure) or _is_picture(value):
        return Attachment(f"picture-{number}.png", "image/png", _drawn(value))
    data, media_type = _typed_bytes(value) or (bytes(value), "")  # type: ignore[call-overload]
    if media_type and not _MEDIA_TYPE.fullmatch(media_type):
        raise ToolError(f"{media_type!r} is no media type. Give one like 'image/png'.")
    guessed, ending = _looks_like(data)
    media_type = media_type or guessed
    if media_type != guessed:
        ending = (mimetypes.guess_extension(media_type.partition(";")[0]) or ".bin")[1:]
    return Attachment(f"file-{number}.{ending}", media_type, data)


def _looks_like(data: bytes) -> tuple[str, str]:
    for beginning, found in _SIGNATURES.items():
        if data.startswith(beginning):
            return found
    return "application/octet-stream", "bin"


def _drawn(value: Figure | Picture) -> bytes:
    buffer = io.BytesIO()
    try:
        if isinstance(value, Figure):
            value.savefig(buffer, format="png")
        else:
            value.save(buffer, format="PNG")
    except (OSError, ValueError, TypeError) as error:
        raise ToolError(f"The picture cannot be drawn as PNG: {error}.") from error
    return buffer.getvalue()


def _file(path: Path, context: ToolContext) -> Attachment:
    inside = _inside(path, context.workspace)
    with os.fdopen(Folder(context.workspace).open(inside, os.O_RDONLY), "rb") as file:
        data = file.read(MOST_FILE_BYTES + 1)
    media_type = mimetypes.guess_type(path.name)[0] or _looks_like(data)[0]
    return Attachment(path.name, media_type, data)


def _inside(path: Path, workspace: str) -> str:
    """The path as the workspace's own, without following any link in it."""
    if not path.is_absolute() or path.parts[1] == "workspace":
        return path.as_posix()
    for root in (Path(workspace), Path(workspace).resolve()):
        if workspace and path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    raise ToolRefused(
        f"The file {path.name!r} lies outside the workspace, so it is not given back."
    )


def checked(name: str, result: ToolResult) -> ToolResult:
    """The result as a log can keep it. `name` is the tool's.

    Raises:
        ToolError: its data is of no JSON type, or a file too large.
    """
    # Nothing checks what a tool's author puts into the struct.
    text = characters(str(result.text))
    try:
        msgspec.msgpack.encode(result.data)
    except (OverflowError, UnicodeEncodeError, RecursionError, TypeError) as error:
        raise ToolError(
            f"{name!r} gave data that cannot be recorded ({error}). Its author must give JSON: "
            "text, lists, objects, numbers of at most 64 bits."
        ) from error
    files = tuple(_plainly_named(name, files) for files in result.attachments)
    if len(files) > MOST_FILES:
        raise ToolError(f"{name!r} gave {len(files)} files; at most {MOST_FILES} can be kept.")
    return msgspec.structs.replace(result, text=text, attachments=files)


def _plainly_named(tool: str, file: object) -> Attachment:
    if not isinstance(file, Attachment) or not isinstance(file.data, bytes):
        raise ToolError(f"{tool!r} gave {type(file).__name__} where an Attachment was wanted.")
    if len(file.data) > MOST_FILE_BYTES:
        raise ToolError(
            f"{tool!r} gave a file of {len(file.data)} bytes, {file.name!r}; at most "
            f"{MOST_FILE_BYTES} can be kept."
        )
    # A name is shown and saved under: it may not lead anywhere.
    name = characters(str(file.name)).replace("\\", "/").rpartition("/")[2][:200]
    return Attachment(name or "file", characters(str(file.media_type)), file.data)


def characters(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode()
