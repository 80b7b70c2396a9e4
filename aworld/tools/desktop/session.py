"""A desktop behind the sandbox's door, as the host talks to it."""

from __future__ import annotations

import asyncio
import base64
import os
from pathlib import Path
from typing import Any

import msgspec

from aworld.errors import EnvironmentFault, SandboxError, ToolError
from aworld.sandbox import SandboxLimits, SandboxProcess, open_sandbox
from aworld.sandbox.base import Mount, Surroundings
from aworld.tools.desktop import programs

HOME = "/home/user"
"""The episode's home inside, under the name that OSWorld's tasks use."""
SYSTEM_PYTHON = "/usr/bin/python3"
"""The Python that `python3-pyatspi` belongs to."""
LIMITS = SandboxLimits(
    memory_mb=4096,
    processes=600,
    file_mb=1024,
    disk_mb=2048,
    files=50_000,
    unlimited_addresses=True,
)
"""Chromium alone takes eight processes and reserves terabytes of addresses."""
_START_S = 45.0
_INPUT_S = 45.0
_MOST_TITLE = 200
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Folders of programs that nobody inside can write to."""
_INSIDE = "/opt/aworld"
_SETTINGS = (
    "/etc/fonts",
    "/etc/xdg",
    "/etc/X11",
    "/etc/gtk-3.0",
    "/etc/gtk-2.0",
    "/etc/mime.types",
)


class Reply(msgspec.Struct, frozen=True):
    """The driver's answer to one request."""

    ok: Any = None
    error: str = ""
    down: bool = False
    """Whether the desktop itself is gone."""
    number: int = 0


class CommandOutput(msgspec.Struct, frozen=True):
    """What a command in the desktop did."""

    returncode: int
    stdout: str
    stderr: str
    timed_out: bool


class Window(msgspec.Struct, frozen=True):
    """A window of the desktop, in pixels of the screen."""

    id: int
    x: int
    y: int
    width: int
    height: int
    window_class: str
    title: str
    active: bool


