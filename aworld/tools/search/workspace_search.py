"""A search of the run's own files: the index is brought up to date, then asked."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import time
from pathlib import PurePosixPath
from typing import NamedTuple

from aworld.errors import ToolError
from aworld.tools import open_things
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.documents.actions import ask, read_bytes
from aworld.tools.search.local_index import LocalIndex, Parts, index_of, path_of
from aworld.tools.search.workspace_files import MOST_FILES, FileState, files_below
from aworld.tools.workspace.folder import Folder

SECONDS = 25.0
"""Time that one call spends on files that are new; the next call goes on."""
_MOST_CHARACTERS = 1_000_000
"""Of one document's text."""
_PLAIN = frozenset({"", ".txt", ".md", ".py", ".js", ".ts", ".log", ".yaml", ".yml", ".toml",
                    ".ini", ".sh", ".c", ".h", ".cpp", ".java", ".rs", ".go", ".sql", ".tex",
                    ".rst", ".css"})  # fmt: skip
_PLAIN_BYTES = 2_000_000
_SHOWN_PROBLEMS = 5
_DATA_PROBLEMS = 50
_NAME = "search index"


class _Progress(NamedTuple):
    indexed: int
    left: int
    """Files for which there was no time yet."""
    too_many: bool


async def search_workspace(context: ToolContext, query: str, below: str, limit: int) -> ToolResult:
    """The best places: file, page, line, snippet.

    Raises:
        ToolError: the query has no words, or there is no such folder.
    """
    folder = Folder(context.workspace)
    below = "/".join(folder.parts(below))
    index = index_of(context.workspace)
    open_things.close_with(context.workspace, _NAME, lambda: _remove(context.workspace))
    try:
        progress = await _bring_up_to_date(index, folder, context.workspace)
        hits = await asyncio.to_thread(index.find, query, below, limit)
        problems = await asyncio.to_thread(index.problems)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
            raise ToolError(
                "The workspace cannot be searched: the disk of this machine is full, so there is "
                "no room for the index. Use 'files' with the action 'search' meanwhile."
            ) from None
        await _remove(context.workspace)
        raise ToolError(
            f"The index was damaged ({error}) and is made anew. Search again."
        ) from None
    rows = []
    for number, hit in enumerate(hits, 1):
        where = f"{hit.path}, {hit.part}" if hit.part else hit.path
        rows.append(f"{number}. {where}, line {hit.line}: {hit.snippet}")
    if not hits:
        rows.append(_nothing(query, below, progress.indexed))
    rows += _remarks(progress, problems)
    data = {
        "hits": [hit._asdict() for hit in hits],
        "indexed": progress.indexed,
        "left": progress.left,
        "problems": dict(list(problems.items())[:_DATA_PROBLEMS]),
    }
    return ToolResult("\n".join(rows), data)


async def _bring_up_to_date(index: LocalIndex, folder: Folder, workspace: str) -> _Progress:
    present, too_many = await asyncio.to_thread(files_below, folder)
    known = await asyncio.to_thread(index.files)
    gone = [path for path in known if path not in present]
    if gone:
        await asyncio.to_thread(index.forget, gone)
    due = [path for path, state in present.items() if known.get(path) != state]
    # Small files first: a search should not wait for one large document.
    due.sort(key=lambda path: (present[path].size, path))
    give_up = time.monotonic() + SECONDS
    done = 0
    for path in due:
        if time.monotonic() > give_up:
            break
        parts, problem = await _parts(folder, workspace, path, present[path])
        await asyncio.to_thread(index.add, path, present[path], parts, problem)
        done += 1
    left = len(due) - done
    return _Progress(len(present) - left, left, too_many)


async def _parts(folder: Folder, workspace: str, path: str, state: FileState) -> tuple[Parts, str]:
    """A file's text by parts, and what went wrong."""
    try:
        if state.size == 0:
            return (), ""
        data = await asyncio.to_thread(read_bytes, folder, path)
        text = _plain_text(path, data)
        if text is not None:
            return [("", text.splitlines())], ""
        reply = await ask(workspace, path, data, "passages", {"most_characters": _MOST_CHARACTERS})
    except ToolError as error:
        return (), str(error)
    found = reply.data["parts"]
    assert isinstance(found, list)
    problem = "" if reply.data["whole"] else "it is too long; only its beginning is searched."
    return [(label, lines) for label, lines in found], problem


def _plain_text(path: str, data: bytes) -> str | None:
    """The text of a file that surely is one; None leaves it to the documents' process."""
    if PurePosixPath(path).suffix.lower() not in _PLAIN or len(data) > _PLAIN_BYTES or 0 in data:
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if text.lstrip()[:1] in ("<", "{", "[", "%") else text


async def _remove(workspace: str) -> None:
    """Delete the index: its run is over."""
    path = path_of(workspace)
    for name in (path, path.with_name(f"{path.name}-journal")):
        with contextlib.suppress(FileNotFoundError):
            await asyncio.to_thread(os.unlink, name)


def _nothing(query: str, below: str, indexed: int) -> str:
    where = f" below {below!r}" if below else ""
    return f"Nothing in {indexed} files{where} fits {query!r}."


def _remarks(progress: _Progress, problems: dict[str, str]) -> list[str]:
    rows = []
    if progress.left:
        rows.append(f"… {progress.left} files are not indexed yet. Search again to go on.")
    if progress.too_many:
        rows.append(f"… only the first {MOST_FILES} files are searched.")
    shown = list(problems.items())[:_SHOWN_PROBLEMS]
    if shown:
        rows.append("Not searched, or not wholly:")
        rows += [f"- {path}: {problem}" for path, problem in shown]
    if len(problems) > len(shown):
        rows.append(f"- … and {len(problems) - len(shown)} more")
    return rows
