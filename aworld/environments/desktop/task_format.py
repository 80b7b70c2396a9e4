"""OSWorld's task JSON: what prepares the desktop, and what judges it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from aworld.environments.base import Task
from aworld.errors import ConfigurationError

Fields = dict[str, Any]
INFEASIBLE = "infeasible"
"""The `func` of a task that cannot be done: right is to say FAIL."""
_MOST_BYTES = 4 * 1024 * 1024
_MOST_TASKS = 20_000


class ConfigStep(msgspec.Struct, frozen=True):
    """One step that prepares the desktop, before the episode or before it is judged."""

    type: str
    parameters: Fields = {}


class Evaluator(msgspec.Struct, frozen=True):
    """The judging part as it stands in the file."""

    func: str | list[str]
    conj: str = "and"
    result: Fields | list[Fields] | None = None
    expected: Fields | list[Fields | None] | None = None
    options: Fields | list[Fields | None] | None = None
    postconfig: list[ConfigStep] = []


class Check(msgspec.Struct, frozen=True):
    """One metric with what it compares."""

    func: str
    result: Fields
    expected: Fields | None
    """None where the metric takes the result alone."""
    options: Fields


class DesktopTask(msgspec.Struct, frozen=True):
    """A task file."""

    id: str
    instruction: str
    evaluator: Evaluator
    config: list[ConfigStep] = []
    related_apps: list[str] = []
    snapshot: str = ""
    source: str | list[str] = ""
    proxy: bool = False
    screen: tuple[int, int] = (1280, 720)
    """Width and height; ours: OSWorld's files do not have it."""
    max_steps: int | None = None
    """Ours."""

    @property
    def infeasible(self) -> bool:
        """Whether it cannot be done."""
        return self.evaluator.func == INFEASIBLE

    def checks(self) -> list[Check]:
        """The metrics in order.

        Raises:
            ConfigurationError: lists are not of one length.
        """
        if self.infeasible:
            return []
        judge = self.evaluator
        if isinstance(judge.func, str):
            return [_check(judge.func, judge.result, judge.expected, judge.options)]
        columns: list[list[Any]] = []
        for name in ("result", "expected", "options"):
            given = getattr(judge, name)
            column = given if isinstance(given, list) else [given] * len(judge.func)
            if given in (None, [], {}):
                column = [None] * len(judge.func)
            if len(column) != len(judge.func):
                raise ConfigurationError(
                    f"The evaluator of {self.id!r} has {len(judge.func)} in 'func' and "
                    f"{len(column)} in {name!r}. Give one for each."
                )
            columns.append(column)
        return [_check(*parts) for parts in zip(judge.func, *columns, strict=True)]


def _check(func: str, result: Any, expected: Any, options: Any) -> Check:
    return Check(func, result or {}, expected or None, options or {})


def parse(data: Fields, where: str) -> DesktopTask:
    """A task from its JSON object.

    Raises:
        ConfigurationError: it is no task; the text names the file and the field.
    """
    try:
        task = msgspec.convert(data, DesktopTask)
        task.checks()
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{where} is no task of OSWorld: {error}.") from None
    width, height = task.screen
    if not (320 <= width <= 3840 and 240 <= height <= 2160):
        raise ConfigurationError(f"{where}: a screen of {width} x {height} pixels is not made.")
    return task


def read_file(path: Path, suite: str) -> Task:
    """The task of one file.

    Raises:
        ConfigurationError: it cannot be read; the text names the file.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ConfigurationError(f"{str(path)!r} is too large for a task.")
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{str(path)!r} cannot be read as a task: {error}.") from None
    if not isinstance(data, dict):
        raise ConfigurationError(f"{str(path)!r} holds no task: it is no JSON object.")
    task = parse(data, repr(str(path)))
    return Task(
        id=task.id,
        environment="osworld",
        suite=suite,
        question=task.instruction,
        tags=tuple(task.related_apps),
        folder=str(path.parent.resolve()),
        max_steps=task.max_steps,
        data=data,
    )


def read_all(path: Path, suite: str) -> Iterator[Task]:
    """The tasks of a file, of an index such as `test_small.json`, or of a folder of task files.

    Raises:
        ConfigurationError: there is nothing to read, or a file is wrong.
    """
    if path.is_file():
        listed = _index(path)
        files = [path] if listed is None else listed
    elif path.is_dir():
        index = path / "test_all.json"
        listed = _index(index) if index.is_file() else None
        files = sorted(path.rglob("*.json")) if listed is None else listed
        files = [file for file in files if not file.name.startswith("test_")]
    else:
        raise ConfigurationError(f"{str(path)!r} is not there. Name a task file or a folder.")
    if not files:
        raise ConfigurationError(f"{str(path)!r} holds no task files (*.json).")
    if len(files) > _MOST_TASKS:
        raise ConfigurationError(f"{str(path)!r} holds more than {_MOST_TASKS} files.")
    for file in files:
        yield read_file(file, suite)


def _index(path: Path) -> list[Path] | None:
    """The files that an index `{app: [ids]}` names, or None where the file is no index."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{str(path)!r} cannot be read: {error}.") from None
    lists = isinstance(data, dict) and data and all(isinstance(v, list) for v in data.values())
    if not lists or "id" in data:
        return None
    folder = path.parent / "examples"
    found = [folder / app / f"{key}.json" for app, keys in data.items() for key in keys]
    lacking = [file for file in found if not file.is_file()]
    if lacking:
        raise ConfigurationError(
            f"{str(path)!r} names {len(lacking)} tasks that are not there, first "
            f"{str(lacking[0])!r}."
        )
    return found
