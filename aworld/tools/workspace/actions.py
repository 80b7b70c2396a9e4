"""What can be done with single files and folders of a workspace."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator

from aworld.errors import ToolError
from aworld.tools.workspace.folder import Folder, named
from aworld.tools.workspace.texts import (
    MOST_BYTES,
    read_lines,
    read_text,
    store,
    text_data,
)

_MOST_ENTRIES = 1_000


def read(folder: Folder, path: str, first_line: int = 1, lines: int = 0) -> str:
    """A file's text; from `first_line` on, `lines` of them (0 means all)."""
    if first_line > 1 or lines:
        return read_lines(folder, path, first_line, lines)
    return read_text(folder, path) or "(empty)"


def write(folder: Folder, path: str, text: str) -> str:
    """Make a file or replace it."""
    data = text_data(path, text)
    store(folder, path, data, make=True)
    return f"Wrote {len(data)} bytes to {path!r}."


def append(folder: Folder, path: str, text: str) -> str:
    """Add to the end of a file; make it where it is not there."""
    data = text_data(path, text)
    descriptor = folder.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, make=True)
    with os.fdopen(descriptor, "ab") as file:
        size = os.fstat(file.fileno()).st_size + len(data)
        if size > MOST_BYTES:
            raise ToolError(f"{path!r} would have {size} bytes; at most {MOST_BYTES} are allowed.")
        file.write(data)
    return f"Added {len(data)} bytes to {path!r}; it has {size} now."


def move(folder: Folder, path: str, to: str) -> str:
    """Give a file or folder another place or name; nothing is overwritten."""
    source, target = _inside(folder, path), _inside(folder, to)
    with folder.folder(source[:-1]) as old, folder.folder(target[:-1], make=True) as new:
        with named(path):
            os.stat(source[-1], dir_fd=old, follow_symlinks=False)
        if target[-1] in os.listdir(new):
            raise ToolError(f"{to!r} is there already. Delete it first, or choose another name.")
        with named(path):
            os.rename(source[-1], target[-1], src_dir_fd=old, dst_dir_fd=new)
    return f"Moved {path!r} to {to!r}."


def delete(folder: Folder, path: str) -> str:
    """Remove a file, or a folder with all that is in it; a link, not where it leads."""
    parts = _inside(folder, path)
    with folder.folder(parts[:-1]) as parent, named(path):
        mode = os.stat(parts[-1], dir_fd=parent, follow_symlinks=False).st_mode
        if not stat.S_ISDIR(mode):
            os.unlink(parts[-1], dir_fd=parent)
            return f"Deleted {path!r}."
        count = sum(1 for _ in files_below(folder, parts))
        shutil.rmtree(parts[-1], dir_fd=parent)
    return f"Deleted the folder {path!r} with {count} file{'' if count == 1 else 's'}."


def list_folder(folder: Folder, path: str, *, deep: bool = False) -> str:
    """The names in a folder with sizes in bytes; `deep` lists all files below it."""
    parts = folder.parts(path)
    rows = list(_all_rows(folder, parts)) if deep else list(_rows(folder, parts))
    if len(rows) > _MOST_ENTRIES:
        cut = f"… cut: {_MOST_ENTRIES} of {len(rows)} names are shown."
        rows = [*rows[:_MOST_ENTRIES], cut]
    return "\n".join(rows) or "(empty)"


def _rows(folder: Folder, parts: tuple[str, ...]) -> Iterator[str]:
    with folder.folder(parts) as descriptor:
        for name in sorted(os.listdir(descriptor)):
            yield _row(name, name, descriptor)


def _all_rows(folder: Folder, parts: tuple[str, ...]) -> Iterator[str]:
    for name in files_below(folder, parts):
        own = tuple(name.split("/"))
        with folder.folder(own[:-1]) as descriptor:
            yield _row("/".join(own[len(parts) :]), own[-1], descriptor)


def _row(shown: str, name: str, folder: int) -> str:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return shown
    if stat.S_ISDIR(found.st_mode):
        return f"{shown}/"
    if stat.S_ISLNK(found.st_mode):
        return f"{shown} (link)"
    return f"{shown} ({found.st_size} bytes)"


def files_below(folder: Folder, parts: tuple[str, ...]) -> Iterator[str]:
    """The paths of all files below, sorted; links are left out, and what goes meanwhile."""
    found: list[tuple[str, int]] = []
    with folder.folder(parts) as descriptor:
        for name in sorted(os.listdir(descriptor)):
            try:
                mode = os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode
            except OSError:
                continue
            found.append((name, mode))
    for name, kind in found:
        if stat.S_ISREG(kind):
            yield "/".join((*parts, name))
        elif stat.S_ISDIR(kind):
            try:
                yield from files_below(folder, (*parts, name))
            except ToolError:
                # Gone meanwhile, closed to us, or deeper than anybody needs.
                continue


def _inside(folder: Folder, path: str) -> tuple[str, ...]:
    parts = folder.parts(path)
    if not parts:
        raise ToolError(f"{path!r} is the workspace itself. Name something in it.")
    return parts
