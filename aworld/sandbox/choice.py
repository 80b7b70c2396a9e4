"""Which sandbox there is on this machine: found out once, by really starting one."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from aworld.errors import SandboxError
from aworld.sandbox.base import Sandbox, SandboxLimits
from aworld.sandbox.bubblewrap import BubblewrapSandbox, Way, command_line
from aworld.sandbox.process import ALLOW, ProcessSandbox, is_allowed
from aworld.sandbox.resource_limits import with_limits
from aworld.sandbox.seccomp import filter_descriptor


class Probe(msgspec.Struct, frozen=True):
    """Whether bubblewrap works here."""

    way: Way | None
    problem: str = ""
    cure: str = ""


def open_sandbox() -> Sandbox:
    """The best sandbox there is.

    Raises:
        SandboxError: there is none; the text says why and how to get one.
    """
    probe = probe_bubblewrap()
    if probe.way is not None:
        return BubblewrapSandbox(probe.way)
    if is_allowed():
        return _unsandboxed()
    raise SandboxError(
        f"There is no sandbox to run code in: {probe.problem} {probe.cure} Or set {ALLOW}=1 if "
        "you trust the code: it will then run with your own rights."
    )


@functools.cache
def _unsandboxed() -> Sandbox:
    # Made once, so that its warning comes once.
    return ProcessSandbox()


@functools.cache
def probe_bubblewrap() -> Probe:
    """Start a command behind bubblewrap in each way that could work."""
    if sys.platform != "linux":
        return Probe(None, "bubblewrap runs on Linux only.", "Run the workers on Linux.")
    if shutil.which("bwrap") is None:
        return Probe(
            None,
            "bubblewrap is not installed.",
            "Install it: 'apt install bubblewrap', 'dnf install bubblewrap' or the like.",
        )
    ways: tuple[Way, ...] = ("root", "user") if os.geteuid() == 0 else ("user",)
    problem = ""
    for way in ways:
        problem = _try(way)
        if not problem:
            return Probe(way)
    return Probe(None, f"bubblewrap does not start here ({problem}).", _cure())


def _try(way: Way) -> str:
    """What went wrong, or "" where it works."""
    limits = SandboxLimits()
    with tempfile.TemporaryDirectory(prefix="aworld-probe-") as folder:
        # Readable to the id that runs inside.
        Path(folder).chmod(0o755)
        # With the Python that will be called, which may lie where the id inside cannot go.
        argv = with_limits([sys.executable, "-I", "-S", "-c", ""], limits, cpu_seconds=5)
        seccomp = filter_descriptor()
        try:
            done = subprocess.run(
                command_line(way, argv, Path(folder), limits, seccomp=seccomp),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=20,
                check=False,
                pass_fds=() if seccomp is None else (seccomp,),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        finally:
            if seccomp is not None:
                os.close(seccomp)
    if done.returncode == 0:
        return ""
    return done.stderr.decode("utf-8", "replace").strip() or f"exit status {done.returncode}"


def _cure() -> str:
    """What to change, as far as the machine tells."""
    switches = {
        "kernel.unprivileged_userns_clone": ("0", "1"),
        "kernel.apparmor_restrict_unprivileged_userns": ("1", "0"),
        "user.max_user_namespaces": ("0", "10000"),
    }
    for name, (closed, opened) in switches.items():
        try:
            value = Path("/proc/sys", *name.split(".")).read_text(encoding="ascii").strip()
            if value == closed:
                return f"User namespaces are forbidden; as root: 'sysctl {name}={opened}'."
        except OSError:
            continue
    return (
        "In a container, allow user namespaces: 'docker run --security-opt seccomp=unconfined "
        "--security-opt apparmor=unconfined', or a pod with a matching security profile."
    )
