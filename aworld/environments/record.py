"""A run's environment as its row keeps it: `{kind, suite, task_id, task}`."""

from __future__ import annotations

from typing import Any

import msgspec

from aworld.environments.base import Task
from aworld.errors import ConfigurationError

ANSWER_S = 60.0
"""What a run may take beyond its task's time to give its answer, where it acts on a world: its
actions are refused from then on. Where nothing is acted on, the time ends the run."""


def environment_of(task: Task) -> dict[str, Any]:
    """What a run's row keeps of its task.

    Raises:
        ConfigurationError: the task's own fields are no JSON.
    """
    try:
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(task))
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ConfigurationError(
            f"Task {task.id!r} of suite {task.suite!r} cannot be recorded: {error}. Its `data` "
            "holds text, lists, objects and numbers."
        ) from error
    return {"kind": task.environment, "suite": task.suite, "task_id": task.id, "task": plain}


def reference_of(task: Task) -> str:
    """`suite/id`."""
    return f"{task.suite}/{task.id}"


def task_of(environment: dict[str, Any]) -> Task | None:
    """The task of a run's row; None where the run has no environment.

    Raises:
        ConfigurationError: it cannot be read.
    """
    if not environment:
        return None
    try:
        return msgspec.convert(environment["task"], Task)
    except (KeyError, msgspec.ValidationError) as error:
        raise ConfigurationError(f"The run's environment cannot be read: {error}.") from error


def without_answers(environment: dict[str, Any]) -> dict[str, Any]:
    """What may be shown while the run goes on: all but the task's `data`."""
    if not environment:
        return {}
    shown = {name: value for name, value in environment["task"].items() if name != "data"}
    return {**environment, "task": shown}


def trusted(environment: dict[str, Any]) -> dict[str, Any]:
    """The environment of a run that comes from a stranger, fit to be acted in by a fork of it.

    Its task could name any file of this machine, and its scripts would be run: it is taken from
    the suites that ship here, and where there is none, all but its words is left out."""
    from aworld.environments.registry import find_task

    try:
        task = task_of(environment)
        if task is None:
            return {}
        return environment_of(find_task(reference_of(task)))
    except ConfigurationError:
        pass
    given = environment.get("task")
    words = given if isinstance(given, dict) else {}

    def word(name: str) -> str:
        return str(words.get(name, ""))

    bare = Task(word("id"), word("environment"), word("suite"), word("question"))
    return environment_of(bare)


def allowed_s(environment: dict[str, Any]) -> float | None:
    """Seconds that a run's task allows it; None where it sets no time.

    Raises:
        ConfigurationError: the environment cannot be read, or there is no such kind.
    """
    task = task_of(environment)
    if task is None or task.seconds is None:
        return None
    from aworld.environments.registry import kind

    acts = bool(kind(task.environment).action_specs(task))
    return task.seconds + (ANSWER_S if acts else 0.0)
