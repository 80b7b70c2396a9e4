"""`make bench`: one results file whose lines are whole, and an exit status that tells of misses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.run import KEYS, complete, misses

ROOT = Path(__file__).resolve().parent.parent.parent


def test_a_line_gets_every_key_and_its_ratio() -> None:
    assert complete({"name": "x", "value": 3, "unit": "us", "peer_value": 2.0}) == {
        "name": "x",
        "value": 3,
        "unit": "us",
        "goal": None,
        "floor": None,
        "peer": None,
        "peer_value": 2.0,
        "ratio": 1.5,
    }


@pytest.mark.parametrize(
    ("name", "value", "goal", "missed"),
    [
        ("bus_ring10_cpu_us", 3.9, 4.0, False),
        ("bus_ring10_cpu_us", 4.1, 4.0, True),
        ("append_events_per_s", 60_000, 50_000, False),
        ("append_events_per_s", 40_000, 50_000, True),
        ("attempts32_of_plain", 0.96, 0.95, False),
        ("anything", 5, None, False),
    ],
)
def test_a_goal_is_a_bound_on_the_side_that_its_name_tells(
    name: str, value: float, goal: float | None, missed: bool
) -> None:
    assert misses({"name": name, "value": value, "goal": goal}) is missed


def test_running_one_benchmark_writes_the_results_file(tmp_path: Path) -> None:
    target = tmp_path / "latest.json"
    done = subprocess.run(
        [sys.executable, "benchmarks/run.py", "import_cost", "--target", str(target)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = json.loads(target.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [tuple(line) for line in lines] == [KEYS] * 4
    assert lines[0]["name"] == "import_aworld_cpu_s"


def test_an_unknown_benchmark_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/run.py", "nothing_like_it"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "There is no benchmark nothing_like_it; there are" in done.stderr
