"""What can be done with the files of a workspace. Texts are UTF-8."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from aworld.errors import ToolError
from aworld.tools.workspace.folder import Folder

MOST_BYTES = 1024 * 1024
"""Size of a file that is written or read."""
SHOWN_CHARACTERS = 40_000
_MOST_ENTRIES = 500
_MOST_HITS = 100
_MOST_SEARCHED = 2_000
_SHOWN_LINE = 200


def read(folder: Folder, path: str, first_line: int = 1, lines: int = 0) -> str:
    """A file's text; from `first_line` on, `lines` of them (0 means all)."""
    text = _text(folder, path)
    if first_line > 1 or lines:
        rows = text.splitlines(keepends=True)
        if first_line > max(1, len(rows)):
            raise ToolError(f"{path!r} has {len(rows)} lines, so none from {first_line} on.")
        end = first_line - 1 + lines if lines else None
        text = "".join(rows[first_line - 1 : end])
    if len(text) > SHOWN_CHARACTERS:
        return (
            f"{text[:SHOWN_CHARACTERS]}\n… cut: {SHOWN_CHARACTERS} of {len(text)} characters are "
            "shown. Read the rest with first_line."
        )
    return text


def write(folder: Folder, path: str, text: str) -> str:
    """Make a file or replace it."""
    data = _data(path, text)
    _store(folder, path, data, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    return f"Wrote {len(data)} bytes to {path!r}."


def append(folder: Folder, path: str, text: str) -> str:
    """Add to the end of a file; make it where it is not there."""
    data = _data(path, text)
    descriptor = folder.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, make=True)
    with os.fdopen(descriptor, "ab") as file:
        size = os.fstat(file.fileno()).st_size + len(data)
        if size > MOST_BYTES:
            raise ToolError(f"{path!r} would have {size} bytes; at most {MOST_BYTES} are allowed.")
        file.write(data)
    return f"Added {len(data)} bytes to {path!r}; it has {size} now."


def patch(folder: Folder, path: str, old: str, new: str) -> str:
    """Replace a passage that stands in the file exactly once."""
    text = _text(folder, path)
    if not old:
        raise ToolError("The passage to replace ('old') is empty.")
    count = text.count(old)
    if count != 1:
        found = "does not stand" if count == 0 else f"stands {count} times"
        raise ToolError(
            f"The passage {found} in {path!r}. Give one that stands there exactly once, with the "
            "lines around it."
        )
    line = text[: text.index(old)].count("\n") + 1
    data = _data(path, text.replace(old, new))
    _store(folder, path, data, os.O_WRONLY | os.O_TRUNC)
    return f"Replaced the passage at line {line} of {path!r}."


def list_folder(folder: Folder, path: str) -> str:
    """The names in a folder, with sizes."""
    with folder.folder(folder.parts(path)) as descriptor:
        names = sorted(os.listdir(descriptor))
        rows = [_row(name, descriptor) for name in names[:_MOST_ENTRIES]]
    if len(names) > _MOST_ENTRIES:
        rows.append(f"… cut: {_MOST_ENTRIES} of {len(names)} names are shown.")
    return "\n".join(rows) or "(empty)"


def search(folder: Folder, path: str, text: str) -> str:
    """The lines that contain a text, in all files below a folder."""
    if not text:
        raise ToolError("The text to search for is empty.")
    hits: list[str] = []
    searched = 0
    for name in _files(folder, folder.parts(path)):
        searched += 1
        if searched > _MOST_SEARCHED or len(hits) >= _MOST_HITS:
            hits.append(f"… cut: {len(hits)} lines of the first {searched - 1} files are shown.")
            break
        try:
            content = _text(folder, name)
        except ToolError:
            # Not a text, too large, or gone meanwhile.
            continue
        for number, line in enumerate(content.splitlines(), 1):
            if text in line and len(hits) < _MOST_HITS:
                hits.append(f"{name}:{number}: {line[:_SHOWN_LINE]}")
    return "\n".join(hits) or f"{text!r} stands in none of {searched} files."


def _row(name: str, folder: int) -> str:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return name
    if stat.S_ISDIR(found.st_mode):
        return f"{name}/"
    if stat.S_ISLNK(found.st_mode):
        return f"{name} (link)"
    return f"{name} ({found.st_size} bytes)"


def _files(folder: Folder, parts: tuple[str, ...]) -> Iterator[str]:
    """The paths of all files below, sorted; links are left out."""
    with folder.folder(parts) as descriptor:
        names = sorted(os.listdir(descriptor))
        kinds = [os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode for name in names]
    for name, kind in zip(names, kinds, strict=True):
        if stat.S_ISREG(kind):
            yield "/".join((*parts, name))
        elif stat.S_ISDIR(kind):
            yield from _files(folder, (*parts, name))


def _text(folder: Folder, path: str) -> str:
    with os.fdopen(folder.open(path, os.O_RDONLY), "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ToolError(f"{path!r} is larger than {MOST_BYTES} bytes. Read it with code, in parts.")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ToolError(f"{path!r} is not a UTF-8 text. Read it with code.") from None


def _data(path: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > MOST_BYTES:
        raise ToolError(
            f"{path!r} would have {len(data)} bytes; at most {MOST_BYTES} are allowed. Write less, "
            "or several files."
        )
    return data


def _store(folder: Folder, path: str, data: bytes, flags: int) -> None:
    with os.fdopen(folder.open(path, flags, make=bool(flags & os.O_CREAT)), "wb") as file:
        file.write(data)
