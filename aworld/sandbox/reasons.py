"""Why something was refused in the sandbox, in words.

The kernel says "Operation not permitted" and no more; whoever reads that, a model above all, tries
again with other options. So what a program wrote is compared with what the sandbox is known to
forbid, and the rule behind it is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from aworld.sandbox.base import SandboxLimits, SandboxResult, Surroundings

_LOOKED_AT = 4000
"""Characters at the end of a text; what a program died of stands last."""

_RULES: tuple[tuple[str, str], ...] = (
    (
        r"Operation not permitted|PermissionError: \[Errno 1\]",
        "the sandbox forbids tracing other processes, mounting, making namespaces, raw sockets, "
        "devices, changing owners and clocks",
    ),
    (r"Read-only file system", "only /workspace and /tmp can be written"),
    (
        r"Permission denied",
        "it runs as a user without rights, and the system's files are closed to it",
    ),
    (r"File too large|File size limit exceeded", "a file may have at most {file_mb} MB"),
    (
        r"No space left on device",
        "/tmp holds at most {file_mb} MB, or the machine's own disk is full",
    ),
    (
        r"Cannot allocate memory|MemoryError|memory exhausted|out of memory",
        "it may use at most {memory_mb} MB of memory",
    ),
    (
        r"Resource temporarily unavailable|can't start new thread|Cannot fork|fork: retry",
        "there may be at most {processes} processes and threads at one time",
    ),
    (r"Too many open files", "a process may have at most 512 files open"),
    (
        r"Network is unreachable|[Nn]ame resolution|[Cc]ould not resolve|Name or service not known"
        r"|nodename nor servname",
        "{network}",
    ),
    (
        r"Address family not supported|Protocol not supported",
        "only Unix and Internet sockets exist",
    ),
    (r"Function not implemented", "the sandbox does not have this system call"),
    (r"Bad system call", "the sandbox does not have 32-bit system calls"),
)


def hints(
    text: str, limits: SandboxLimits, around: Surroundings = Surroundings()
) -> tuple[str, ...]:
    """The rules behind the system's errors at the end of a text. They are likely, not certain."""
    end = text[-_LOOKED_AT:]
    network = "there is no network"
    if around.network:
        network = (
            f"only these hosts can be reached, and only through the proxy in $https_proxy: "
            f"{', '.join(around.network)}"
        )
    return tuple(
        rule.format(
            file_mb=limits.file_mb,
            memory_mb=limits.memory_mb,
            processes=limits.processes,
            network=network,
        )
        for errors, rule in _RULES
        if re.search(errors, end)
    )


def reasons(
    result: SandboxResult, limits: SandboxLimits, around: Surroundings = Surroundings()
) -> tuple[str, ...]:
    """Everything that was refused to a command, with its reason: what ended it comes first."""
    ended: list[str] = []
    if result.refused:
        ended.append(f"it was stopped: {result.refused}")
    if result.timed_out:
        ended.append(f"it was stopped after {limits.seconds:g} s")
    said = [
        *hints(result.stdout, limits, around),
        *hints(result.stderr, limits, around),
    ]
    return tuple(dict.fromkeys([*ended, *result.denied, *said]))


def as_lines(found: Iterable[str]) -> str:
    """Reasons as lines for a model: `sandbox: …`."""
    return "\n".join(f"sandbox: {reason}" for reason in found)
