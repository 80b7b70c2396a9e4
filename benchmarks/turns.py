"""CPU for one agent turn: episodes of five turns, all that happens durably recorded.

Ours is a worker as the product has it: queue, lease, supervisor, gate, aiohttp, SQLite store, with
doorbells within the process and over Valkey (then its time counts too). The peer does the same in
plain aiohttp and keeps nothing; frameworks are measured where their drivers are. Each case is a
fresh interpreter, and the cases take turns, so a busy machine slows all alike; the median counts.
The model server thinks for no time in the first figures; for the wall time of 256 episodes at once
it thinks 200 ms. Prints JSON lines.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks import peers
from benchmarks.episodes.cost import Cost
from benchmarks.episodes.server import TURNS, serving
from tests.servers import valkey

GOAL_MS = 1.0
GOAL_OF_PLAIN = 1.25
THINK_MS = 200.0
PLAIN = "plain aiohttp, nothing recorded"


class Case(NamedTuple):
    """What one interpreter runs."""

    name: str
    """`plain`, `ours` or `valkey`."""
    episodes: int
    at_once: int


async def measure(case: Case, base_url: str) -> Cost:
    """Run a case in this process."""
    if case.name == "plain":
        from benchmarks.episodes import plain

        return await plain.run(base_url, case.episodes, case.at_once)
    from benchmarks.episodes.library import Worker

    with tempfile.TemporaryDirectory(prefix="aworld-turns-") as name:
        folder = Path(name)
        broker = valkey(folder, fsync="everysec") if case.name == "valkey" else None
        if broker is not None:
            broker.start()
        try:
            url = f"redis://127.0.0.1:{broker.port}/0" if broker is not None else ""
            pid = broker.pid if broker is not None else 0
            worker = Worker(folder, base_url, case.at_once, url, pid)
            await worker.run(min(8, case.at_once))
            cost = await worker.run(case.episodes)
            await worker.aclose()
            return cost
        finally:
            if broker is not None:
                broker.stop()


def in_turns(cases: list[Case], base_url: str, rounds: int) -> dict[str, list[Cost]]:
    """The cases one after the other, `rounds` times, each in a fresh interpreter."""
    costs: dict[str, list[Cost]] = {}
    for _ in range(rounds):
        for case in cases:
            command = [sys.executable, "-m", "benchmarks.turns", "--case", *map(str, case)]
            done = subprocess.run(
                [*command, "--base-url", base_url], stdout=subprocess.PIPE, text=True, check=True
            )
            costs.setdefault(case.name, []).append(Cost(**json.loads(done.stdout)))
    return costs


def cpu_ms(costs: list[Cost], episodes: int) -> float:
    """Median for a turn."""
    used = statistics.median(cost.cpu_s + cost.beside_s for cost in costs)
    return used / (episodes * TURNS) * 1e3


def wall_of_plain(costs: list[Cost], plain: list[Cost]) -> float:
    """Median of the rounds' ratios."""
    pairs = zip(costs, plain, strict=True)
    return statistics.median(one.wall_s / other.wall_s for one, other in pairs)


def main() -> None:
    """Interleave the cases and print the figures; or run one case."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--episodes", type=int, default=256, help="for the figures of CPU")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--case", nargs=3, metavar=("NAME", "EPISODES", "AT_ONCE"))
    options.add_argument("--base-url", default="")
    chosen = options.parse_args()
    if chosen.case:
        name, episodes, at_once = chosen.case
        cost = asyncio.run(measure(Case(name, int(episodes), int(at_once)), chosen.base_url))
        sys.stdout.write(json.dumps(cost._asdict()) + "\n")
        return
    _print_cpu(chosen.episodes, chosen.rounds)
    _print_wall(chosen.rounds)


def _print_cpu(episodes: int, rounds: int) -> None:
    cases = [Case(name, episodes, 32) for name in ("plain", "ours", "valkey")]
    with serving() as base_url:
        costs = in_turns(cases, base_url, rounds)
        port = int(base_url.rpartition(":")[2].partition("/")[0])
        theirs = {peer: peers.turn_cpu_ms(peer, port) for peer in peers.EPISODES}
    plain = cpu_ms(costs["plain"], episodes)
    ours = cpu_ms(costs["ours"], episodes)
    _line("turn_cpu_ms", ours, "ms", GOAL_MS, PLAIN, plain)
    _line("turn_valkey_cpu_ms", cpu_ms(costs["valkey"], episodes), "ms", GOAL_MS, PLAIN, plain)
    for peer, value in theirs.items():
        if value is not None:
            _line("turn_cpu_ms", ours, "ms", GOAL_MS, peer, value)


def _print_wall(rounds: int) -> None:
    cases = [Case(name, 256, 256) for name in ("plain", "ours")]
    with serving(THINK_MS) as base_url:
        costs = in_turns(cases, base_url, rounds)
    ratio = wall_of_plain(costs["ours"], costs["plain"])
    _line("attempts256_of_plain", 1 / ratio, "", 1 / GOAL_OF_PLAIN, PLAIN, 1.0)
    for name in ("ours", "plain"):
        wall = statistics.median(cost.wall_s for cost in costs[name])
        sys.stderr.write(f"256 at once, {name}: {wall:.2f} s\n")


def _line(
    name: str, value: float, unit: str, goal: float | None, peer: str, against: float
) -> None:
    line = {
        "name": name,
        "value": round(value, 3),
        "unit": unit,
        "goal": goal,
        "peer": peer,
        "peer_value": round(against, 3),
        "ratio": round(value / against, 2),
    }
    sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
