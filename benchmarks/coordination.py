"""How often the detectors of coordination are right on the labelled cases, on each half.

Recall is the part of the conflicts, duplicates and broken results that is found, false alarms the
part of the others. The goals are for the half that was held out: recall at least 0.9, false alarms
at most 0.05. The logged cases need the folder named by AWORLD_WHO_AND_WHEN and are left out without
it, with a word. Prints one JSON line a figure; `--misses` names the cases of the tuning half.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.coordination import labelled
from tests.coordination.detecting import DETECTORS

RECALL, FALSE_ALARMS = 0.9, 0.05


def main() -> None:
    """Print the figures of both halves and their sum over all files."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--misses", action="store_true", help="name what is wrong, tuning half")
    options.add_argument("--held-out-misses", action="store_true", help="of the other half")
    chosen = options.parse_args()
    if labelled.logs() is None:
        sys.stderr.write(f"{labelled.LOGS} names no folder: the logged cases are left out\n")
    shown = {"tuning": chosen.misses, "held out": chosen.held_out_misses}
    halves: tuple[labelled.Half, ...] = ("tuning", "held out")
    for half in halves:
        scores = {
            name: labelled.score(labelled.cases(name, half), detect)
            for name, detect in DETECTORS.items()
        }
        for name, score in [*scores.items(), ("all", labelled.together(scores.values()))]:
            _print(f"coordination_{name}_{half.replace(' ', '_')}", score, half, name)
            if shown[half] and name != "all":
                for case in score.missed:
                    sys.stderr.write(f"missed       {name} {case}\n")
                for case in score.false:
                    sys.stderr.write(f"false alarm  {name} {case}\n")


def _print(name: str, score: labelled.Score, half: labelled.Half, part: str) -> None:
    judged = half == "held out" and part == "all"
    figures = (
        (f"{name}_missed", 1 - score.recall, 1 - RECALL),
        (f"{name}_false_alarms", score.false_alarms, FALSE_ALARMS),
        (f"{name}_precision", score.precision, None),
    )
    for figure, value, goal in figures:
        line = {
            "name": figure,
            "value": round(value, 4),
            "unit": f"of {score.positives if 'missed' in figure else score.negatives}"
            if goal is not None
            else "part",
            "goal": round(goal, 4) if goal is not None and judged else None,
        }
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
