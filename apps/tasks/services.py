"""Writing tasks."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from apps.shell.refusals import Conflict, Invalid
from apps.tasks.first_start import SET, first_rows
from apps.tasks.models import Task
from apps.tasks.reading import MOST_KEY, MOST_LEVEL, MOST_QUESTION, Row, read_tasks
from apps.tasks.selectors import task_get
from aworld.events.envelope import Clock

BATCH = 500
MOST_SET = 120
MOST_BYTES = 64 * 1024 * 1024
"""Of a file of tasks."""


def _set_name(name: str) -> str:
    """A set's name, trimmed.

    Raises:
        Invalid: empty or too long.
    """
    trimmed = name.strip()
    if not trimmed or len(trimmed) > MOST_SET:
        raise Invalid(_("Name the set in 1 to %(most)d characters.") % {"most": MOST_SET})
    return trimmed


def _checked(fields: dict[str, Any]) -> dict[str, Any]:
    if not str(fields.get("question", "")).strip():
        raise Invalid(_("The task has no question."))
    for name, most in (("key", MOST_KEY), ("level", MOST_LEVEL), ("question", MOST_QUESTION)):
        length = len(str(fields.get(name, "")))
        if length > most:
            raise Invalid(
                _("The task's %(field)s has %(length)d characters; at most %(most)d are taken.")
                % {"field": name, "length": length, "most": most}
            )
    return {**fields, "set": _set_name(str(fields.get("set", "")))}


def _taken(set_name: str, key: str) -> Conflict:
    return Conflict(
        _("The set %(set)r has a task %(key)r already. Choose another key, or edit that task.")
        % {"set": set_name, "key": key}
    )


def task_create(fields: dict[str, Any]) -> Task:
    """Add a task; without a key it gets the next number.

    Raises:
        Invalid: no question or no set.
        Conflict: the set has a task of that key.
    """
    checked = _checked(fields)
    position = Clock().now()
    key = str(checked.get("key") or "").strip() or str(position)
    if Task.objects.filter(set=checked["set"], key=key).exists():
        raise _taken(checked["set"], key)
    try:
        return Task.objects.create(**{**checked, "key": key}, position=position)
    except IntegrityError:
        raise _taken(checked["set"], key) from None


def task_update(task_id: str, fields: dict[str, Any]) -> Task:
    """Change a task.

    Raises:
        Missing: no such task.
        Invalid: no question or no set.
        Conflict: the set has another task of that key.
    """
    task = task_get(task_id)
    checked = _checked(fields)
    key = str(checked.get("key") or "").strip() or task.key
    if Task.objects.filter(set=checked["set"], key=key).exclude(pk=task.pk).exists():
        raise _taken(checked["set"], key)
    try:
        Task.objects.filter(pk=task.pk).update(**{**checked, "key": key})
    except IntegrityError:
        raise _taken(checked["set"], key) from None
    return task_get(task_id)


def task_delete(task_id: str) -> None:
    """Remove a task; its runs stay.

    Raises:
        Missing: no such task.
    """
    task_get(task_id).delete()


def tasks_import(name: str, data: bytes, set_name: str, *, dry_run: bool = False) -> dict[str, Any]:
    """`{added, updated, problems: [{line, message}]}` of a JSONL or CSV file.

    With a problem in any line nothing is written. A task whose key is there already is replaced;
    the same file twice therefore changes nothing, and one that broke off can be sent again.

    Raises:
        Invalid: no set, or lines that cannot be read; `extra` has the same fields.
    """
    set_name = _set_name(set_name)
    if len(data) > MOST_BYTES:
        raise Invalid(
            _("%(file)r has %(size)d bytes; at most %(most)d are taken at once. Split it.")
            % {"file": name, "size": len(data), "most": MOST_BYTES},
            added=0,
            updated=0,
            problems=[],
        )
    read = read_tasks(name, data)
    if read.problems:
        problems = sorted(read.problems)
        first = problems[0]
        raise Invalid(
            _(
                "%(file)r: %(count)d lines cannot be read, the first is line %(line)d: %(why)s "
                "Nothing was written."
            )
            % {"file": name, "count": len(problems), "line": first.line, "why": first.message},
            added=0,
            updated=0,
            problems=[problem._asdict() for problem in problems[:1000]],
        )
    return rows_write(set_name, read.rows, dry_run=dry_run)


def rows_write(set_name: str, rows: list[Row], *, dry_run: bool = False) -> dict[str, Any]:
    """Add or replace tasks by key: `{added, updated, problems: []}`."""
    present = {task.key: task for task in Task.objects.filter(set=set_name)}
    position = Clock().now()
    fresh = [
        Task(
            set=set_name,
            key=row.key,
            question=row.question,
            answer=row.answer,
            level=row.level,
            metadata=row.metadata,
            position=position + index,
        )
        for index, row in enumerate(rows)
        if row.key not in present
    ]
    changed = [_changed(present[row.key], row) for row in rows if row.key in present]
    updated = [task for task in changed if task is not None]
    if not dry_run:
        Task.objects.bulk_create(fresh, batch_size=BATCH)
        Task.objects.bulk_update(
            updated, ["question", "answer", "level", "metadata"], batch_size=BATCH
        )
    return {"added": len(fresh), "updated": len(updated), "problems": []}


def _changed(task: Task, row: Row) -> Task | None:
    """The task with the row's content; None where it has that already."""
    content = (row.question, row.answer, row.level, row.metadata)
    if (task.question, task.answer, task.level, task.metadata) == content:
        return None
    task.question, task.answer, task.level, task.metadata = content
    return task


def first_tasks() -> list[str]:
    """Add the set of a new installation where it is missing; says what was added."""
    if Task.objects.filter(set=SET).exists():
        return []
    outcome = rows_write(SET, first_rows())
    return [f"{outcome['added']} tasks in {SET!r}"]
