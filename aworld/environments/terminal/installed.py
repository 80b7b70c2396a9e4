"""Whether what a script would install is on this machine already."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

_NOTHING_TO_DO = re.compile(
    r"(apt-get|apt)\s+(-\S+\s+)*(update|upgrade|clean|autoremove|autoclean)\b"
    r"|rm\s+-rf\s+/var/lib/apt/lists"
    r"|(pip3?|python3?\s+-m\s+pip)\s+install\s+(-\S+\s+)*pip$"
)
_INSTALLS = re.compile(
    r"((apt-get|apt)\s+(-\S+\s+)*install"
    r"|(uv\s+)?(pip3?|python3?\s+-m\s+pip)\s+install|uv\s+add)\s+(?P<what>.*)"
)
_DOWNLOADS = re.compile(
    r"\b(curl|wget|git\s+clone|npm\s+(install|i|ci)|cargo|go\s+(get|install))\b"
)
_DPKG = Path("/var/lib/dpkg/info")


def missing_packages(command: str) -> list[str] | None:
    """For a command that installs something: what of it is not there. None where the command
    installs nothing, and is to be run."""
    command = command.strip()
    if _NOTHING_TO_DO.match(command):
        return []
    found = _INSTALLS.match(command)
    if found is None:
        return [f"something by {command[:60]!r}"] if _DOWNLOADS.search(command) else None
    try:
        words = shlex.split(found["what"])
    except ValueError:
        return [found["what"]]
    names = [re.split(r"[=<>~!\[]", word)[0] for word in words if not word.startswith("-")]
    is_there = _has_system_package if command.startswith("apt") else has_python_package
    return [name for name in names if name and not is_there(name)]


def _has_system_package(name: str) -> bool:
    return (_DPKG / f"{name}.list").is_file() or any(_DPKG.glob(f"{name}:*.list"))


def has_python_package(name: str) -> bool:
    """Whether the running Python has a distribution of that name."""
    import importlib.metadata

    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
