"""No sandbox: a plain process with limits on what it uses, but not on what it sees.

For systems without bubblewrap, and only where the user says that the code may be trusted.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from aworld.errors import SandboxError
from aworld.sandbox.base import SandboxLimits, SandboxResult, Surroundings
from aworld.sandbox.disk_usage import WorkspaceLimit
from aworld.sandbox.resource_limits import with_limits
from aworld.sandbox.running import RunningCommand

ALLOW = "AWORLD_ALLOW_UNSANDBOXED"

_log = logging.getLogger(__name__)
# What a program needs to start; keys and tokens stay out.
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT", "COMSPEC", "PATHEXT")


class ProcessSandbox:
    """Runs commands as the current user, in the workspace."""

    def __init__(self) -> None:
        """Raises SandboxError unless AWORLD_ALLOW_UNSANDBOXED=1 is set."""
        if not is_allowed():
            raise SandboxError(
                "Code of a model is not run without a sandbox: it could read and change all your "
                f"files. Install bubblewrap, or set {ALLOW}=1 if you trust the code."
            )
        _log.warning(
            "%s=1: code of models runs WITHOUT a sandbox, with your rights over files and network.",
            ALLOW,
        )

    @property
    def name(self) -> str:
        """`process`."""
        return "process"

    @property
    def isolated(self) -> bool:
        """No."""
        return False

    def python(self) -> str:
        """The running Python."""
        return sys.executable

    def admit(self, workspace: Path) -> None:
        """The code runs as the current user already."""

    async def run(
        self,
        argv: Sequence[str],
        *,
        workspace: Path,
        stdin: bytes = b"",
        limits: SandboxLimits = SandboxLimits(),
        around: Surroundings = Surroundings(),
    ) -> SandboxResult:
        """Run a command to its end. `around.network` does nothing: all hosts can be reached."""
        seconds = int(limits.seconds) + 2
        command = await self._start(argv, workspace, limits, around, cpu_seconds=seconds)
        return await command.result(stdin)

    async def start(
        self,
        argv: Sequence[str],
        *,
        workspace: Path,
        limits: SandboxLimits = SandboxLimits(),
        around: Surroundings = Surroundings(),
    ) -> RunningCommand:
        """Start a command to talk to."""
        return await self._start(argv, workspace, limits, around, cpu_seconds=10**6)

    async def _start(
        self,
        argv: Sequence[str],
        workspace: Path,
        limits: SandboxLimits,
        around: Surroundings,
        *,
        cpu_seconds: int,
    ) -> RunningCommand:
        if around.mounts or around.folder:
            raise SandboxError(
                "A plain process sees the machine's own folders, and other ones cannot be put in "
                "their place. Install bubblewrap for this."
            )
        if not workspace.is_dir():
            raise SandboxError(f"The workspace {str(workspace)!r} is not there. Make it first.")
        env = {name: os.environ[name] for name in _KEPT if name in os.environ}
        env |= {
            "HOME": str(workspace),
            "TMPDIR": tempfile.gettempdir(),
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "MPLBACKEND": "Agg",
        } | around.environment
        disk = WorkspaceLimit(workspace, limits)
        limited = list(argv)
        if sys.platform != "win32":
            limited = with_limits(argv, limits, cpu_seconds=cpu_seconds, full=disk.full)
        return await RunningCommand.start(limited, limits, cwd=workspace, env=env, disk=disk)


def is_allowed() -> bool:
    """Whether the user said that code may run without a sandbox."""
    return os.environ.get(ALLOW, "") == "1"
