"""Texts of a workspace: UTF-8, up to a size, and what else a file may be."""

from __future__ import annotations

import itertools
import os
from pathlib import PurePosixPath

from aworld.errors import ToolError
from aworld.tools.workspace.folder import Folder

MOST_BYTES = 1024 * 1024
"""Size of a file that is written, or read as a whole."""
_MOST_LINE_BYTES = 64 * 1024
_DOCUMENTS = frozenset(
    [
        ".pdf",
        ".xlsx",
        ".xlsm",
        ".docx",
        ".pptx",
        ".odt",
        ".ods",
        ".odp",
        ".epub",
        ".zip",
        ".parquet",
    ]
    + [".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tiff", ".mp3", ".wav", ".m4a", ".flac"]
)


def read_text(folder: Folder, path: str) -> str:
    """A whole file, its line ends as they are.

    Raises:
        ToolError: it is too large, or no UTF-8 text; the message says what reads it.
    """
    with os.fdopen(folder.open(path, os.O_RDONLY), "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ToolError(
            f"{path!r} is larger than {MOST_BYTES} bytes. Read a part of it with first_line and "
            "lines, or use code."
        )
    return _decoded(path, data)


def read_lines(folder: Folder, path: str, first: int, count: int) -> str:
    """`count` lines from `first` on (0 means to the end), of a file of any size.

    Raises:
        ToolError: there are fewer lines, or it is no UTF-8 text.
    """
    with os.fdopen(folder.open(path, os.O_RDONLY), "rb") as file:
        seen = 0
        for _ in itertools.islice(file, first - 1):
            seen += 1
        rows: list[bytes] = []
        size = 0
        while size <= MOST_BYTES and (not count or len(rows) < count):
            row = file.readline(_MOST_LINE_BYTES)
            if not row:
                break
            # A line that is longer than all bounds is read in pieces: put together again.
            if rows and not rows[-1].endswith(b"\n"):
                rows[-1] += row
            else:
                rows.append(row)
            size += len(row)
    if not rows and first > 1:
        raise ToolError(f"{path!r} has {seen} lines, so none from {first} on.")
    if size > MOST_BYTES:
        raise ToolError(f"Those lines of {path!r} are more than {MOST_BYTES} bytes. Ask for fewer.")
    return _decoded(path, b"".join(rows))


def _decoded(path: str, data: bytes) -> str:
    try:
        if b"\0" not in data:
            return data.decode()
    except UnicodeDecodeError:
        pass
    if PurePosixPath(path).suffix.lower() in _DOCUMENTS:
        raise ToolError(f"{path!r} is not a UTF-8 text. Read it with the tool 'documents'.")
    raise ToolError(f"{path!r} is not a UTF-8 text. Read it with code.")


def text_data(path: str, text: str) -> bytes:
    """The text as it is written.

    Raises:
        ToolError: it is too large.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > MOST_BYTES:
        raise ToolError(
            f"{path!r} would have {len(data)} bytes; at most {MOST_BYTES} are allowed. Write less, "
            "or several files."
        )
    return data


def store(folder: Folder, path: str, data: bytes, *, make: bool) -> None:
    """Put `data` into a file in place of what is there; `make` makes it and its folders."""
    flags = os.O_WRONLY | os.O_TRUNC | (os.O_CREAT if make else 0)
    with os.fdopen(folder.open(path, flags, make=make), "wb") as file:
        file.write(data)
