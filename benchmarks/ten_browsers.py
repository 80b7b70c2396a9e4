"""Memory of ten browsers at once: the sum of PSS of all their processes, the driver's included.

Ten episodes of the ticket desk, the shop and the wiki are solved side by side and stay open; the
highest of the sums that are taken meanwhile counts. The peer is one browser process for each.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from aworld.environments.base import Place  # noqa: E402
from aworld.environments.web.kind import KIND  # noqa: E402
from aworld.sandbox.process_tree import descendants  # noqa: E402
from aworld.tools.browser.chromium import browsers  # noqa: E402

GOAL_MB = 4096.0
TASKS = ("shop-cancel-order", "desk-merge-printer", "wiki-restore-mountain", "shop-two-lamps")
SAMPLE_S = 0.25


def pss_mb(pids: list[int]) -> float:
    """The sum, in MB; processes that end meanwhile are left out."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
    return total / 1024


async def measure(count: int) -> tuple[float, int]:
    """The highest sum while `count` episodes are solved and stay open, and their processes."""
    tasks = [task for task in KIND.tasks("sites") if task.id in TASKS]
    chosen = list(islice(cycle(tasks), count))
    highest, processes = 0.0, 0

    async def watch() -> None:
        nonlocal highest, processes
        while True:
            ours = descendants(os.getpid())[1:]
            found = pss_mb(ours)
            if found > highest:
                highest, processes = found, len(ours)
            await asyncio.sleep(SAMPLE_S)

    with tempfile.TemporaryDirectory() as folder:
        watching = asyncio.create_task(watch())
        worlds = []
        for number, task in enumerate(chosen):
            place = Place(Path(folder, f"w{number}"), Path(folder, f"p{number}"))
            worlds.append((task, KIND.make(task, place)))

        async def solve(index: int) -> float | None:
            task, world = worlds[index]
            oracle = KIND.oracle(task)
            assert oracle is not None
            answer = await oracle.solve(world, await world.reset())
            return (await world.verify(answer)).score

        scores = await asyncio.gather(*map(solve, range(count)))
        assert set(scores) == {1.0}, f"An episode failed: {scores}"
        await asyncio.sleep(2 * SAMPLE_S)
        watching.cancel()
        for _, world in worlds:
            await world.close()
        await browsers.close()
    return highest, processes


def main() -> None:
    """Measure ten, then one, and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--browsers", type=int, default=10)
    count = options.parse_args().browsers
    highest, processes = asyncio.run(measure(count))
    alone, _ = asyncio.run(measure(1))
    line = {
        "name": "ten_browsers_pss_mb",
        "value": round(highest, 1),
        "unit": f"MB, {processes} processes",
        "goal": GOAL_MB,
        "peer": f"{count} browser processes, one each",
        "peer_value": round(alone * count, 1),
        "ratio": round(highest / (alone * count), 3),
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
