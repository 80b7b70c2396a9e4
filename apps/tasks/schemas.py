"""What the API takes, and what its description says of answers."""

from __future__ import annotations

from typing import Any

from ninja import Schema


class TaskIn(Schema):
    """A task. Without a key it gets one."""

    set: str
    question: str
    key: str = ""
    answer: str = ""
    level: str = ""
    metadata: dict[str, Any] = {}


class TaskOut(TaskIn):
    """A task that is there."""

    id: str


class SetOut(Schema):
    """A set and how many tasks it has."""

    name: str
    count: int


class TaskListOut(Schema):
    """A page of tasks; `total` match, `sets` are all there are."""

    tasks: list[TaskOut]
    total: int
    sets: list[SetOut]


class LineProblemOut(Schema):
    """What is wrong with a line of the file; lines count from 1."""

    line: int
    message: str


class ImportOut(Schema):
    """What an import did."""

    added: int
    updated: int
    problems: list[LineProblemOut]
