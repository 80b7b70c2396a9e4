"""What of a Dockerfile can be had without Docker: files put in place, and commands run.

The machine's own programs take the image's place. So the base image must be a plain one, and what
would be installed must be there already; everything else is named as a reason, never skipped in
silence.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from aworld.environments.terminal.installed import missing_packages

DEFAULT_FOLDER = "/app"
_PLAIN_IMAGES = re.compile(
    r"(docker\.io/)?(library/)?(ubuntu|debian|python|bash|busybox|buildpack-deps)(:[\w.-]+)?"
    r"|ghcr\.io/laude-institute/t-bench/(ubuntu|python)[\w.-]*(:[\w.-]+)?"
)
SYSTEM_FOLDERS = frozenset(
    ("bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys")
    + ("tmp", "usr", "var", "workspace", "tests", "logs", "solution", "collected", "inputs")
)
"""Top folders that a task cannot have for itself."""
_IGNORED = {
    "CMD",
    "ENTRYPOINT",
    "EXPOSE",
    "HEALTHCHECK",
    "LABEL",
    "MAINTAINER",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
}


class Step(NamedTuple):
    """One thing to do, in order."""

    command: str
    """For the shell; "" where files are copied."""
    sources: tuple[str, ...]
    """Relative to the context."""
    target: str
    """Absolute, or "" for a command; with a slash at its end where it is a folder."""
    folder: str
    """The current folder at that point."""


class Image(NamedTuple):
    """What a Dockerfile makes."""

    folder: str
    """The current folder of whoever comes in."""
    steps: tuple[Step, ...]
    environment: dict[str, str]
    unsupported: tuple[str, ...]


def read_dockerfile(text: str) -> Image:
    """What to do in its place."""
    builder = _Builder()
    for number, name, value in _instructions(text):
        try:
            builder.take(number, name, value)
        except (ValueError, IndexError, TypeError):
            said = f"{name} {value}".strip()
            builder.refuse(f"line {number} of its Dockerfile cannot be read: {said[:80]}")
    return builder.image()


def _instructions(text: str) -> Iterator[tuple[int, str, str]]:
    """`(line, NAME, rest)`; lines that go on are joined, comments are left out."""
    pending, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or (not pending and not line.strip()):
            continue
        first = first if pending else number
        pending += line.strip()
        if pending.endswith("\\"):
            pending = pending[:-1] + " "
            continue
        name, _, value = pending.strip().partition(" ")
        yield first, name.upper(), value.strip()
        pending = ""


class _Builder:
    def __init__(self) -> None:
        self._folder = ""
        self._steps: list[Step] = []
        self._environment: dict[str, str] = {}
        self._arguments: dict[str, str] = {}
        self._unsupported: list[str] = []
        self._images = 0

    def image(self) -> Image:
        folder = self._folder or DEFAULT_FOLDER
        if _top(folder) in SYSTEM_FOLDERS or folder == "/":
            self._unsupported.append(f"its folder {folder!r} is one of the system's")
        return Image(folder, tuple(self._steps), self._environment, tuple(self._unsupported))

    def take(self, number: int, name: str, value: str) -> None:
        value = self._filled(value) if name not in ("RUN", "FROM") else value
        match name:
            case "FROM":
                self._from(value)
            case "WORKDIR":
                self._folder = self._absolute(value.strip("\"'"))
                if is_system(self._folder):
                    self.refuse(
                        f"line {number} of its Dockerfile works in {self._folder!r}, a "
                        "folder of the system's"
                    )
            case "ENV":
                self._environment |= dict(_pairs(value))
            case "ARG":
                key, _, default = value.partition("=")
                self._arguments[key] = default.strip("\"'")
            case "COPY" | "ADD":
                self._copy(number, value)
            case "RUN":
                self._run(number, value)
            case _ if name in _IGNORED:
                pass
            case _:
                self._unsupported.append(f"line {number} of its Dockerfile: {name} is not known")

    def refuse(self, reason: str) -> None:
        """One more reason why it cannot be done here."""
        self._unsupported.append(reason)

    def _from(self, value: str) -> None:
        self._images += 1
        words = [word for word in value.split() if not word.startswith("--")]
        if self._images > 1:
            self._unsupported.append("its Dockerfile has several stages")
        elif not words or not _PLAIN_IMAGES.fullmatch(words[0]):
            self._unsupported.append(f"its image {' '.join(words[:1])!r} has software of its own")

    def _copy(self, number: int, value: str) -> None:
        if "--from" in value or "<<" in value or "://" in value:
            self._unsupported.append(
                f"line {number} of its Dockerfile copies what is not in its folder"
            )
            return
        words = json.loads(value) if value.startswith("[") else shlex.split(value)
        words = [word for word in words if not word.startswith("--")]
        if len(words) < 2:
            raise ValueError(value)
        target = self._absolute(words[-1])
        if target != "/" and _top(target) in SYSTEM_FOLDERS:
            self._unsupported.append(
                f"line {number} of its Dockerfile puts files into {target!r}, a folder of the "
                "system's"
            )
            return
        into = len(words) > 2 or words[-1].endswith(("/", ".")) or target == self._current()
        target = "/" if target == "/" else target + "/" * into
        self._steps.append(Step("", tuple(words[:-1]), target, self._current()))

    def _run(self, number: int, value: str) -> None:
        if "<<" in value:
            self._unsupported.append(f"line {number} of its Dockerfile has a text within a command")
            return
        if value.startswith("["):
            value = shlex.join(json.loads(value))
        value = re.sub(r"^(--\S+\s+)+", "", value)
        kept = []
        for command in re.split(r"\s*&&\s*|\s*;\s*", value):
            missing = missing_packages(command)
            if missing is None:
                kept.append(command)
            elif missing:
                self._unsupported.append(
                    f"line {number} of its Dockerfile installs {', '.join(missing)}, which this "
                    "machine does not have"
                )
        if any(kept):
            self._steps.append(Step(" && ".join(filter(None, kept)), (), "", self._current()))

    def _current(self) -> str:
        return self._folder or DEFAULT_FOLDER

    def _absolute(self, path: str) -> str:
        pure = PurePosixPath(self._current()) / path
        parts: list[str] = []
        for part in pure.parts[1:]:
            if part == "..":
                parts[-1:] = []
            else:
                parts.append(part)
        return "/" + "/".join(parts)

    def _filled(self, value: str) -> str:
        known = {**self._arguments, **self._environment}
        return re.sub(
            r"\$\{?(\w+)\}?", lambda found: known.get(found.group(1), found.group(0)), value
        )


def _pairs(value: str) -> Iterator[tuple[str, str]]:
    if "=" not in value.split(" ", 1)[0]:
        name, _, rest = value.partition(" ")
        yield name, rest.strip()
        return
    for word in shlex.split(value):
        name, _, rest = word.partition("=")
        yield name, rest


def is_system(path: str) -> bool:
    """Whether an absolute path lies in a folder that a task cannot have for itself. `/tmp` may be
    worked in."""
    return _top(path) in SYSTEM_FOLDERS - {"tmp"}


def _top(path: str) -> str:
    return path.strip("/").partition("/")[0]
