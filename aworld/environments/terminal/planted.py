"""Links in the workspace that would lead the tests astray.

An agent cannot see the tests, but it can guess their names: an answer that is a link to the
expected answer would be equal to it. So before the tests are there, every link is looked at.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path

from aworld.sandbox.disk_usage import DEEPEST

_PROTECTED = ("/tests", "/logs", "/solution", "/collected", "/inputs")
_ROUNDABOUT = ("/proc", "/dev/fd")


def first_planted_link(roots: Mapping[str, Path]) -> str:
    """What is wrong with some link below the folders, given by their names inside; "" where all
    are harmless. Links to programs and libraries are."""
    for inside, folder in roots.items():
        for path, target in _links(inside, folder):
            if _leads_to_tests(path, target):
                return f"the link {path!r} leads to {target!r}, where the tests would be found"
    return ""


def _links(inside: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Each link's path inside, and what it says."""
    top = len(folder.parts)
    for current, folders, files in os.walk(folder, followlinks=False):
        here = posixpath.join(inside, *Path(current).parts[top:])
        for name in (*folders, *files):
            place = os.path.join(current, name)
            if os.path.islink(place):
                yield posixpath.join(here, name), os.readlink(place)
        if len(Path(current).parts) - top >= DEEPEST:
            folders.clear()


def _leads_to_tests(path: str, target: str) -> bool:
    # Each link on the way is looked at by itself, so only the way up must be followed exactly.
    parts = target.split("/")
    first_name = next((n for n, part in enumerate(parts) if part not in ("", ".", "..")), 0)
    if ".." in parts[first_name:]:
        return True
    absolute = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    below = any(f"{absolute}/".startswith(f"{place}/") for place in (*_PROTECTED, *_ROUNDABOUT))
    # A link to a folder above them leads to them by one more step.
    return below or absolute == "/"
