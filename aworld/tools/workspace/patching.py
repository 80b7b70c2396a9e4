"""Changes texts of a workspace: one passage, or a unified diff over several files.

The line numbers of a diff are taken as a hint only: models miscount. Its context decides, and has
to fit exactly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from aworld.errors import ToolError
from aworld.tools.workspace.actions import delete
from aworld.tools.workspace.folder import Folder
from aworld.tools.workspace.texts import read_text, store, text_data

_HUNK = re.compile(r"@@+\s*-(\d+)(?:,\d+)?\s+\+\d+(?:,\d+)?\s*@@+")
_NEAR = 50
"""Places that are looked at to tell what does not fit."""
_NOWHERE = "/dev/null"
_NO_END = "\\ No newline"


class Hunk(msgspec.Struct):
    """One place of a change."""

    line: int
    """Where the diff believes the old lines to begin, from 1."""
    old: list[str] = []
    new: list[str] = []
    ends: bool = True
    """Whether the last new line ends with a line's end."""


class FileChange(msgspec.Struct):
    """All that a diff changes in one file."""

    before: str
    """Its path, or `/dev/null` for a new file."""
    after: str
    hunks: list[Hunk] = []


def replace_passage(folder: Folder, path: str, old: str, new: str) -> str:
    """Replace a passage that stands in the file exactly once.

    Raises:
        ToolError: it does not, or stands there more often.
    """
    text = read_text(folder, path)
    if not old:
        raise ToolError("The passage to replace ('old') is empty.")
    if old not in text and "\r\n" in text:
        # Models write line ends of one kind only.
        old, new = (part.replace("\r\n", "\n").replace("\n", "\r\n") for part in (old, new))
    count = text.count(old)
    if count != 1:
        found = "does not stand" if count == 0 else f"stands {count} times"
        raise ToolError(
            f"The passage {found} in {path!r}. Give one that stands there exactly once, with the "
            "lines around it."
        )
    line = text[: text.index(old)].count("\n") + 1
    store(folder, path, text_data(path, text.replace(old, new)), make=False)
    return f"Replaced the passage at line {line} of {path!r}."


def apply_diff(folder: Folder, diff: str, path: str = "") -> str:
    """Apply a unified diff: all of it, or nothing. `path` names the file where the diff does not.

    Raises:
        ToolError: it is no diff, or does not fit; the text names file, place and line.
    """
    changes = read_diff(diff, path)
    texts: dict[str, str | None] = {}
    for change in changes:
        _apply(folder, change, texts)
    # Everything fits: only now is anything written.
    said = []
    for name, text in texts.items():
        if text is None:
            said.append(delete(folder, name))
            continue
        store(folder, name, text_data(name, text), make=True)
        count = sum(len(change.hunks) for change in changes if change.after == name)
        said.append(f"Changed {count} place{'' if count == 1 else 's'} of {name!r}.")
    return "\n".join(said)


def _apply(folder: Folder, change: FileChange, texts: dict[str, str | None]) -> None:
    """Add what the change makes of its file to `texts`; None stands for a deleted one."""
    if change.before == _NOWHERE:
        if change.after in texts or _is_there(folder, change.after):
            raise ToolError(f"The diff makes {change.after!r}, which is there already.")
        text: str | None = ""
    else:
        known = change.before in texts
        text = texts[change.before] if known else read_text(folder, change.before)
    if text is None:
        raise ToolError(f"The diff changes {change.before!r} after it deleted it.")
    changed = apply_hunks(text, change.hunks, change.before)
    if change.before not in (_NOWHERE, change.after):
        texts[change.before] = None
    if change.after != _NOWHERE:
        texts[change.after] = changed
    elif changed.strip():
        raise ToolError(
            f"The diff deletes {change.before!r} but leaves lines of it. Take all of them out."
        )


def _is_there(folder: Folder, path: str) -> bool:
    try:
        read_text(folder, path)
    except ToolError as error:
        return "There is no" not in str(error)
    return True


def read_diff(diff: str, path: str = "") -> list[FileChange]:
    """The changes of a unified diff.

    Raises:
        ToolError: it is none, or names no file.
    """
    changes: list[FileChange] = []
    before = ""
    hunk: Hunk | None = None
    lines = diff.replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines):
        after_it = lines[number + 1] if number + 1 < len(lines) else ""
        heading = _HUNK.match(line)
        if line.startswith("--- ") and after_it.startswith("+++ "):
            before, hunk = _path(line), None
        elif line.startswith("+++ ") and before:
            changes.append(FileChange(before, _path(line)))
            before = ""
        elif heading:
            hunk = Hunk(int(heading[1]))
            _current(changes, path).hunks.append(hunk)
        elif hunk is not None:
            hunk = _add(hunk, line, last=number == len(lines) - 1)
    if not any(change.hunks for change in changes):
        raise ToolError(
            "This is no unified diff: it has no '@@ -1,3 +1,4 @@' with lines that begin with ' ', "
            "'-' or '+'. Or give 'old' and 'new' instead."
        )
    return changes


