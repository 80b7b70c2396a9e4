"""Finds lines in all texts below a folder of the workspace.

A pattern is a regular expression of somebody nobody vouches for: one like `(a+)+$` may take for
ever, and Python cannot be stopped while it matches. So it runs in a process of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from aworld.errors import ToolError
from aworld.tools.workspace.actions import files_below
from aworld.tools.workspace.folder import Folder
from aworld.tools.workspace.texts import read_text

MOST_FILES = 2_000
MOST_HITS = 200
SECONDS = 10.0
"""Time a pattern may take."""
SHOWN_LINE = 200
_MOST_SEARCHED_BYTES = 64 * 1024 * 1024


def search_text(folder: Folder, path: str, text: str) -> str:
    """The lines that contain a text, as `file:line: the line`."""
    if not text:
        raise ToolError("The text to search for is empty.")
    hits: list[str] = []
    read: list[str] = []
    for name, content in _texts(folder, path, read):
        for number, line in enumerate(content.splitlines(), 1):
            if text in line:
                hits.append(f"{name}:{number}: {line[:SHOWN_LINE]}")
        if len(hits) > MOST_HITS:
            break
    return _said(hits, read, repr(text))


async def search_pattern(folder: Folder, path: str, pattern: str) -> str:
    """The lines that a regular expression finds something in.

    Raises:
        ToolError: it is no regular expression, or takes too long.
    """
    read: list[str] = []
    texts = await asyncio.to_thread(lambda: list(_texts(folder, path, read)))
    request = json.dumps([pattern, texts, MOST_HITS + 1, SHOWN_LINE]).encode()
    script = str(Path(__file__).with_name("search_process.py"))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", script),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(SECONDS):
            out, _ = await process.communicate(request)
    except TimeoutError:
        raise ToolError(
            f"The pattern {pattern!r} takes more than {SECONDS:g} s here. Write a simpler one, "
            "without a repetition inside a repetition."
        ) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.returncode != 0:
        raise ToolError(f"The pattern {pattern!r} could not be searched for. Write a simpler one.")
    answer = json.loads(out)
    if answer["error"]:
        raise ToolError(f"{pattern!r} is no regular expression of Python: {answer['error']}.")
    return _said(answer["hits"], read, f"The pattern {pattern!r}")


def _texts(folder: Folder, path: str, read: list[str]) -> Iterator[tuple[str, str]]:
    """Files with their texts, up to the limits; `read` notes their names, and "…" where more were
    there."""
    size = 0
    for name in files_below(folder, folder.parts(path)):
        if len(read) >= MOST_FILES or size > _MOST_SEARCHED_BYTES:
            read.append("…")
            return
        read.append(name)
        try:
            content = read_text(folder, name)
        except ToolError:
            # Not a text, too large, or gone meanwhile.
            continue
        size += len(content)
        yield name, content


def _said(hits: list[str], read: list[str], what: str) -> str:
    files = len(read) - ("…" in read)
    if len(hits) > MOST_HITS:
        return "\n".join([*hits[:MOST_HITS], f"… cut: the first {MOST_HITS} lines are shown."])
    more = [f"… cut: only the first {files} files were searched."] if "…" in read else []
    return "\n".join([*(hits or [f"{what} stands in none of {files} files."]), *more])
