"""The owner's own tools: files in `<AWORLD_HOME>/tools`, and packages' entry points.

Each `*.py` file is read as a module of its own, again when it changes. A file that cannot be read
is a problem with its path and line, and keeps no other tool away. Files whose names begin with `_`
are for the others to import: `from ._shared import look_up`.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import types
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

from aworld import config
from aworld.tools import definitions
from aworld.tools.base import BaseTool

GROUP = "aworld.tools"
PACKAGE = "aworld_user_tools"

_log = logging.getLogger(__name__)


class ToolProblem(NamedTuple):
    """Why something that was to be a tool is none."""

    where: str
    """`file:line`, or the entry point."""
    message: str


class _File(NamedTuple):
    stamp: tuple[int, int]
    """When it was last changed (ns) and its size, as it was read."""
    problem: ToolProblem | None


class UserTools:
    """What was read, and what could not be."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._files: dict[Path, _File] = {}
        self._points: list[ToolProblem] | None = None

    def refresh(self) -> list[ToolProblem]:
        """Read what is new or changed; whatever is wrong."""
        with self._lock:
            if self._points is None:
                self._points = []
                self._points = _load_entry_points()
            self._read_folder(config.load().home / "tools")
            found = [file.problem for file in self._files.values() if file.problem is not None]
            return [*self._points, *found]

    def _read_folder(self, folder: Path) -> None:
        there = _python_files(folder)
        for path in [known for known in self._files if known not in there]:
            del self._files[path]
            definitions.forget_module(_module_name(path))
        for path, stamp in there.items():
            known = self._files.get(path)
            if known is not None and known.stamp == stamp:
                continue
            # Noted before it is read: what it imports may ask for tools.
            self._files[path] = _File(stamp, None)
            problem = _read(path)
            self._files[path] = _File(stamp, problem)
            if problem is not None:
                _log.warning("%s: %s", problem.where, problem.message)


def _python_files(folder: Path) -> dict[Path, tuple[int, int]]:
    found: dict[Path, tuple[int, int]] = {}
    try:
        for path in sorted(folder.glob("*.py")):
            if not path.name.startswith("_") and path.is_file():
                status = path.stat()
                found[path] = (status.st_mtime_ns, status.st_size)
    except OSError:
        return found
    return found


def _module_name(path: Path) -> str:
    return f"{PACKAGE}.{path.stem}"


def _read(path: Path) -> ToolProblem | None:
    name = _module_name(path)
    definitions.forget_module(name)
    package = sys.modules.setdefault(PACKAGE, types.ModuleType(PACKAGE))
    package.__path__ = [str(path.parent)]
    try:
        module = types.ModuleType(name)
        module.__file__, module.__package__ = str(path), PACKAGE
        sys.modules[name] = module
        # Compiled here, for a cache of compiled files could be older than a change within a second.
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        definitions.forget_module(name)
        sys.modules.pop(name, None)
        return _problem(path, error)
    return None


def _problem(path: Path, error: BaseException) -> ToolProblem:
    """Which line of the file it was, and what the error says."""
    line = 0
    if isinstance(error, SyntaxError) and error.filename == str(path):
        line = error.lineno or 0
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == str(path):
            line = frame.lineno or line
    said = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    return ToolProblem(f"{path}:{line}" if line else str(path), said.rstrip(": "))


def _load_entry_points() -> list[ToolProblem]:
    """A point names a tool's class, a tool, or a module that defines some."""
    problems: list[ToolProblem] = []
    for point in entry_points(group=GROUP):
        try:
            loaded = point.load()
            if isinstance(loaded, BaseTool):
                definitions.define(loaded, f"{GROUP} {point.name}", loaded.name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            package = point.dist.name if point.dist is not None else "an unknown package"
            where = f"entry point {point.name!r} of {package} ({point.value})"
            problems.append(ToolProblem(where, f"{type(error).__name__}: {error}"))
            _log.warning("%s: %s", where, error)
    return problems


user_tools = UserTools()
"""Those of this process."""