def _current(changes: list[FileChange], path: str) -> FileChange:
    if not changes:
        if not path:
            raise ToolError("The diff names no file. Begin it with '--- a/…' and '+++ b/…'.")
        changes.append(FileChange(path, path))
    return changes[-1]


def _path(line: str) -> str:
    name = line[4:].partition("\t")[0].strip()
    return name[2:] if name[:2] in ("a/", "b/") else name


def _add(hunk: Hunk, line: str, *, last: bool) -> Hunk | None:
    """Add a line of the diff; None where the hunk has ended."""
    if line.startswith(_NO_END):
        hunk.ends = False
    elif line.startswith("-"):
        hunk.old.append(line[1:])
    elif line.startswith("+"):
        hunk.new.append(line[1:])
        hunk.ends = True
    elif line.startswith(" ") or (not line and not last):
        # Editors and models strip the blank of an empty context line.
        hunk.old.append(line[1:])
        hunk.new.append(line[1:])
    else:
        return None
    return hunk


def apply_hunks(text: str, hunks: Sequence[Hunk], path: str) -> str:
    """The text with all hunks applied, from its top to its end.

    Raises:
        ToolError: one does not fit.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    ended = not text or text.endswith("\n")
    rows = text.removesuffix("\n").removesuffix("\r").split(end) if text else []
    floor = shift = 0
    for number, hunk in enumerate(hunks, 1):
        place = _find(rows, hunk, floor, shift, f"Place {number} of the diff of {path!r}")
        rows[place : place + len(hunk.old)] = hunk.new
        floor = place + len(hunk.new)
        shift += len(hunk.new) - len(hunk.old)
        if floor == len(rows) and hunk.new:
            ended = hunk.ends
    return end.join(rows) + (end if ended and rows else "")


def _find(rows: list[str], hunk: Hunk, floor: int, shift: int, where: str) -> int:
    """The index in `rows` at which the hunk's old lines stand."""
    wanted = hunk.line - 1 + shift
    if not hunk.old:
        # "-5,0" means: after line 5.
        return min(max(wanted + 1, floor), len(rows))
    places = _places(rows, hunk.old, floor)
    if not places and hunk.old[-1] == "" and hunk.new[-1:] == [""]:
        # An empty line between this diff and the next is no context.
        hunk.old.pop()
        hunk.new.pop()
        places = _places(rows, hunk.old, floor)
    if wanted in places or len(places) == 1:
        return wanted if wanted in places else places[0]
    if places:
        lines = ", ".join(str(place + 1) for place in places[:5])
        raise ToolError(
            f"{where} fits {len(places)} times, at lines {lines}. Give more lines around it."
        )
    raise ToolError(f"{where} does not fit: {_nearest_miss(rows, hunk.old, floor, wanted)}")


def _places(rows: list[str], old: list[str], floor: int) -> list[int]:
    last = len(rows) - len(old)
    return [place for place in range(floor, last + 1) if rows[place : place + len(old)] == old]


def _nearest_miss(rows: list[str], old: list[str], floor: int, wanted: int) -> str:
    """Where most of the old lines stand, and the first that is different."""

    def fitting(place: int) -> int:
        pairs = zip(rows[place : place + len(old)], old, strict=False)
        return sum(row == line for row, line in pairs)

    # Around the stated line, and wherever the first of the lines stands.
    first = [place for place in range(floor, len(rows)) if rows[place] == old[0]]
    near = range(max(floor, wanted - _NEAR), max(floor, min(len(rows), wanted + _NEAR)) + 1)
    places = {*near, *sorted(first, key=lambda place: abs(place - wanted))[:_NEAR]}
    best = max(places, key=lambda place: (fitting(place), -abs(place - wanted)))
    for offset, line in enumerate(old):
        there = best + offset
        if there >= len(rows):
            return f"the file ends at line {len(rows)}, where the diff expects {line!r}."
        if rows[there] != line:
            return f"line {there + 1} is {rows[there]!r}, where the diff expects {line!r}."
    return "it overlaps the place before it."
