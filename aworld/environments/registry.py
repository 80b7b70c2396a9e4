"""Finds the kinds of environments: each folder of this package that has a `KIND`."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping

from aworld.environments.base import EnvironmentKind, Task
from aworld.environments.imported import imported_suites, tasks_of_imported
from aworld.errors import ConfigurationError

_registered: dict[str, EnvironmentKind] = {}


def register(kind: EnvironmentKind) -> EnvironmentKind:
    """Make a kind known by its name, in place of one that has the name already."""
    _registered[kind.name] = kind
    return kind


def unregister(name: str) -> None:
    """Forget a kind that was registered."""
    _registered.pop(name, None)


def kinds() -> dict[str, EnvironmentKind]:
    """All kinds by name, shipped and registered."""
    return dict(sorted({**_shipped(), **_registered}.items()))


@functools.cache
def _shipped() -> dict[str, EnvironmentKind]:
    """The folders' kinds. A `KIND` must not load heavy libraries when it is imported."""
    package = importlib.import_module("aworld.environments")
    found: dict[str, EnvironmentKind] = {}
    for entry in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if entry.ispkg:
            kind = getattr(importlib.import_module(entry.name), "KIND", None)
            if isinstance(kind, EnvironmentKind):
                found[kind.name] = kind
    return found


def kind(name: str) -> EnvironmentKind:
    """A kind by name.

    Raises:
        ConfigurationError: there is none.
    """
    if name in _registered:
        return _registered[name]
    known = kinds()
    if name not in known:
        raise ConfigurationError(
            f"There is no environment {name!r}. Known: {', '.join(known) or 'none'}."
        )
    return known[name]


def suites() -> Iterator[tuple[str, str, str]]:
    """`(environment, suite, what it is)` of every suite: those of registered kinds, those that
    ship, those that were imported."""
    yield from _own_suites()
    for suite in imported_suites().values():
        yield suite.environment, suite.name, suite.title


def _own_suites() -> Iterator[tuple[str, str, str]]:
    yield from _suites_of(_registered)
    yield from _suites_of({n: kind for n, kind in _shipped().items() if n not in _registered})


def _suites_of(some: Mapping[str, EnvironmentKind]) -> Iterator[tuple[str, str, str]]:
    for known in dict(sorted(some.items())).values():
        for suite, title in known.suites().items():
            yield known.name, suite, title


def tasks_of(suite: str) -> Iterable[Task]:
    """The tasks of a suite.

    Raises:
        ConfigurationError: there is no such suite, or an imported one cannot be read any more.
    """
    for environment, name, _ in _own_suites():
        if name == suite:
            return kind(environment).tasks(suite)
    imported = imported_suites()
    if suite in imported:
        return tasks_of_imported(imported[suite])
    known = ", ".join(name for _, name, _ in suites()) or "none"
    raise ConfigurationError(f"There is no suite {suite!r}. Known: {known}.")


def find_task(reference: str) -> Task:
    """A task by `suite/id`.

    Raises:
        ConfigurationError: there is no such suite or task.
    """
    suite, _, wanted = reference.partition("/")
    for task in tasks_of(suite):
        if task.id == wanted:
            return task
    raise ConfigurationError(
        f"The suite {suite!r} has no task {wanted!r}. `aworld env tasks {suite}` lists them."
    )
