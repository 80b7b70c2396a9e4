"""What code in the sandbox sees of the machine's files: programs and libraries, read-only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from aworld.sandbox.base import Mount

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
)
_OWN_SETTINGS = Path(__file__).with_name("etc")
"""Who is there (nobody) and which host (localhost): nothing of the machine's."""
OWN_PACKAGE = Path(__file__).resolve().parent.parent
"""Holds the answers and tests of the shipped tasks."""


def system_arguments() -> list[str]:
    """bubblewrap's arguments for the system's."""
    arguments: list[str] = []
    for folder in _SYSTEM:
        path = Path(folder)
        if path.is_symlink():
            # Debian and others keep /bin and /lib as links into /usr.
            arguments += ["--symlink", os.readlink(path), folder]
        elif path.is_dir():
            arguments += ["--ro-bind", folder, folder]
    arguments += _folder("/etc")
    for setting in _SETTINGS:
        arguments += ["--ro-bind-try", setting, setting]
    for own in sorted(_OWN_SETTINGS.iterdir()):
        arguments += ["--ro-bind", str(own), f"/etc/{own.name}"]
    return arguments


def python_arguments() -> list[str]:
    """The same for the running Python; after `/tmp`, where a checkout may lie."""
    arguments: list[str] = []
    for folder in python_folders():
        for parent in reversed(Path(folder).parents[:-1]):
            arguments += _folder(str(parent))
        arguments += ["--ro-bind", folder, folder]
    return [*arguments, *_hidden(OWN_PACKAGE, [*_SYSTEM, *python_folders()])]


def _hidden(folder: Path, shown: Iterable[str]) -> list[str]:
    """An empty folder over this one, where it lies in one that is shown, as in an installed
    wheel: code inside needs nothing of it."""
    if not any(folder.is_relative_to(each) for each in shown):
        return []
    return ["--perms", "0755", "--tmpfs", str(folder), "--remount-ro", str(folder)]


def mounts_of(mounts: Iterable[Mount]) -> list[str]:
    """bubblewrap's arguments for folders and files of the caller's."""
    arguments: list[str] = []
    for mount in mounts:
        for parent in reversed(PurePosixPath(mount.target).parents[:-1]):
            arguments += _folder(str(parent))
        arguments += ["--bind" if mount.writable else "--ro-bind", mount.source, mount.target]
    return arguments


def _folder(path: str) -> list[str]:
    """An empty folder that all may enter: those bubblewrap makes by itself are root's alone."""
    return ["--perms", "0755", "--dir", path]


def python_folders() -> list[str]:
    """Where the running Python lives, with its virtual environment, unless the system has it."""
    folders: list[str] = []
    for prefix in (sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix):
        folder = os.path.realpath(prefix)
        inside = any(f"{folder}/".startswith(f"{known}/") for known in [*_SYSTEM, *folders])
        if not inside and folder != "/":
            folders.append(folder)
    return folders
