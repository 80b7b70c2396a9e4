"""The sandbox: bubblewrap, with namespaces of its own for everything.

As an ordinary user one bubblewrap in a user namespace does it. As root that would not be enough:
root stays root for the kernel behind such a namespace, so limits on processes do not count and
files of root could be changed. There an outer bubblewrap makes the file tree, `setpriv` turns
into a user id that nobody has, and an inner bubblewrap closes the door behind it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from aworld.errors import SandboxError
from aworld.sandbox.base import SandboxLimits, SandboxResult
from aworld.sandbox.file_tree import mount_arguments
from aworld.sandbox.resource_limits import with_limits
from aworld.sandbox.running import RunningCommand

Way = Literal["user", "root"]
"""`user`: one user namespace; `root`: the longer way described above."""

WORKSPACE = "/workspace"
NOBODY = 65534

_FIRST_ID = 0x4000_0000
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": WORKSPACE,
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONIOENCODING": "utf-8",
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
_FOREVER = 10**6


class BubblewrapSandbox:
    """Runs commands behind bubblewrap."""

    def __init__(self, way: Way) -> None:
        self._way = way

    @property
    def name(self) -> str:
        """`bubblewrap`."""
        return "bubblewrap"

    @property
    def isolated(self) -> bool:
        """Yes."""
        return True

    def python(self) -> str:
        """The running Python: its folders are mounted where they are."""
        return sys.executable

    def admit(self, workspace: Path) -> None:
        """As root: give the files to the id that runs inside."""
        if self._way == "root":
            _give(workspace, user_of(workspace))

    async def run(
        self,
        argv: Sequence[str],
        *,
        workspace: Path,
        stdin: bytes = b"",
        limits: SandboxLimits = SandboxLimits(),
    ) -> SandboxResult:
        """Run a command to its end."""
        command = await self._start(argv, workspace, limits, cpu_seconds=int(limits.seconds) + 2)
        return await command.result(stdin)

    async def start(
        self, argv: Sequence[str], *, workspace: Path, limits: SandboxLimits = SandboxLimits()
    ) -> RunningCommand:
        """Start a command to talk to."""
        return await self._start(argv, workspace, limits, cpu_seconds=_FOREVER)

    async def _start(
        self, argv: Sequence[str], workspace: Path, limits: SandboxLimits, *, cpu_seconds: int
    ) -> RunningCommand:
        workspace = workspace.resolve()
        if not workspace.is_dir():
            raise SandboxError(f"The workspace {str(workspace)!r} is not there. Make it first.")
        self.admit(workspace)
        inside = with_limits(argv, limits, cpu_seconds=cpu_seconds)
        command = command_line(self._way, inside, workspace, limits)
        return await RunningCommand.start(command, limits, cwd=Path("/"), env=_OUTSIDE)


_OUTSIDE = {"PATH": os.defpath, "LANG": "C.UTF-8"}
"""bubblewrap's own environment: as empty as the one inside."""


def command_line(
    way: Way, argv: Sequence[str], workspace: Path, limits: SandboxLimits
) -> list[str]:
    """All of bubblewrap's arguments, then the command."""
    tree = _tree_arguments(workspace, limits)
    if way == "user":
        return [
            *(program("bwrap"), "--unshare-all", "--unshare-user", *_IDENTITY, *tree),
            # Where root runs this, the kernel takes the code for root: /proc/sys would be open.
            *("--remount-ro", "/proc", "--cap-drop", "ALL"),
            *("--chdir", WORKSPACE, "--", *argv),
        ]
    user = str(user_of(workspace))
    return [
        program("bwrap"),
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        "--unshare-cgroup-try",
        *("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
        *("--cap-add", "CAP_SETPCAP"),
        # Root without its capabilities could not enter the workspace: the inner one does.
        *(*tree, "--chdir", "/", "--"),
        *("setpriv", "--reuid", user, "--regid", user, "--clear-groups"),
        *("--bounding-set=-all", "--inh-caps=-all"),
        *("bwrap", "--unshare-user", *_IDENTITY, "--die-with-parent", "--dev-bind", "/", "/"),
        *("--chdir", WORKSPACE, "--"),
        *argv,
    ]


_IDENTITY = ("--uid", str(NOBODY), "--gid", str(NOBODY), "--disable-userns")


def _tree_arguments(workspace: Path, limits: SandboxLimits) -> list[str]:
    arguments = ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv"]
    for name, value in _ENVIRONMENT.items():
        arguments += ["--setenv", name, value]
    arguments += mount_arguments()
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    size = str(limits.file_mb * 1024 * 1024)
    for folder in ("/tmp", "/dev/shm"):
        arguments += ["--perms", "1777", "--size", size, "--tmpfs", folder]
    return [*arguments, "--bind", str(workspace), WORKSPACE, "--remount-ro", "/"]


def user_of(workspace: Path) -> int:
    """The id that a workspace's code runs under: always the same, and no account's."""
    digest = hashlib.blake2b(os.fsencode(workspace.resolve()), digest_size=4).digest()
    return _FIRST_ID + int.from_bytes(digest, "little") % _FIRST_ID


def _give(workspace: Path, user: int) -> None:
    """Change the owner of everything in a folder. Links are not followed, and each name is looked
    up in its opened folder, so that code inside cannot lead us elsewhere."""
    for _, folders, files, folder in os.fwalk(workspace, follow_symlinks=False):
        if os.fstat(folder).st_uid != user:
            os.fchown(folder, user, user)
        for name in (*folders, *files):
            try:
                if os.stat(name, dir_fd=folder, follow_symlinks=False).st_uid != user:
                    os.chown(name, user, user, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                continue


def program(name: str) -> str:
    """Where a program is.

    Raises:
        SandboxError: it is not installed.
    """
    found = shutil.which(name)
    if found is None:
        raise SandboxError(f"{name!r} is not installed.")
    return found
