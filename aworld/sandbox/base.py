"""What a sandbox is: a place where a command runs that nobody vouches for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec


class SandboxLimits(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the command and all its children may use."""

    seconds: float = 30.0
    """Wall time; then everything is killed."""
    memory_mb: int = 1024
    """Memory of all processes together."""
    processes: int = 64
    """Processes and threads at one time."""
    file_mb: int = 64
    """Size of one file, and of the private `/tmp`."""
    output_kb: int = 256
    """Kept of standard output, and of standard error."""
    disk_mb: int = 512
    """All of the workspace."""
    files: int = 20_000
    """Files and folders in the workspace."""
    unlimited_addresses: bool = False
    """For programs such as browsers that reserve terabytes of addresses and use few of them:
    only the memory in use is limited, by the watch alone."""


class Mount(msgspec.Struct, frozen=True):
    """A folder or file of the machine that can be seen inside."""

    source: str
    """Absolute path on the machine."""
    target: str
    """Absolute path inside."""
    writable: bool = False


class Surroundings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a command has around it besides the workspace."""

    network: tuple[str, ...] = ()
    """Hosts that may be reached, as `egress.allow_list` reads them; none by default."""
    mounts: tuple[Mount, ...] = ()
    folder: str = ""
    """The current folder, as an absolute path inside; "" is the workspace."""
    environment: dict[str, str] = {}
    """Variables besides the fixed ones."""


class SandboxResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a command ended."""

    exit_code: int
    """Negative: ended by that signal."""
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    refused: str = ""
    """Which limit killed it, in words; "" where none did."""
    cut_bytes: int = 0
    """Bytes of output beyond the limit, which were dropped."""
    denied: tuple[str, ...] = ()
    """What was refused without ending it, each with its reason: hosts that it may not reach."""


class SandboxProcess(Protocol):
    """A command that goes on running and is talked to."""

    @property
    def stdin(self) -> asyncio.StreamWriter:
        """Its standard input."""
        ...

    @property
    def stdout(self) -> asyncio.StreamReader:
        """Its standard output."""
        ...

    @property
    def refused(self) -> str:
        """Which limit killed it, in words."""
        ...

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        ...

    @property
    def pid(self) -> int:
        """The machine's number of its first process; the rest are its descendants."""
        ...

    @property
    def stderr(self) -> asyncio.StreamReader:
        """Its standard error."""
        ...

    def take_denied(self) -> tuple[str, ...]:
        """What was refused since the last time, each with its reason."""
        ...

    async def kill(self) -> None:
        """End it and all its children; returns when they are gone."""
        ...


class Sandbox(Protocol):
    """Runs commands. The workspace is their current folder and the only one that outlives them."""

    @property
    def name(self) -> str:
        """How it isolates: `bubblewrap`, `process`."""
        ...

    @property
    def isolated(self) -> bool:
        """Whether code inside is kept from the machine's files and network."""
        ...

    def python(self) -> str:
        """The Python to call inside, as a path."""
        ...

    def admit(self, workspace: Path) -> None:
        """Let the commands inside change what was put into the workspace from outside."""
        ...

    async def run(
        self,
        argv: Sequence[str],
        *,
        workspace: Path,
        stdin: bytes = b"",
        limits: SandboxLimits = SandboxLimits(),
        around: Surroundings = Surroundings(),
    ) -> SandboxResult:
        """Run a command to its end.

        Raises:
            SandboxError: the sandbox itself could not be made.
        """
        ...

    async def start(
        self,
        argv: Sequence[str],
        *,
        workspace: Path,
        limits: SandboxLimits = SandboxLimits(),
        around: Surroundings = Surroundings(),
    ) -> SandboxProcess:
        """Start a command to talk to; `limits.seconds` does not count here, the caller keeps time.

        Raises:
            SandboxError: the sandbox itself could not be made.
        """
        ...
