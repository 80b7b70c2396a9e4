"""Looks at what a command uses while it runs, and says when it must end.

Limits on a whole tree of processes are not to be had from the kernel without rights over its
control groups, so the tree is looked at ten times a second and the workspace about twice.
"""

from __future__ import annotations

import asyncio
import sys
import time

from aworld.sandbox.base import SandboxLimits
from aworld.sandbox.disk_usage import WorkspaceLimit
from aworld.sandbox.process_tree import usage_of_tree

_TREE_S = 0.1
_DISK_S = 0.4
_SHARE = 10
"""A look that took long is followed by a pause this many times as long."""
_OWN_PROCESSES = 10
"""The sandbox's own, and the forwarder's, which are not counted against the code."""


async def first_refusal(pid: int, limits: SandboxLimits, disk: WorkspaceLimit | None) -> str:
    """Wait until a limit is broken; which one, in words. Waits for ever where none is."""
    if sys.platform != "linux":
        await asyncio.Event().wait()
    disk_at = time.monotonic() + _DISK_S
    while True:
        started = time.monotonic()
        if refusal := _tree_refusal(pid, limits):
            return refusal
        pause = max(_TREE_S, _SHARE * (time.monotonic() - started))
        if disk is not None and time.monotonic() >= disk_at:
            started = time.monotonic()
            if refusal := await asyncio.to_thread(disk.grown):
                return refusal
            disk_at = time.monotonic() + max(_DISK_S, _SHARE * (time.monotonic() - started))
        await asyncio.sleep(pause)


def _tree_refusal(pid: int, limits: SandboxLimits) -> str:
    used = usage_of_tree(pid, enough_mb=limits.memory_mb)
    if used.memory_mb > limits.memory_mb:
        return f"it used {used.memory_mb} MB of memory; {limits.memory_mb} MB are allowed"
    if used.processes > limits.processes + _OWN_PROCESSES:
        return f"it started more than {limits.processes} processes"
    return ""
