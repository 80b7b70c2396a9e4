"""The kernel's own limits on each process, set by the shell just before the command takes over."""

from __future__ import annotations

from collections.abc import Sequence

from aworld.sandbox.base import SandboxLimits

# dash names the limit on processes -p, bash -u; the other way round -p is something harmless.
_SCRIPT = (
    "ulimit -c 0; ulimit -v {memory}; ulimit -f {file}; ulimit -t {seconds}; ulimit -n 512; "
    "ulimit -u {processes} 2>/dev/null || ulimit -p {processes}; "
    'exec "$@"'
)
_ADDRESS_SPACE_FACTOR = 4
"""Python reserves more addresses than it uses memory (threads' stacks, arenas); the memory itself
is watched."""


_FULL_MB = 1
"""Size of a file while the workspace is over its limit: enough to print and to tidy up."""


def with_limits(
    argv: Sequence[str], limits: SandboxLimits, *, cpu_seconds: int, full: bool = False
) -> list[str]:
    """The command behind a shell that sets its limits; `full`: the workspace may not grow."""
    script = _SCRIPT.format(
        memory=_address_space(limits),
        # In blocks of 512 bytes, which dash and POSIX count in; bash takes 1024.
        file=(_FULL_MB if full else limits.file_mb) * 2048,
        seconds=cpu_seconds,
        processes=limits.processes,
    )
    return ["/bin/sh", "-c", script, "sh", *argv]


def _address_space(limits: SandboxLimits) -> int | str:
    """In KB, as `ulimit -v` takes it."""
    if limits.unlimited_addresses:
        return "unlimited"
    return limits.memory_mb * 1024 * _ADDRESS_SPACE_FACTOR
