"""The filter on system calls: a small program for the kernel (seccomp, classic BPF).

bubblewrap loads it just before the command takes over; it holds for all its children for ever.
The filter is a list of what is denied: what agents run is anything at all, and a list of what is
allowed would break programs for reasons that nobody could guess. Calls newer than the list are
denied, so that a new kernel opens no door.
"""

from __future__ import annotations

import errno
import functools
import os
import platform
import struct
from typing import NamedTuple

from aworld.sandbox.syscalls import DENIED, EXAMINED, NEWEST

_LOAD = 0x20
_JUMP_EQUAL = 0x15
_JUMP_GREATER = 0x25
_JUMP_ANY_BIT = 0x45
_RETURN = 0x06

_ALLOW = 0x7FFF0000
_ERROR = 0x00050000
_KILL = 0x80000000

_NUMBER_AT = 0
_ARCHITECTURE_AT = 4
_ARGUMENT_AT = 16
"""Arguments are eight bytes each; the kernel's side of these calls looks at the low four."""

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_NAMESPACES = 0x7E020080
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWTIME."""
_NEW_TIME = 0x80
_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET, AF_INET6; no netlink, packet, vsock, alg, bluetooth."""
_TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: typing into the terminal that somebody sits at."""
_PERSONALITIES = (0, 8, 0x20000, 0x20008, 0xFFFFFFFF)
"""Plain, 32 bits, with the old uname, and the question itself; not the ones that weaken memory."""


class _Step(NamedTuple):
    """One instruction; jumps go to the step behind a label, "" means the next step."""

    code: int
    value: int
    when_true: str = ""
    when_false: str = ""
    label: str = ""


def filter_descriptor() -> int | None:
    """A file with the filter for this machine, to be passed on and closed by the caller; None
    where the filter does not know the machine's architecture."""
    compiled = program(platform.machine())
    if compiled is None:
        return None
    descriptor = os.memfd_create("seccomp", os.MFD_CLOEXEC)
    os.write(descriptor, compiled)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


@functools.cache
def program(machine: str) -> bytes | None:
    """The filter for `x86_64` or `aarch64`, eight bytes an instruction; None for others."""
    if machine not in _ARCHITECTURES:
        return None
    return _assemble(_steps(machine))


def _steps(machine: str) -> list[_Step]:
    denied = [numbers for numbers in (_number(machine, name) for name in DENIED) if numbers]
    examined = {name: _number(machine, name) or -1 for name in EXAMINED}
    return [
        _Step(_LOAD, _ARCHITECTURE_AT),
        _Step(_JUMP_EQUAL, _ARCHITECTURES[machine], when_false="kill"),
        _Step(_LOAD, _NUMBER_AT),
        # x86_64's second table (x32), which would go round the filter, has numbers far above.
        _Step(_JUMP_GREATER, NEWEST, when_true="unknown"),
        *(_Step(_JUMP_EQUAL, number, when_true="deny") for number in denied),
        # Its flags lie in memory, where a filter cannot look; the C library takes clone instead.
        _Step(_JUMP_EQUAL, examined["clone3"], when_true="unknown"),
        _Step(_JUMP_EQUAL, examined["clone"], when_true="clone"),
        _Step(_JUMP_EQUAL, examined["unshare"], when_true="unshare"),
        _Step(_JUMP_EQUAL, examined["socket"], when_true="socket"),
        _Step(_JUMP_EQUAL, examined["socketpair"], when_true="socket"),
        _Step(_JUMP_EQUAL, examined["ioctl"], when_true="ioctl"),
        _Step(_JUMP_EQUAL, examined["personality"], when_true="personality"),
        _Step(_RETURN, _ALLOW),
        _Step(_LOAD, _ARGUMENT_AT, label="clone"),
        # That bit of clone's flags is part of a signal's number.
        _Step(_JUMP_ANY_BIT, _NAMESPACES & ~_NEW_TIME, "deny", "allow"),
        _Step(_LOAD, _ARGUMENT_AT, label="unshare"),
        _Step(_JUMP_ANY_BIT, _NAMESPACES, "deny", "allow"),
        _Step(_LOAD, _ARGUMENT_AT, label="socket"),
        *(_Step(_JUMP_EQUAL, family, when_true="allow") for family in _FAMILIES),
        _Step(_RETURN, _ERROR | errno.EAFNOSUPPORT),
        _Step(_LOAD, _ARGUMENT_AT + 8, label="ioctl"),
        *(_Step(_JUMP_EQUAL, request, when_true="deny") for request in _TERMINAL_INPUT),
        _Step(_RETURN, _ALLOW),
        _Step(_LOAD, _ARGUMENT_AT, label="personality"),
        *(_Step(_JUMP_EQUAL, wanted, when_true="allow") for wanted in _PERSONALITIES),
        _Step(_RETURN, _ERROR | errno.EPERM, label="deny"),
        _Step(_RETURN, _ERROR | errno.ENOSYS, label="unknown"),
        _Step(_RETURN, _KILL, label="kill"),
        _Step(_RETURN, _ALLOW, label="allow"),
    ]


def _number(machine: str, name: str) -> int | None:
    numbers = {**DENIED, **EXAMINED}[name]
    return numbers.x86_64 if machine == "x86_64" else numbers.aarch64


def _assemble(steps: list[_Step]) -> bytes:
    """Jumps only go forward, and at most 255 steps."""
    places = {step.label: place for place, step in enumerate(steps) if step.label}
    return b"".join(
        struct.pack(
            "<HBBI",
            step.code,
            places[step.when_true] - place - 1 if step.when_true else 0,
            places[step.when_false] - place - 1 if step.when_false else 0,
            step.value & 0xFFFFFFFF,
        )
        for place, step in enumerate(steps)
    )
