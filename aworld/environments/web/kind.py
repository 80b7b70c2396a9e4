"""The kind `web`: MiniWoB's pages, and sites of our own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from aworld.environments.base import (
    ActionSpec,
    Environment,
    EnvironmentKind,
    Oracle,
    Place,
    Support,
    Task,
)
from aworld.environments.web import sites
from aworld.environments.web.miniwob import tasks as miniwob
from aworld.environments.web.webarena import SUITE as SITES
from aworld.environments.web.webarena import read_tasks
from aworld.errors import ConfigurationError, ToolError

if TYPE_CHECKING:
    from aworld.environments.web.world import WebWorld


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
            miniwob.SUITE: "MiniWoB++: 130 small pages with one goal each",
            SITES: "A shop, a ticket desk and a wiki, in WebArena's format",
        }

    def tasks(self, suite: str) -> Iterable[Task]:
        """The tasks of a suite."""
        if suite == miniwob.SUITE:
            return miniwob.tasks()
        if suite == SITES:
            with resources.as_file(resources.files(sites) / "data" / "tasks.json") as file:
                return list(read_tasks(file))
        raise ConfigurationError(
            f"The environment 'web' has no suite {suite!r}. It has: {', '.join(self.suites())}."
        )

    def read(self, path: Path) -> Iterable[Task]:
        """Tasks in WebArena's format, on sites that are served here."""
        return list(read_tasks(path, suite=path.stem))

    def make(self, task: Task, place: Place) -> Environment:
        """An episode."""
        return _world(task)(task, place)

    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        """The browser's actions that the task's world takes."""
        return _world(task).actions(task)

    def oracle(self, task: Task) -> Oracle | None:
        """The known solution."""
        from aworld.environments.web.miniwob import oracles as of_pages
        from aworld.environments.web.sites import oracles as of_sites

        if task.suite == miniwob.SUITE and task.id in of_pages.SOLUTIONS:
            return of_pages.PageOracle(task.id)
        if task.suite == SITES and task.id in of_sites.SOLUTIONS:
            return of_sites.SiteOracle(task.id)
        return None

    def support(self) -> Sequence[Support]:
        """The browser, and MiniWoB's pages."""
        return (_browser(), _pages())


def _world(task: Task) -> type[WebWorld]:
    if "webarena" in task.data:
        from aworld.environments.web.sites.environment import SiteWorld

        return SiteWorld
    from aworld.environments.web.miniwob.environment import MiniWob

    return MiniWob


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
