"""Attempts to get out of the sandbox, as the tests of the themes run them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from aworld.sandbox import SandboxLimits, SandboxResult, Surroundings, probe_bubblewrap
from aworld.sandbox.base import Sandbox
from aworld.sandbox.bubblewrap import BubblewrapSandbox, Way
from aworld.sandbox.reasons import reasons

probe = probe_bubblewrap()
# As root the simpler way must hold too: it is what remains where ids are few.
WAYS: tuple[Way, ...] = ("root", "user") if probe.way == "root" else ("user",)
LIMITS = SandboxLimits(
    seconds=20, memory_mb=300, processes=32, file_mb=4, disk_mb=20, files=500, output_kb=64
)


class Attempt(NamedTuple):
    """Something that code inside tries."""

    name: str
    code: str
    """Python; `sh:` in front makes it a script for the shell."""
    reason: str
    """What the result must say, in words."""


class Outcome(NamedTuple):
    """What came of it."""

    result: SandboxResult
    reasons: str
    """All that the result says: what was refused, and the errors."""


QUICK = 4
"""The quick run makes one in so many attempts in the second way too, the long run the others."""


def cases(attempts: Sequence[Attempt]) -> list[Any]:
    """Every attempt in every way, as parameters `attempt` and `way`."""
    return [
        pytest.param(attempt, way, id=f"{attempt.name}-{way}", marks=_marks(number, way))
        for number, attempt in enumerate(attempts)
        for way in WAYS
    ]


def _marks(number: int, way: Way) -> list[pytest.MarkDecorator]:
    return [pytest.mark.long] if way != WAYS[0] and number % QUICK else []


async def make(
    attempt: Attempt,
    way: Way,
    workspace: Path,
    *,
    limits: SandboxLimits = LIMITS,
    around: Surroundings = Surroundings(),
) -> Outcome:
    """Run an attempt."""
    sandbox: Sandbox = BubblewrapSandbox(way)
    argv = [sandbox.python(), "-I", "-S", "-c", attempt.code]
    if attempt.code.startswith("sh:"):
        argv = ["/bin/sh", "-c", attempt.code.removeprefix("sh:")]
    result = await sandbox.run(argv, workspace=workspace, limits=limits, around=around)
    said = "\n".join(reasons(result, limits, around))
    return Outcome(result, f"{said}\n{result.stderr}\n{result.stdout}")
