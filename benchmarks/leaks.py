"""What a thousand episodes leave behind in a worker's process: memory, tasks, threads, files.

Episodes of five turns run by the hundred through queue, supervisor and store. After the first
hundred, which fill caches and pools, and after the last, garbage is collected and everything is
counted. More tasks, threads or open files than before fail the benchmark. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

from benchmarks.episodes.library import Worker
from benchmarks.episodes.server import serving

GOAL_MB = 10.0
BATCH = 100
AT_ONCE = 32


class Held(NamedTuple):
    """What the process holds."""

    memory_mb: float
    tasks: int
    threads: int
    files: int


def held() -> Held:
    """Now, with the garbage gone (Linux)."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return Held(
        pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        len(asyncio.all_tasks()),
        threading.active_count(),
        len(os.listdir("/proc/self/fd")),
    )


async def measure(base_url: str, episodes: int) -> tuple[Held, Held]:
    """What is held after the first batch, and after the last."""
    with tempfile.TemporaryDirectory(prefix="aworld-leaks-") as folder:
        worker = Worker(Path(folder), base_url, AT_ONCE)
        await worker.run(BATCH)
        before = held()
        for _ in range(episodes // BATCH - 1):
            await worker.run(BATCH)
        after = held()
        await worker.aclose()
    return before, after


def main() -> int:
    """Print the figure; the exit status is 1 where anything but memory was left."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--episodes", type=int, default=1000)
    chosen = options.parse_args()
    with serving() as base_url:
        before, after = asyncio.run(measure(base_url, chosen.episodes))
    growth = after.memory_mb - before.memory_mb
    line = {
        "name": "episodes1000_growth_mb",
        "value": round(growth, 1),
        "unit": "MB",
        "goal": GOAL_MB,
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stderr.write(f"after {BATCH}: {before}\nafter {chosen.episodes}: {after}\n")
    left = after.tasks > before.tasks or after.threads > before.threads
    # An idle connection to the model's server may be there or not.
    return 1 if left or after.files > before.files + AT_ONCE else 0


if __name__ == "__main__":
    sys.exit(main())
