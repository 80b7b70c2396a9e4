"""The sandbox: bubblewrap, with namespaces of its own for everything.

As an ordinary user one bubblewrap in a user namespace does it. As root that would not be enough:
root stays root for the kernel behind such a namespace, so limits on processes do not count and
files of root could be changed. There an outer bubblewrap makes the file tree, `setpriv` turns
into a user id that nobody has, and an inner bubblewrap closes the door behind it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from aworld.errors import SandboxError
from aworld.sandbox.base import Mount, SandboxLimits, SandboxResult, Surroundings
from aworld.sandbox.disk_usage import WorkspaceLimit
from aworld.sandbox.egress import forwarder
from aworld.sandbox.egress.allow_list import AllowList
from aworld.sandbox.egress.proxy import EgressProxy
from aworld.sandbox.file_tree import mounts_of, python_arguments, system_arguments
from aworld.sandbox.ownership import give_to, user_of
from aworld.sandbox.resource_limits import with_limits
from aworld.sandbox.running import RunningCommand
from aworld.sandbox.seccomp import filter_descriptor

Way = Literal["user", "root"]
"""`user`: one user namespace; `root`: the longer way described above."""

WORKSPACE = "/workspace"
NOBODY = 65534

_ENVIRONMENT = {
    # Last, so that there is a Python where the system has none.
    "PATH": f"/usr/local/bin:/usr/bin:/bin:{Path(sys.executable).parent}",
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
            give_to(user_of(workspace), workspace)

    async def run(
        self,
        argv: Sequence[str],
        *,
        workspace: Path,
        stdin: bytes = b"",
        limits: SandboxLimits = SandboxLimits(),
        around: Surroundings = Surroundings(),
    ) -> SandboxResult:
        """Run a command to its end."""
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
        return await self._start(argv, workspace, limits, around, cpu_seconds=_FOREVER)

    async def _start(
        self,
        argv: Sequence[str],
        workspace: Path,
        limits: SandboxLimits,
        around: Surroundings,
        *,
        cpu_seconds: int,
    ) -> RunningCommand:
        workspace = workspace.resolve()
        if not workspace.is_dir():
            raise SandboxError(f"The workspace {str(workspace)!r} is not there. Make it first.")
        self._admit_all(workspace, around)
        written = [Path(mount.source) for mount in around.mounts if mount.writable]
        disk = WorkspaceLimit(workspace, limits, *written)
        inside = with_limits(argv, limits, cpu_seconds=cpu_seconds, full=disk.full)
        proxy: EgressProxy | None = None
        seccomp = filter_descriptor()
        try:
            if around.network:
                proxy = EgressProxy(AllowList(around.network))
                await proxy.start()
                inside, around = _with_network(inside, around, proxy.socket_path)
            command = command_line(self._way, inside, workspace, limits, around, seccomp=seccomp)
            return await RunningCommand.start(
                command,
                limits,
                cwd=Path("/"),
                env=_OUTSIDE,
                disk=disk,
                proxy=proxy,
                descriptors=() if seccomp is None else (seccomp,),
            )
        except BaseException:
            if proxy is not None:
                await proxy.close()
            raise
        finally:
            if seccomp is not None:
                os.close(seccomp)

    def _admit_all(self, workspace: Path, around: Surroundings) -> None:
        if ~workspace.stat().st_mode & 0o700:
            # Code inside may have locked itself out.
            workspace.chmod(0o700)
        self.admit(workspace)
        for mount in around.mounts:
            if not Path(mount.source).exists():
                raise SandboxError(f"{mount.source!r} cannot be shown inside: it is not there.")
            if mount.writable and self._way == "root":
                give_to(user_of(workspace), Path(mount.source))


_OUTSIDE = {"PATH": os.defpath, "LANG": "C.UTF-8"}
"""bubblewrap's own environment: as empty as the one inside."""


_SOCKET_INSIDE = "/run/egress"
_PROXY_PORT = 3128


def _with_network(
    argv: Sequence[str], around: Surroundings, socket_path: str
) -> tuple[list[str], Surroundings]:
    """The command behind the forwarder, and the variables by which programs find it."""
    script = Path(forwarder.__file__).read_text(encoding="utf-8")
    launcher = [sys.executable, "-I", "-S", "-c", script, _SOCKET_INSIDE, str(_PROXY_PORT)]
    address = f"http://127.0.0.1:{_PROXY_PORT}"
    names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
    # A server inside is reached directly, unless the list means one outside.
    near = [h for h in ("localhost", "127.0.0.1") if not any(h in e for e in around.network)]
    variables = {name: address for name in names}
    variables |= {name: ",".join(near) for name in ("no_proxy", "NO_PROXY")}
    # Writable: to connect to a socket is to write to it.
    plug = Mount(socket_path, _SOCKET_INSIDE, writable=True)
    return [*launcher, *argv], Surroundings(
        around.network,
        (*around.mounts, plug),
        around.folder,
        variables | around.environment,
    )


def command_line(
    way: Way,
    argv: Sequence[str],
    workspace: Path,
    limits: SandboxLimits,
    around: Surroundings = Surroundings(),
    *,
    seccomp: int | None = None,
) -> list[str]:
    """All of bubblewrap's arguments, then the command. `seccomp` is a descriptor of the filter."""
    tree = _tree_arguments(workspace, limits, around)
    closing = ["--chdir", around.folder or WORKSPACE]
    if seccomp is not None:
        closing += ["--seccomp", str(seccomp)]
    if way == "user":
        return [
            *(program("bwrap"), "--unshare-all", "--unshare-user", *_IDENTITY, *tree),
            # Where root runs this, the kernel takes the code for root: /proc/sys would be open.
            *("--remount-ro", "/proc", "--cap-drop", "ALL"),
            *(*closing, "--", *argv),
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
        *(*closing, "--", *argv),
    ]


_IDENTITY = ("--uid", str(NOBODY), "--gid", str(NOBODY), "--disable-userns")


def _tree_arguments(workspace: Path, limits: SandboxLimits, around: Surroundings) -> list[str]:
    arguments = ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv"]
    for name, value in (_ENVIRONMENT | around.environment).items():
        arguments += ["--setenv", name, value]
    arguments += system_arguments()
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    size = str(limits.file_mb * 1024 * 1024)
    for folder in ("/tmp", "/dev/shm"):
        arguments += ["--perms", "1777", "--size", size, "--tmpfs", folder]
    arguments += python_arguments()
    arguments += ["--bind", str(workspace), WORKSPACE, *mounts_of(around.mounts)]
    return [*arguments, "--remount-ro", "/"]


def program(name: str) -> str:
    """Where a program is.

    Raises:
        SandboxError: it is not installed.
    """
    found = shutil.which(name)
    if found is None:
        raise SandboxError(f"{name!r} is not installed.")
    return found
