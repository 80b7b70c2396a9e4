"""Reading environments: kinds, suites, tasks, and the files of a task. Never an answer."""

from __future__ import annotations

import mimetypes
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
from django.utils.translation import gettext as _

from apps.shell.refusals import Missing
from aworld.environments import registry
from aworld.environments.action_tool import specs_of
from aworld.environments.base import EnvironmentKind, Task
from aworld.environments.imported import imported_suites
from aworld.environments.record import reference_of
from aworld.errors import ConfigurationError
from aworld.tools.base import Attachment

MOST_TASKS = 500
"""In one answer."""
MOST_QUESTION = 400
"""Characters of a question that a list shows."""
SUPPORT_S = 60.0
"""Seconds for which what this machine can do is taken for known: looking starts programs."""

_support: dict[str, tuple[float, list[dict[str, Any]]]] = {}


class TaskQuery(NamedTuple):
    """Which tasks of a suite."""

    level: str = ""
    tag: str = ""
    graded: bool | None = None
    text: str = ""
    limit: int = 100
    offset: int = 0


def environment_list() -> list[dict[str, Any]]:
    """All kinds by name, each with its suites and with what this machine lacks for it."""
    return [_kind_fields(kind) for kind in registry.kinds().values()]


def environment_get(name: str) -> EnvironmentKind:
    """A kind.

    Raises:
        Missing: there is none.
    """
    try:
        return registry.kind(name)
    except ConfigurationError as error:
        raise Missing(str(error)) from None


def task_named(suite: str, id: str) -> Task:
    """A task.

    Raises:
        Missing: there is no such suite or task.
    """
    try:
        return registry.find_task(f"{suite}/{id}")
    except ConfigurationError as error:
        raise Missing(str(error)) from None


def suite_tasks(suite: str, query: TaskQuery) -> list[Task]:
    """The tasks of a suite that fit, in its order.

    Raises:
        Missing: there is no such suite.
    """
    words = query.text.strip().casefold()
    return [
        task
        for task in _tasks(suite)
        if (not query.level or task.level == query.level)
        and (not query.tag or query.tag in task.tags)
        and (query.graded is None or task.graded is query.graded)
        and (not words or words in task.id.casefold() or words in task.question.casefold())
    ]


def suite_page(suite: str, query: TaskQuery) -> dict[str, Any]:
    """`{suite, environment, title, imported, tasks, total, levels, tags, ungraded}`; levels and
    tags with their counts are those of the whole suite, whatever is asked.

    Raises:
        Missing: there is no such suite.
    """
    found = suite_tasks(suite, query)
    start = max(0, query.offset)
    page = found[start : start + max(1, min(query.limit, MOST_TASKS))]
    whole = _tasks(suite)
    environment, title = _suite(suite)
    return {
        "suite": suite,
        "environment": environment,
        "title": title,
        "imported": suite in imported_suites(),
        "tasks": [_row(task) for task in page],
        "total": len(found),
        "count": len(whole),
        "levels": _counted([task.level for task in whole]),
        "tags": _counted([tag for task in whole for tag in task.tags]),
        "ungraded": sum(not task.graded for task in whole),
    }


def task_fields(task: Task) -> dict[str, Any]:
    """A task whole, but for its `data`: answers, scripts and getters stay here."""
    environment = registry.kind(task.environment)
    return {
        **_row(task),
        "question": task.question,
        "network": list(task.network),
        "environment_title": environment.title,
        "files": [_file_row(task, name, number) for number, name in enumerate(task.files)],
        "actions": msgspec.to_builtins(list(specs_of(task).values())),
    }


def task_file(task: Task, number: int) -> Attachment:
    """A file that the team may read.

    Raises:
        Missing: there is none of that number.
    """
    if not 0 <= number < len(task.files):
        raise Missing(
            _("Task %(task)r has no file %(number)d.")
            % {"task": reference_of(task), "number": number}
        )
    name = task.files[number]
    path = (Path(task.folder) / name).resolve()
    if not path.is_relative_to(Path(task.folder).resolve()) or not path.is_file():
        raise Missing(
            _("The file %(name)r of task %(task)r is not there.")
            % {"name": name, "task": reference_of(task)}
        )
    return Attachment(path.name, _media_type(path.name), path.read_bytes())


def _tasks(suite: str) -> list[Task]:
    try:
        return list(registry.tasks_of(suite))
    except ConfigurationError as error:
        raise Missing(str(error)) from None


def _suite(suite: str) -> tuple[str, str]:
    return next((kind, title) for kind, name, title in registry.suites() if name == suite)


def _kind_fields(kind: EnvironmentKind) -> dict[str, Any]:
    brought = imported_suites()
    return {
        "name": kind.name,
        "title": kind.title,
        "description": kind.description,
        "support": _support_of(kind),
        "suites": [
            {
                "name": suite,
                "title": title,
                "tasks": brought[suite].tasks if suite in brought else len(_tasks(suite)),
                "imported": suite in brought,
            }
            for environment, suite, title in registry.suites()
            if environment == kind.name
        ],
    }


def _support_of(kind: EnvironmentKind) -> list[dict[str, Any]]:
    now = time.monotonic()
    known = _support.get(kind.name)
    if known is None or now - known[0] > SUPPORT_S:
        known = _support[kind.name] = (now, [msgspec.to_builtins(one) for one in kind.support()])
    return known[1]


def _row(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "suite": task.suite,
        "reference": reference_of(task),
        "environment": task.environment,
        "question": task.question[:MOST_QUESTION],
        "level": task.level,
        "tags": list(task.tags),
        "graded": task.graded,
        "max_steps": task.max_steps,
        "seconds": task.seconds,
        "file_names": list(task.files),
    }


def _file_row(task: Task, name: str, number: int) -> dict[str, Any]:
    path = Path(task.folder) / name
    return {
        "name": name,
        "media_type": _media_type(name),
        "size": path.stat().st_size if path.is_file() else 0,
        "url": f"/api/suites/{task.suite}/files/{number}?task={quote(task.id, safe='')}",
    }


def _media_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def _counted(words: list[str]) -> list[dict[str, Any]]:
    """`[{name, count}]` by name; nothing for what has none."""
    counts: dict[str, int] = {}
    for word in words:
        if word:
            counts[word] = counts.get(word, 0) + 1
    return [{"name": name, "count": count} for name, count in sorted(counts.items())]
