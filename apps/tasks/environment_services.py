"""Bringing suites of tasks, and episodes that people of this web process act in by hand."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TypeVar

from django.utils.translation import gettext as _

from apps.shell.process_folder import process_folder
from apps.shell.refusals import Conflict, Forbidden, Invalid, Missing
from apps.tasks.environment_selectors import environment_get
from aworld.environments.base import Action, Task
from aworld.environments.by_hand import HandSessions, HandView
from aworld.environments.imported import Imported, import_suite, remove_suite
from aworld.errors import ConfigurationError, EnvironmentFault, ToolError
from aworld.tools.base import Attachment

MOST_OF_ONE_PERSON = 2
MOST_ANSWER = 1_000_000

T = TypeVar("T")


@functools.cache
def hands() -> HandSessions:
    """Made at the first call; ended with the process, or when nobody uses them."""
    return HandSessions(process_folder("by_hand"), most=8)


def suite_import(
    environment: str, name: str, files: Mapping[str, bytes], *, title: str, by: str
) -> Imported:
    """Keep a suite of tasks in an environment's format.

    Raises:
        Missing: no such environment.
        Invalid: the files are none of it, or the name cannot be used.
    """
    environment_get(environment)
    try:
        return import_suite(environment, name.strip(), files, title=title, by=by)
    except ConfigurationError as error:
        raise Invalid(str(error)) from None


def suite_remove(name: str) -> None:
    """Remove a suite that was brought.

    Raises:
        Missing: there is none.
    """
    try:
        remove_suite(name)
    except ConfigurationError as error:
        raise Missing(str(error)) from None


def episode_open(task: Task, by: str) -> HandView:
    """Begin a task by hand.

    Raises:
        Conflict: too many are open, or the world cannot be made.
    """
    own = [view for view in hands().views() if view.by == by]
    if len(own) >= MOST_OF_ONE_PERSON:
        raise Conflict(
            _("You have %(count)d episodes open: %(tasks)s. Close one first.")
            % {"count": len(own), "tasks": ", ".join(view.task for view in own)},
            episodes=[{"id": view.id, "task": view.task} for view in own],
        )
    try:
        return hands().open(task, by=by)
    except (ConfigurationError, EnvironmentFault) as error:
        raise Conflict(str(error)) from None


def episode_get(id: str, by: str) -> HandView:
    """An episode as it is.

    Raises:
        Missing: there is none, or it was closed.
        Forbidden: it is somebody else's.
    """
    view = next((view for view in hands().views() if view.id == id), None)
    if view is None:
        raise Missing(_("This episode is closed. Begin the task again."))
    if view.by != by:
        raise Forbidden(_("This episode is %(by)s's. Begin one of your own.") % {"by": view.by})
    return view


def episode_step(id: str, by: str, action: Action) -> HandView:
    """Act. Raises as `episode_get`, and Invalid, Conflict as `_carried_out`."""
    return _carried_out(id, by, lambda: hands().step(id, action))


def episode_observe(id: str, by: str) -> HandView:
    """Look. Raises as `episode_step`."""
    return _carried_out(id, by, lambda: hands().observe(id))


def episode_reset(id: str, by: str) -> HandView:
    """Begin the same task anew. Raises as `episode_step`."""
    return _carried_out(id, by, lambda: hands().reset(id))


def episode_verify(id: str, by: str, answer: str) -> HandView:
    """Hand in an answer. Raises as `episode_step`."""
    if len(answer) > MOST_ANSWER:
        raise Invalid(
            _("The answer has %(length)d characters; at most %(most)d are taken.")
            % {"length": len(answer), "most": MOST_ANSWER}
        )
    return _carried_out(id, by, lambda: hands().verify(id, answer))


def episode_close(id: str, by: str) -> None:
    """End it. Raises as `episode_get`."""
    episode_get(id, by)
    hands().close(id)


def episode_file(id: str, by: str, number: int) -> Attachment:
    """A picture or file of the newest observation. Raises as `episode_get`."""
    files = episode_get(id, by).observation.attachments
    if not 0 <= number < len(files):
        raise Missing(_("What is seen now has no file %(number)d.") % {"number": number})
    return files[number]


def _carried_out(id: str, by: str, work: Callable[[], T]) -> T:
    """Do it in one's own episode.

    Raises:
        Invalid: it cannot be done; the text says why.
        Conflict: the world broke.
    """
    episode_get(id, by)
    try:
        return work()
    except (ToolError, ConfigurationError) as error:
        raise Invalid(str(error)) from None
    except EnvironmentFault as error:
        raise Conflict(str(error)) from None
