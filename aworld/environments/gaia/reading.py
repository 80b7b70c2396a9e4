"""Turns GAIA's rows into tasks, and finds their attachments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from aworld.environments.base import Task
from aworld.environments.gaia.layouts import Row, metadata_files, read_rows
from aworld.errors import ConfigurationError

LEVELS = (1, 2, 3)
_LONGEST_NAME = 255
HIDDEN = ("?", "")
"""What the test split has in place of an answer."""


class Attachment(msgspec.Struct, frozen=True):
    """A task's file."""

    name: str
    """As the team sees it in its workspace."""
    source: str
    """Where it lies, as an absolute path."""


def read_tasks(path: Path, suite: str = "") -> Iterator[Task]:
    """The tasks of a GAIA folder or metadata file; `suite` "" takes `gaia-` and the split's name.

    Raises:
        ConfigurationError: it is no such folder, or a row is wrong; the text names the line.
    """
    seen: dict[tuple[str, str], Row] = {}
    for file in metadata_files(path.absolute()):
        for row in read_rows(file):
            task = _task(row, suite or f"gaia-{file.parent.name}")
            first = seen.setdefault((task.suite, task.id), row)
            if first is not row:
                raise ConfigurationError(
                    f"{row.where} repeats the task_id {task.id!r} of {first.where}."
                )
            yield task


def _task(row: Row, suite: str) -> Task:
    task_id = _text(row, "task_id")
    question = _text(row, "Question")
    answer = row.fields.get("Final answer")
    truth = "?" if answer is None else str(answer)
    attachment = find_attachment(row, task_id)
    return Task(
        id=task_id,
        environment="gaia",
        suite=suite,
        question=question,
        level=str(_level(row)),
        tags=() if attachment is None else (PurePosixPath(attachment.name).suffix[1:].lower(),),
        graded=truth.strip() not in HIDDEN,
        data={
            "answer": truth,
            "attachment": None if attachment is None else msgspec.to_builtins(attachment),
            "annotator": _plain(row.fields.get("Annotator Metadata")),
        },
        **_carried(attachment),
    )


def _carried(attachment: Attachment | None) -> dict[str, Any]:
    """The file as the task's own, unless it is a link that leads out of its folder: caches of
    Hugging Face are made of such."""
    if attachment is None:
        return {}
    source = Path(attachment.source)
    if source.is_symlink() and not source.resolve().is_relative_to(source.parent.resolve()):
        return {}
    return {"folder": str(source.parent), "files": (source.name,)}


def _text(row: Row, field: str) -> str:
    value = row.fields.get(field)
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationError(
            f"{row.where} has no {field!r}: it is no row of GAIA. Its fields are: "
            f"{', '.join(map(repr, row.fields)) or 'none'}."
        )
    return value


def _level(row: Row) -> int:
    """1 to 3; the newer layout writes it as text."""
    level = row.fields.get("Level")
    if isinstance(level, str | int | float) and str(level).strip() in map(str, LEVELS):
        return int(level)
    raise ConfigurationError(f"{row.where} has the level {level!r}. GAIA's levels are 1, 2 and 3.")


def find_attachment(row: Row, task_id: str) -> Attachment | None:
    """The file by `file_path`, then by `file_name`, then by the task's id in a file's name.

    A file that is named but not there is kept by its name: only its own task cannot be done.

    Raises:
        ConfigurationError: its name leads out of the folder.
    """
    folder = row.file.parent
    by_path = _relative(row, "file_path")
    by_name = _relative(row, "file_name")
    if by_path is None and by_name is None:
        return None
    # `file_path` starts at the root of the data set, such as `2023/validation/a.csv`. What lies
    # above the folder is never looked at: a stranger's rows could name any file there.
    parts = () if by_path is None else by_path.parts
    places = [folder.joinpath(*parts[above:]) for above in range(min(len(parts), 4))]
    if by_name is not None:
        places.append(folder / by_name)
    for place in places:
        if place.is_file():
            return Attachment(place.name, str(place))
    for place in sorted(folder.iterdir()):
        if task_id in place.name and place.is_file() and not place.name.startswith("metadata."):
            return Attachment(place.name, str(place))
    missing = folder / (by_name or PurePosixPath((by_path or PurePosixPath("file")).name))
    return Attachment(missing.name, str(missing))


def _relative(row: Row, field: str) -> PurePosixPath | None:
    value = row.fields.get(field)
    if value is None or value == "":
        return None
    path = PurePosixPath(str(value))
    if path.is_absolute() or ".." in path.parts or "\0" in str(value) or not path.name:
        raise ConfigurationError(
            f"{row.where} has the {field} {value!r}, which leads out of the folder."
        )
    if max(len(part.encode("utf-8", "replace")) for part in path.parts) > _LONGEST_NAME:
        raise ConfigurationError(
            f"{row.where} has a {field} that no file can have: a name in it is longer than "
            f"{_LONGEST_NAME} bytes."
        )
    return path


def _plain(metadata: Any) -> dict[str, str]:
    """The annotator's notes; the test split has none."""
    if not isinstance(metadata, dict):
        return {}
    return {str(name): "" if note is None else str(note) for name, note in metadata.items()}
