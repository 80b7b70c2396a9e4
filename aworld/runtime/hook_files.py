"""The owner's own hooks: files in `<AWORLD_HOME>/hooks`, and packages' entry points.

Each `*.py` file is read as a module of its own, in the order of their names, again when it
changes; what it registered before is forgotten first. Whatever cannot be read keeps every run from
starting: a guard that is silently missing is worse than none.
"""

from __future__ import annotations

import sys
import threading
import types
from importlib.metadata import entry_points
from pathlib import Path

from aworld import config
from aworld.errors import ConfigurationError
from aworld.runtime import hooks
from aworld.runtime.hooks import Hook

GROUP = "aworld.hooks"
PACKAGE = "aworld_user_hooks"

Stamp = tuple[int, int]
"""When a file was last changed (ns) and its size, as it was read."""
_lock = threading.RLock()
_read_files: dict[Path, Stamp] = {}
_points_read = False


def all_hooks() -> list[Hook]:
    """The hooks of this moment, in the order in which they are called.

    Raises:
        ConfigurationError: a file or an entry point cannot be read.
    """
    with _lock:
        _read_points()
        _read_folder(config.load().home / "hooks")
        return hooks.registered()


def _read_points() -> None:
    global _points_read
    if _points_read:
        return
    for point in entry_points(group=GROUP):
        try:
            loaded = point.load()
        except Exception as error:
            raise ConfigurationError(
                f"The hooks of entry point {point.name!r} ({point.value}) cannot be loaded: "
                f"{type(error).__name__}: {error}. Mend or remove its package."
            ) from error
        # A point names a hook, or a module that registers some as it is loaded.
        if callable(loaded):
            hooks.register(loaded, name=point.name)
    _points_read = True


def _read_folder(folder: Path) -> None:
    there = _python_files(folder)
    for path in [path for path, stamp in _read_files.items() if there.get(path) != stamp]:
        del _read_files[path]
        hooks.forget_source(str(path))
    for path, stamp in there.items():
        if path not in _read_files:
            _read(path)
            _read_files[path] = stamp


def _python_files(folder: Path) -> dict[Path, Stamp]:
    found: dict[Path, Stamp] = {}
    for path in sorted(folder.glob("*.py")):
        if not path.name.startswith("_") and path.is_file():
            status = path.stat()
            found[path] = (status.st_mtime_ns, status.st_size)
    return found


def _read(path: Path) -> None:
    package = sys.modules.setdefault(PACKAGE, types.ModuleType(PACKAGE))
    package.__path__ = [str(path.parent)]
    module = types.ModuleType(f"{PACKAGE}.{path.stem}")
    module.__file__, module.__package__ = str(path), PACKAGE
    sys.modules[module.__name__] = module
    here = hooks.reading.set(str(path))
    try:
        # Compiled here, for a cache of compiled files could be older than a change within a second.
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        hooks.forget_source(str(path))
        sys.modules.pop(module.__name__, None)
        raise ConfigurationError(
            f"The hooks in {str(path)!r} cannot be read: {type(error).__name__}: {error}. No run "
            "starts without them: mend the file, or move it away."
        ) from error
    finally:
        hooks.reading.reset(here)
