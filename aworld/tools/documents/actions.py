"""What the documents tool does: files of the workspace through the reader, and back."""

from __future__ import annotations

import asyncio
import os
from pathlib import PurePosixPath
from typing import Any

from aworld.errors import ToolError
from aworld.tools.base import Attachment, ToolContext, ToolResult
from aworld.tools.documents import transcription
from aworld.tools.documents.model import MOST_BYTES, Cell, Reply, Wanted
from aworld.tools.documents.packing import pack
from aworld.tools.documents.readers import reader_of
from aworld.tools.failures import MalformedCall
from aworld.tools.workspace.folder import Folder

_MOST_FILES = 1_000
_MOST_NAMED = 50


async def look(context: ToolContext, action: str, given: dict[str, Any]) -> ToolResult:
    """Read, find or describe."""
    path = given["path"]
    data = await asyncio.to_thread(read_bytes, Folder(context.workspace), path)
    reply = await ask(context.workspace, path, data, action, given)
    text = reply.text
    if reply.kind == "sound" and action == "read":
        text += f"\n{await transcription.transcribe(path, data)}"
    attachments = tuple(Attachment(file.name, file.media_type, file.data) for file in reply.files)
    return ToolResult(text, {"path": path, **reply.data}, attachments)


async def ask(workspace: str, path: str, data: bytes, action: str, given: dict[str, Any]) -> Reply:
    """Ask the workspace's reader about a document."""
    wanted = Wanted(
        action=action,
        name=PurePosixPath(path).name,
        pages=str(given.get("pages", "") or given.get("sheet", "")).strip(),
        range=given.get("range", ""),
        show=given.get("show", ""),
        first_line=given.get("first_line", 1),
        lines=given.get("lines", 0),
        text=given.get("text", ""),
        password=given.get("password", ""),
        base_url=given.get("base_url", ""),
        **({"most_characters": given["most_characters"]} if "most_characters" in given else {}),
    )
    return await (await reader_of(workspace)).ask(wanted, data)


async def write(context: ToolContext, given: dict[str, Any]) -> ToolResult:
    """Make a document, or change cells of a workbook."""
    path = given["path"]
    folder = Folder(context.workspace)
    folder.parts(path)
    if path.lower().endswith(".zip"):
        made = await asyncio.to_thread(pack, folder, given.get("paths") or [], path)
        await asyncio.to_thread(store, folder, path, made)
        return ToolResult(f"Wrote {len(made)} bytes to {path!r}.", {"path": path})
    before = b""
    if given.get("range"):
        before = await asyncio.to_thread(_bytes_if_there, folder, path)
    wanted = Wanted(
        action="write",
        name=PurePosixPath(path).name,
        text=given.get("text", ""),
        pages=given.get("sheet", ""),
        range=given.get("range", ""),
        sheets=_sheets(given),
    )
    reply = await (await reader_of(context.workspace)).ask(wanted, before)
    data = reply.files[0].data
    await asyncio.to_thread(store, folder, path, data)
    return ToolResult(f"Wrote {len(data)} bytes to {path!r}.", {"path": path, "bytes": len(data)})


async def extract(context: ToolContext, given: dict[str, Any]) -> ToolResult:
    """Unpack an archive, or the pictures and files inside a document, into a folder."""
    path = given["path"]
    folder = Folder(context.workspace)
    target = given.get("folder") or str(PurePosixPath(path).with_suffix(""))
    if target == path:
        target += "-files"
    folder.parts(target)
    data = await asyncio.to_thread(read_bytes, folder, path)
    reply = await ask(context.workspace, path, data, "extract", given)
    if len(reply.files) > _MOST_FILES:
        raise ToolError(
            f"{path!r} holds {len(reply.files)} files; up to {_MOST_FILES} are extracted at once. "
            "Name one with pages."
        )
    written: list[str] = []
    notes: Any = reply.data.get("notes", [])
    for file in reply.files:
        inside = str(PurePosixPath(target, file.name))
        try:
            await asyncio.to_thread(store, folder, inside, file.data)
        except ToolError as error:
            notes = [*notes, str(error)]
        else:
            written.append(f"{inside} ({len(file.data)} bytes)")
    if not written:
        raise ToolError(f"Nothing was extracted from {path!r}: {' '.join(map(str, notes))}")
    rows = written[:_MOST_NAMED]
    if len(written) > _MOST_NAMED:
        rows.append(f"… cut: {_MOST_NAMED} of {len(written)} names are shown.")
    head = f"Extracted {len(written)} file{'s' if len(written) != 1 else ''} to {target!r}:"
    text = "\n".join([head, *rows, *(f"Note: {note}" for note in notes)])
    return ToolResult(text, {"path": path, "folder": target, "files": len(written)})


def read_bytes(folder: Folder, path: str) -> bytes:
    """A file's content.

    Raises:
        ToolError: it is not there, or too large.
    """
    with os.fdopen(folder.open(path, os.O_RDONLY), "rb") as file:
        data = file.read(MOST_BYTES + 1)
        size = os.fstat(file.fileno()).st_size
    if len(data) > MOST_BYTES:
        raise ToolError(
            f"{path!r} has {size} bytes; documents of up to {MOST_BYTES} are read. Use code."
        )
    return data


def store(folder: Folder, path: str, data: bytes) -> None:
    """Make a file or replace it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with os.fdopen(folder.open(path, flags, make=True), "wb") as file:
        file.write(data)


def _bytes_if_there(folder: Folder, path: str) -> bytes:
    try:
        return read_bytes(folder, path)
    except ToolError as error:
        if str(error).startswith("There is no"):
            return b""
        raise


def _sheets(given: dict[str, Any]) -> dict[str, list[list[Cell]]]:
    """The rows by sheet, each a list of plain values."""
    tables = given.get("sheets") or {}
    if given.get("rows") is not None:
        tables = {given.get("sheet", ""): given["rows"], **tables}
    return {name: _rows(rows, name) for name, rows in tables.items()}


def _rows(rows: Any, name: str) -> list[list[Cell]]:
    """Rows as lists; objects get a first row with their names."""
    if not isinstance(rows, list):
        raise MalformedCall(f"The sheet {name!r} must be a list of rows.")
    if rows and all(isinstance(row, dict) for row in rows):
        names = list(dict.fromkeys(key for row in rows for key in row))
        return [list(names), *([_value(row.get(key)) for key in names] for row in rows)]
    if not all(isinstance(row, list) for row in rows):
        raise MalformedCall("Each row must be a list of values, or each an object.")
    return [[_value(cell) for cell in row] for row in rows]


def _value(cell: Any) -> Cell:
    if cell is None or isinstance(cell, str | float | bool):
        return cell
    if isinstance(cell, int):
        return cell if abs(cell) < 2**53 else str(cell)
    raise MalformedCall(
        f"A cell holds {str(cell)[:80]!r}; cells are text, numbers or truth values."
    )
