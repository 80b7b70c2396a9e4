"""What `import aworld` costs, against a Python that imports nothing: CPU seconds and memory.

Interpreters with and without the import take turns; the median counts. The peers' figures are
those of the same package's front with its three names used, so that laziness hides nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from typing import NamedTuple

GOAL_CPU_S = 0.3
GOAL_MB = 60.0

PROGRAM = """
import resource, sys
{statement}
used = resource.getrusage(resource.RUSAGE_SELF)
peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(used.ru_utime + used.ru_stime, peak)
"""
STATEMENTS = {
    "nothing": "",
    "aworld": "import aworld",
    "names": "from aworld import Agent, LLMClient, MultiAgentGroup",
}


class Cost(NamedTuple):
    """Of one interpreter, from start to end of the import."""

    cpu_s: float
    peak_bytes: float


def measure(statement: str) -> Cost:
    """Start an interpreter, run the statement, ask what was used."""
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(statement=statement)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return Cost(float(said[0]), float(said[1]))


def main() -> None:
    """Interleave the three and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=9)
    rounds = options.parse_args().rounds
    costs: dict[str, list[Cost]] = {name: [] for name in STATEMENTS}
    for _ in range(rounds):
        for name, statement in STATEMENTS.items():
            costs[name].append(measure(statement))
    cpu = {name: statistics.median(cost.cpu_s for cost in all_) for name, all_ in costs.items()}
    peak = {
        name: statistics.median(cost.peak_bytes for cost in all_) for name, all_ in costs.items()
    }
    for name, label in (("aworld", "import_aworld"), ("names", "import_three_names")):
        _print(f"{label}_cpu_s", cpu[name], "s", GOAL_CPU_S, cpu["nothing"])
        _print(f"{label}_mb", peak[name] / 1e6, "MB", GOAL_MB, peak["nothing"] / 1e6)


def _print(name: str, value: float, unit: str, goal: float, floor: float) -> None:
    line = {
        "name": name,
        "value": round(value, 4),
        "unit": unit,
        "goal": goal,
        "floor": round(floor, 4),
        "peer": "an interpreter that imports nothing",
        "peer_value": round(floor, 4),
        "ratio": round(value / floor, 2),
    }
    sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
