"""Attempts to use what of the kernel code inside may not touch."""

from __future__ import annotations

import asyncio
import functools
import json
import tempfile
from pathlib import Path

import pytest

from aworld.sandbox.bubblewrap import Way
from aworld.sandbox.seccomp import program
from aworld.sandbox.syscalls import DENIED
from tests.sandbox.escaping import WAYS, Attempt, Outcome, cases, make, probe

pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")
FORBIDDEN = "the sandbox forbids tracing other processes, mounting, making namespaces"
SOCKETS = "only Unix and Internet sockets exist"

ALL_CALLS = """
import ctypes, errno, json, platform
library = ctypes.CDLL(None, use_errno=True)
answers = {}
for name, number in json.loads(NUMBERS).items():
    ctypes.set_errno(0)
    library.syscall(number, *[ctypes.c_long(0)] * 6)
    answers[name] = errno.errorcode.get(ctypes.get_errno(), 'allowed')
print(json.dumps(answers))
"""


@functools.cache
def answers(way: Way) -> dict[str, str]:
    """What the kernel answers to each call of the list, asked in one start."""
    import platform

    column = 0 if platform.machine() == "x86_64" else 1
    numbers = {name: both[column] for name, both in DENIED.items() if both[column] is not None}
    code = ALL_CALLS.replace("NUMBERS", repr(json.dumps(numbers)))
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(make(Attempt("calls", code, ""), way, Path(folder)))
    found: dict[str, str] = json.loads(outcome.result.stdout)
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", DENIED)
def test_the_kernel_refuses(name: str, way: Way) -> None:
    assert answers(way).get(name, "EPERM") == "EPERM"


FLAGS = {
    "mount": 0x20000,
    "control group": 0x02000000,
    "host name": 0x04000000,
    "message": 0x08000000,
    "user": 0x10000000,
    "process": 0x20000000,
    "network": 0x40000000,
    "time": 0x80,
}
CALL = "import ctypes, os; c = ctypes.CDLL(None, use_errno=True)\n"
RAISE = "\nraise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))"

KERNEL = [
    *(
        Attempt(f"a {name} namespace", f"{CALL}c.unshare({flag}){RAISE}", FORBIDDEN)
        for name, flag in FLAGS.items()
    ),
    *(
        Attempt(
            f"a child in a {name} namespace",
            # 56 and 220 are clone; 17 is SIGCHLD.
            f"{CALL}n = 56 if os.uname().machine == 'x86_64' else 220\n"
            f"if c.syscall(n, {flag} | 17, 0, 0, 0, 0) == 0: os._exit(0){RAISE}",
            FORBIDDEN,
        )
        for name, flag in FLAGS.items()
        if name != "time"
    ),
    Attempt("a child with flags in memory", f"{CALL}c.syscall(435, 0, 0){RAISE}", "system call"),
    Attempt("a call of a newer kernel", f"{CALL}c.syscall(467, 0, 0){RAISE}", "system call"),
    Attempt(
        "the second table of calls",
        f"{CALL}c.syscall(0x40000000 + 101, 0, 0){RAISE}",
        "system call",
    ),
    Attempt("another's namespace", f"{CALL}c.setns(0, 0){RAISE}", FORBIDDEN),
    Attempt("tracing its parent", f"{CALL}c.ptrace(16, os.getppid(), 0, 0){RAISE}", FORBIDDEN),
    Attempt("weak memory", f"{CALL}c.personality(0x40000){RAISE}", FORBIDDEN),
    Attempt(
        "typing into the terminal",
        "import fcntl; fcntl.ioctl(0, 0x5412, b'x')",
        FORBIDDEN,
    ),
    Attempt(
        "typing into a terminal of its own",
        "import fcntl, os; _, slave = os.openpty(); fcntl.ioctl(slave, 0x5412, b'x')",
        FORBIDDEN,
    ),
    Attempt("pasting into the console", "import fcntl; fcntl.ioctl(0, 0x541C, b'\\2')", FORBIDDEN),
    Attempt("a socket to the kernel", "import socket; socket.socket(16, 3)", SOCKETS),
    Attempt("raw packets", "import socket; socket.socket(17, 3)", SOCKETS),
    Attempt("a socket to the machine's host", "import socket; socket.socket(40, 1)", SOCKETS),
    Attempt("the kernel's ciphers", "import socket; socket.socket(38, 5)", SOCKETS),
    Attempt("raw Internet packets", "import socket; socket.socket(2, 3, 1)", FORBIDDEN),
    Attempt("the machine's clock", "import time; time.clock_settime(0, 0)", FORBIDDEN),
    Attempt("the machine's name", "import socket; socket.sethostname('x')", FORBIDDEN),
    Attempt(
        "shared memory that no watch sees",
        f"{CALL}c.shmget(0, 1 << 20, 0o1600){RAISE}",
        FORBIDDEN,
    ),
    Attempt("becoming root", "import os; os.setuid(0)", "Errno"),
    Attempt(
        "a higher limit",
        "import resource as r; r.setrlimit(r.RLIMIT_NPROC, (9999, 9999))",
        "Value",
    ),
    Attempt("a better place in the queue", "import os; os.nice(-5)", "Errno"),
]


@pytest.mark.parametrize(("attempt", "way"), cases(KERNEL))
async def test_it_is_refused_with_a_reason(attempt: Attempt, way: Way, tmp_path: Path) -> None:
    outcome: Outcome = await make(attempt, way, tmp_path)
    assert attempt.reason in outcome.reasons
    assert outcome.result.exit_code != 0


@pytest.mark.parametrize("way", WAYS)
async def test_threads_children_and_usual_sockets_go_on_working(way: Way, tmp_path: Path) -> None:
    code = (
        "import socket, subprocess, sys, threading\n"
        "t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()\n"
        "subprocess.run(['/bin/sh', '-c', 'echo child | cat'], check=True)\n"
        "server = socket.create_server(('127.0.0.1', 0))\n"
        "client = socket.create_connection(server.getsockname())\n"
        "one, two = socket.socketpair()\n"
        "print('sockets', flush=True)\n"
    )
    outcome = await make(Attempt("usual things", code, ""), way, tmp_path)
    assert sorted(outcome.result.stdout.split()) == ["child", "sockets", "thread"]


def test_the_filter_is_for_two_architectures_and_short_enough_to_jump_over() -> None:
    sizes = {machine: len(program(machine) or b"") for machine in ("x86_64", "aarch64", "riscv64")}
    assert sizes["riscv64"] == 0
    assert all(0 < sizes[machine] < 256 * 8 for machine in ("x86_64", "aarch64"))
