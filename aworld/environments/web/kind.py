"""The kind `web`: MiniWoB's pages, and sites of our own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from aworld.environments.base import (
    ActionSpec,
    Environment,
    EnvironmentKind,
    Oracle,
    Place,
    Support,
    Task,
)
from aworld.environments.web.miniwob import tasks as miniwob
from aworld.errors import ConfigurationError, ToolError


class WebKind(EnvironmentKind):
    """Finds tasks and makes episodes; what drives the browser is loaded with the first."""

    name: ClassVar[str] = "web"
    title: ClassVar[str] = "Web"
    description: ClassVar[str] = (
        "Pages and sites in a real browser: MiniWoB++, and a shop, a ticket desk and a wiki with "
        "tasks in WebArena's format."
    )

    def suites(self) -> Mapping[str, str]:
        """`miniwob` and `sites`."""
        return {
            miniwob.SUITE: "MiniWoB++: small pages with one goal each",
        }

    def tasks(self, suite: str) -> Iterable[Task]:
        """The tasks of a suite."""
        if suite == miniwob.SUITE:
            return miniwob.tasks()
        raise ConfigurationError(
            f"The environment 'web' has no suite {suite!r}. It has: {', '.join(self.suites())}."
        )

    def read(self, path: Path) -> Iterable[Task]:
        """Tasks in WebArena's format, on sites that are served here."""
        raise NotImplementedError

    def make(self, task: Task, place: Place) -> Environment:
        """An episode."""
        from aworld.environments.web.miniwob.environment import MiniWob

        return MiniWob(task, place)

    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        """The browser's actions that the task's world takes."""
        from aworld.environments.web.miniwob.environment import MiniWob

        return MiniWob.actions(task)

    def oracle(self, task: Task) -> Oracle | None:
        """The known solution."""
        from aworld.environments.web.miniwob.oracles import SOLUTIONS, PageOracle

        if task.suite == miniwob.SUITE:
            return PageOracle(task.id) if task.id in SOLUTIONS else None
        return None

    def support(self) -> Sequence[Support]:
        """The browser, and MiniWoB's pages."""
        return (_browser(), _pages())


def _browser() -> Support:
    from aworld.tools.browser.program import find_browser

    try:
        return Support("browser", True, find_browser())
    except ToolError as error:
        return Support("browser", False, str(error))


def _pages() -> Support:
    from aworld.environments.web.miniwob.pages import load_pages

    try:
        return Support("miniwob", True, f"{len(load_pages())} files")
    except ConfigurationError as error:
        return Support("miniwob", False, str(error))


KIND = WebKind()
