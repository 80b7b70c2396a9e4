"""Reading tasks."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from apps.shell.refusals import Missing
from apps.tasks.models import Task

MOST = 1000
MOST_OFFSET = 2**62
"""Databases know numbers of 64 bits only."""


def task_get(task_id: str) -> Task:
    """A task.

    Raises:
        Missing: there is none.
    """
    try:
        return Task.objects.get(pk=uuid.UUID(str(task_id)))
    except (Task.DoesNotExist, ValidationError, ValueError):
        raise Missing(
            _("There is no task %(id)r; it may have been deleted.") % {"id": str(task_id)}
        ) from None


def task_fields(task: Task) -> dict[str, Any]:
    """`{id, set, key, question, answer, level, metadata}`."""
    return {
        "id": str(task.id),
        "set": task.set,
        "key": task.key,
        "question": task.question,
        "answer": task.answer,
        "level": task.level,
        "metadata": task.metadata,
    }


def task_list(
    *, set: str = "", text: str = "", limit: int = 200, offset: int = 0
) -> dict[str, Any]:
    """`{tasks, total, sets: [{name, count}]}`; the sets are all there are, whatever is asked."""
    found = Task.objects.all()
    if set:
        found = found.filter(set=set)
    if text.strip():
        words = text.strip()
        found = found.filter(
            Q(question__icontains=words) | Q(answer__icontains=words) | Q(key__icontains=words)
        )
    start = max(0, min(offset, MOST_OFFSET))
    page = found[start : start + max(1, min(limit, MOST))]
    sets = Task.objects.order_by("set").values("set").annotate(count=Count("id"))
    return {
        "tasks": [task_fields(task) for task in page],
        "total": found.count(),
        "sets": [{"name": one["set"], "count": one["count"]} for one in sets],
    }