class DesktopSession:
    """One desktop. Requests are carried out one after the other."""

    def __init__(self, process: SandboxProcess, width: int, height: int) -> None:
        self._process = process
        self._lock = asyncio.Lock()
        self._asked = 0
        self._dead = ""
        self.width = width
        self.height = height

    @classmethod
    async def start(
        cls, home: Path, private: Path, *, width: int = 1280, height: int = 720
    ) -> DesktopSession:
        """Bring a desktop up. `home` becomes `/home/user`; `private` keeps a few settings.

        Raises:
            EnvironmentFault: something is missing or does not start; the text says what.
        """
        lacking = programs.missing()
        if lacking:
            raise EnvironmentFault(
                "The desktop cannot be made: "
                + ", ".join(f"{p.package} ({p.purpose})" for p in lacking)
                + f" missing. As root: {programs.install_line(lacking)}"
            )
        try:
            sandbox = open_sandbox()
            if not sandbox.isolated:
                raise EnvironmentFault(
                    "The desktop runs only behind bubblewrap, which does not work here "
                    "('aworld doctor' says why): agents type into its terminal whatever they like."
                )
            process = await sandbox.start(
                _command(width, height),
                workspace=home,
                limits=LIMITS,
                around=_around(home, private),
            )
        except SandboxError as error:
            raise EnvironmentFault(f"The desktop's sandbox does not start: {error}") from error
        session = cls(process, width, height)
        try:
            await session._read(0, _START_S)
        except (ToolError, TimeoutError) as error:
            await session.close()
            raise EnvironmentFault(f"The desktop does not start: {error}") from error
        except BaseException:
            await session.close()
            raise
        return session

    @property
    def running(self) -> bool:
        """Whether it is still there."""
        return self._process.running and not self._dead

    @property
    def pid(self) -> int:
        """The machine's number of its first process."""
        return self._process.pid

    async def ask(self, do: str, *, timeout_s: float = 30.0, **fields: Any) -> Any:
        """One request and its answer.

        Raises:
            ToolError: it could not be done.
            EnvironmentFault: the desktop is gone.
        """
        async with self._lock:
            self._asked += 1
            line = msgspec.json.encode({"do": do, "number": self._asked, **fields}) + b"\n"
            try:
                self._process.stdin.write(line)
                await self._process.stdin.drain()
                return await self._read(self._asked, timeout_s)
            except ConnectionError:
                raise self._gone() from None
            except TimeoutError:
                raise ToolError(
                    f"The desktop did not answer to {do!r} within {timeout_s:g} s."
                ) from None

    async def screenshot(self) -> bytes:
        """The screen as PNG, with its pointer."""
        return base64.b64decode(await self.ask("screenshot"))

    async def settle(self, quiet_s: float = 0.25, limit_s: float = 3.0) -> bool:
        """Wait until the picture stands still; False where it still moves."""
        return bool(
            await self.ask("settle", quiet_s=quiet_s, limit_s=limit_s, timeout_s=limit_s + 15)
        )

    async def input(self, pieces: list[list[str]]) -> None:
        """Mouse and keyboard: arguments of xdotool, or `sleep` and seconds."""
        await self.ask("input", pieces=pieces, limit_s=_INPUT_S, timeout_s=_INPUT_S + 15)

    async def tree(self, *, showing: bool = True, most: int = 1500, timeout_s: float = 12) -> str:
        """The accessibility tree as XML."""
        return str(
            await self.ask(
                "tree", showing=showing, most=most, limit_s=timeout_s, timeout_s=timeout_s + 5
            )
        )

    async def run(
        self,
        command: str | list[str],
        *,
        shell: bool = False,
        timeout_s: float = 60.0,
        path: str | None = None,
    ) -> CommandOutput:
        """Run a command inside to its end; `path` None is that of the desktop's programs."""
        said = await self.ask(
            "run",
            command=command,
            shell=shell,
            environment={} if path is None else {"PATH": path},
            limit_s=timeout_s,
            timeout_s=timeout_s + 10,
        )
        return msgspec.convert(said, CommandOutput)

    async def launch(self, command: str | list[str], *, shell: bool = False) -> None:
        """Start a program inside and leave it."""
        await self.ask("launch", command=command, shell=shell)

    async def read_file(self, path: str) -> bytes | None:
        """A file's bytes, None where there is none that can be read."""
        said = await self.ask("read", path=path)
        return base64.b64decode(said["data"]) if "data" in said else None

    async def write_file(self, path: str, data: bytes, *, executable: bool = False) -> None:
        """Write a file inside, with the folders above it."""
        text = base64.b64encode(data).decode("ascii")
        await self.ask("write", path=path, data=text, executable=executable)

    async def windows(self) -> list[Window]:
        """All windows that the window manager lists."""
        said = await self.ask("windows")
        active = int(said["active"]) if said["active"].isdigit() else -1
        return [w for line in said["lines"] if (w := _window(line, active)) is not None]

    async def close(self) -> None:
        """End the desktop with everything in it."""
        self._dead = self._dead or "it was closed"
        await self._process.kill()

    async def _read(self, number: int, timeout_s: float) -> Any:
        """The answer of that number; answers that nobody waits for any more are passed over."""
        async with asyncio.timeout(timeout_s):
            while True:
                try:
                    line = await self._process.stdout.readline()
                    reply = msgspec.json.decode(line, type=Reply)
                except (ConnectionError, ValueError, msgspec.DecodeError):
                    raise self._gone() from None
                if reply.number == number:
                    break
        if reply.down:
            raise EnvironmentFault(f"The desktop is down: {reply.error}")
        if reply.error:
            raise ToolError(reply.error)
        return reply.ok

    def _gone(self) -> EnvironmentFault:
        why = self._process.refused or self._dead or "a program in it ended it, or it crashed"
        return EnvironmentFault(f"The desktop is gone: {why}.")


def _command(width: int, height: int) -> list[str]:
    code = (
        f"import sys; sys.path.insert(0, {_INSIDE!r}); "
        "from aworld.tools.desktop.inside.driver import main; "
        f"main({width}, {height})"
    )
    return [SYSTEM_PYTHON, "-I", "-X", "utf8", "-c", code]


def _around(home: Path, private: Path) -> Surroundings:
    """Fonts and settings, the driver's code, an account, and the home under its second name."""
    account = private / "passwd"
    account.write_text(f"user:x:65534:65534:User:{HOME}:/bin/bash\n", encoding="ascii")
    account.chmod(0o644)
    inside = Path(__file__).parent / "inside"
    mounts = [Mount(path, path) for path in _SETTINGS if os.path.exists(path)]
    mounts += [
        Mount(str(inside), f"{_INSIDE}/aworld/tools/desktop/inside"),
        Mount(str(account), "/etc/passwd"),
        Mount(str(home.resolve()), HOME, writable=True),
    ]
    return Surroundings(mounts=tuple(mounts), folder=HOME, environment={"HOME": HOME})


def _window(line: str, active: int) -> Window | None:
    """A line of `wmctrl -lGx`: id, desktop, x, y, width, height, class, host, title."""
    parts = line.split(None, 8)
    if len(parts) < 8 or parts[1] == "-1":
        return None
    number = int(parts[0], 16)
    x, y, width, height = map(int, parts[2:6])
    title = "".join(c if c.isprintable() else " " for c in parts[8]) if len(parts) > 8 else ""
    title = title if len(title) <= _MOST_TITLE else f"{title[:_MOST_TITLE]}…"
    return Window(number, x, y, width, height, parts[6], title, number == active)
