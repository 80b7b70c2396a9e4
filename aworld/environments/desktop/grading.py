"""Runs a metric in a sandbox of its own, on copies of the files that it compares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from aworld.environments.desktop.metrics.judge import FILE, PART
from aworld.environments.desktop.scene import FileValue, Value
from aworld.environments.desktop.task_format import Check
from aworld.errors import EnvironmentFault, SandboxError
from aworld.sandbox import SandboxLimits, open_sandbox
from aworld.sandbox.base import Mount, Surroundings

_LIMITS = SandboxLimits(seconds=90, memory_mb=2048, file_mb=512, disk_mb=2048)
_CODE = "/opt/aworld"
_SCRIPT = (
    f"import sys; sys.path.insert(0, {_CODE!r}); "
    "from aworld.environments.desktop.metrics.judge import main; main()"
)


class Score(msgspec.Struct, frozen=True):
    """A metric's verdict."""

    score: float
    problem: str = ""
    """Why it could not be taken, which counts as 0."""


class _Said(msgspec.Struct, frozen=True):
    score: float | None = None
    problem: str = ""
    unsupported: str = ""


async def score(check: Check, result: Value, expected: Value, cache: Path) -> Score:
    """What the metric says of these values.

    Raises:
        EnvironmentFault: it cannot judge here, which is no verdict on the team.
    """
    request: dict[str, Any] = {
        "func": check.func,
        "result": _encoded(result),
        "options": check.options,
    }
    if check.expected is not None:
        request["expected"] = _encoded(expected)
    metrics = Path(__file__).parent / "metrics"
    around = Surroundings(
        mounts=(Mount(str(metrics), f"{_CODE}/aworld/environments/desktop/metrics"),)
    )
    try:
        sandbox = open_sandbox()
        done = await sandbox.run(
            [sandbox.python(), "-I", "-X", "utf8", "-c", _SCRIPT],
            workspace=cache,
            stdin=msgspec.json.encode(request),
            limits=_LIMITS,
            around=around,
        )
    except SandboxError as error:
        raise EnvironmentFault(f"The sandbox for judging does not start: {error}") from error
    if done.timed_out or done.refused:
        return Score(0.0, done.refused or f"judging took more than {_LIMITS.seconds:g} s")
    try:
        said = msgspec.json.decode(done.stdout.strip().splitlines()[-1], type=_Said)
    except (IndexError, msgspec.DecodeError):
        raise EnvironmentFault(
            f"The metric {check.func!r} could not be run: {done.stderr.strip()[-400:]}"
        ) from None
    if said.unsupported:
        raise EnvironmentFault(f"The metric {check.func!r} cannot judge: {said.unsupported}.")
    return Score(0.0, said.problem) if said.score is None else Score(said.score)


def _encoded(value: Value) -> Any:
    if isinstance(value, FileValue):
        return {FILE: value.name, PART: value.part}
    if isinstance(value, list):
        return [_encoded(one) for one in value]
    return value
