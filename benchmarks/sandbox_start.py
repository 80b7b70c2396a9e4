"""What a sandboxed Python call costs over a bare process: wall milliseconds, start to end.

A bare process, the sandbox, and the sandbox with a list of hosts take turns; the median counts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from aworld.sandbox import Surroundings, open_sandbox

GOAL_MS = 60.0
CODE = "print(sum(range(1000)))"
SAID = b"499500\n"

Call = Callable[[], Awaitable[bytes]]


async def bare() -> bytes:
    """A process without anything around it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-c", CODE, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return out


def sandboxed(workspace: Path, around: Surroundings) -> Call:
    """The same behind the sandbox of this machine."""
    sandbox = open_sandbox()

    async def call() -> bytes:
        argv = [sandbox.python(), "-I", "-c", CODE]
        return (await sandbox.run(argv, workspace=workspace, around=around)).stdout.encode()

    return call


async def measure(calls: dict[str, Call], rounds: int) -> dict[str, float]:
    """Median milliseconds of each; the first round, which fills caches, does not count."""
    took: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds + 1):
        for name, call in calls.items():
            started = time.perf_counter()
            said = await call()
            took[name].append((time.perf_counter() - started) * 1000)
            if said != SAID:
                raise SystemExit(f"{name} printed {said!r} instead of {SAID!r}.")
    return {name: statistics.median(all_[1:]) for name, all_ in took.items()}


def main() -> None:
    """Interleave them and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=30)
    rounds = options.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        calls = {
            "bare": bare,
            "sandbox": sandboxed(Path(folder), Surroundings()),
            "with_hosts": sandboxed(Path(folder), Surroundings(network=("example.org",))),
        }
        found = asyncio.run(measure(calls, rounds))
    _print("sandbox_start_extra_ms", found["sandbox"] - found["bare"], GOAL_MS, found["bare"])
    # No goal: only code that was allowed some hosts pays for the way to them.
    _print("sandbox_start_with_hosts_extra_ms", found["with_hosts"] - found["bare"], None, None)


def _print(name: str, value: float, goal: float | None, floor: float | None) -> None:
    line = {
        "name": name,
        "value": round(value, 2),
        "unit": "ms",
        "goal": goal,
        "floor": None,
        "peer": "a bare process" if floor is not None else None,
        "peer_value": round(floor, 2) if floor is not None else None,
        "ratio": None,
    }
    sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
