"""`make bench`: run every benchmark beside its peers, write benchmarks/results/latest.json.

Each file of this folder with a figure prints JSON lines `{name, value, unit, goal, floor, peer,
peer_value, ratio}`; keys that it leaves out are null. The exit status is 1 where a benchmark
failed or a figure misses its goal.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from benchmarks import peers  # noqa: E402

KEYS = ("name", "value", "unit", "goal", "floor", "peer", "peer_value", "ratio")
NOT_BENCHMARKS = {"__init__", "run", "peers"}
MORE_IS_BETTER = ("_per_s", "_of_plain")
"""Ends of names whose figures should be at least their goal; all others at most."""

Line = dict[str, Any]


def main() -> int:
    """Run them all, or those named; the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", help="files of this folder, without .py")
    options.add_argument("--target", type=Path, default=FOLDER / "results" / "latest.json")
    chosen = options.parse_args()
    lines: list[Line] = []
    failed: list[str] = []
    for script in scripts(chosen.names):
        found = run_script(script)
        if found is None:
            failed.append(script.stem)
        lines += found or []
    lines += peer_lines(lines)
    chosen.target.parent.mkdir(parents=True, exist_ok=True)
    chosen.target.write_text(json.dumps(lines, indent=1, ensure_ascii=False), encoding="utf-8")
    show(lines)
    missed = [line["name"] for line in lines if misses(line)]
    for what, names in (("failed", failed), ("missed its goal", missed)):
        for name in dict.fromkeys(names):
            print(f"{name} {what}", file=sys.stderr)
    return 1 if failed or missed else 0


def scripts(names: list[str]) -> list[Path]:
    """The benchmarks' files, all of them or those named."""
    there = [file for file in sorted(FOLDER.glob("*.py")) if file.stem not in NOT_BENCHMARKS]
    unknown = set(names) - {file.stem for file in there}
    if unknown:
        raise SystemExit(
            f"There is no benchmark {', '.join(sorted(unknown))}; there are "
            f"{', '.join(file.stem for file in there)}."
        )
    return [file for file in there if not names or file.stem in names]


def run_script(script: Path) -> list[Line] | None:
    """The lines that a benchmark prints, or None where it failed."""
    started = time.monotonic()
    module = f"benchmarks.{script.stem}"
    done = subprocess.run(
        [sys.executable, "-m", module], cwd=FOLDER.parent, stdout=subprocess.PIPE, text=True,
        check=False,
    )  # fmt: skip
    print(f"{script.stem}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    if done.returncode:
        return None
    return [complete(json.loads(line)) for line in done.stdout.splitlines() if line[:1] == "{"]


def complete(line: Line) -> Line:
    """The line with every key, the ratio counted where value and peer are there."""
    whole = {key: line.get(key) for key in KEYS}
    if whole["ratio"] is None and whole["value"] is not None and whole["peer_value"]:
        whole["ratio"] = round(whole["value"] / whole["peer_value"], 3)
    return whole


def peer_lines(ours: list[Line]) -> list[Line]:
    """Our figures again, each against a driver of another project in the same run."""
    by_name = {line["name"]: line for line in ours}
    found = []
    for case in peers.CASES:
        line = by_name.get(case.ours)
        value = peers.measure(case) if line else None
        if line is not None and value is not None:
            against = {"peer": case.name, "peer_value": round(value, 3), "ratio": None}
            found.append(complete({**line, **against}))
    return found


def misses(line: Line) -> bool:
    """Whether a figure with a goal does not reach it."""
    if line["goal"] is None or line["value"] is None:
        return False
    if str(line["name"]).endswith(MORE_IS_BETTER):
        return bool(line["value"] < line["goal"])
    return bool(line["value"] > line["goal"])


def show(lines: list[Line]) -> None:
    """The figures as a table, and the machine that they hold for."""
    print(f"{platform.platform()}, Python {platform.python_version()}")
    print(f"{'figure':<34}{'value':>12} {'goal':>10}  {'against':<34}{'ratio':>8}")
    for line in lines:
        value = "–" if line["value"] is None else f"{line['value']:,.4g} {line['unit'] or ''}"
        goal = "" if line["goal"] is None else f"{line['goal']:,.4g}"
        peer = line["peer"] or ""
        if line["peer_value"] is not None:
            peer = f"{peer} {line['peer_value']:,.4g}"
        ratio = "" if line["ratio"] is None else f"{line['ratio']:.2f}"
        mark = " missed" if misses(line) else ""
        print(f"{line['name']:<34}{value:>12} {goal:>10}  {peer:<34}{ratio:>8}{mark}")


if __name__ == "__main__":
    sys.exit(main())
