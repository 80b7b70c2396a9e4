"""The labelled cases, their halves, and how often the detectors are right about them."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

CASES = Path(__file__).parent / "cases"
SEED = "coordination-1"
LOGS = "AWORLD_WHO_AND_WHEN"
"""The variable that names the folder of the logs."""
Half = Literal["tuning", "held out"]
Case = dict[str, Any]
POSITIVE = frozenset({"conflict", "duplicate", "fails"})


class Score(msgspec.Struct, frozen=True):
    """How a detector did on some cases."""

    hits: int
    missed: tuple[str, ...]
    """Ids of positives that it did not find."""
    false: tuple[str, ...]
    """Ids of negatives that it found."""
    negatives: int

    @property
    def positives(self) -> int:
        """Cases that should be found."""
        return self.hits + len(self.missed)

    @property
    def recall(self) -> float:
        """Of the positives, the part that was found."""
        return self.hits / self.positives if self.positives else 1.0

    @property
    def precision(self) -> float:
        """Of what was found, the part that is right."""
        found = self.hits + len(self.false)
        return self.hits / found if found else 1.0

    @property
    def false_alarms(self) -> float:
        """Of the negatives, the part that was found."""
        return len(self.false) / self.negatives if self.negatives else 0.0


def logs() -> Path | None:
    """The folder of the logs, where there is one."""
    named = os.environ.get(LOGS)
    # Beside the checkout or in it, where the variable is not set.
    here = Path(__file__).parents[2]
    default = "shared/data/who_and_when"
    folders = [Path(named)] if named else [here / default, here.parent / default]
    return next((folder for folder in folders if folder.is_dir()), None)


def cases(name: str, half: Half | None = None) -> list[Case]:
    """The cases of a file, references resolved; of a file of references none without the logs."""
    read = [
        json.loads(line)
        for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    if name.startswith("logged") and logs() is None:
        return []
    held = held_out(case["template"] for case in read)
    return [
        {key: _resolved(value) for key, value in case.items()}
        for case in read
        if half is None or (case["template"] in held) == (half == "held out")
    ]


def held_out(templates: Iterable[str]) -> frozenset[str]:
    """Every second template, in the order of their seeded hashes."""
    ordered = sorted(set(templates), key=lambda t: hashlib.sha256(f"{SEED}:{t}".encode()).digest())
    return frozenset(ordered[1::2])


def score(found: Iterable[Case], detect: Callable[[Case], bool]) -> Score:
    """Ask a detector about each case."""
    hits, missed, false, negatives = 0, [], [], 0
    for case in found:
        says = detect(case)
        if case["label"] in POSITIVE:
            hits += says
            missed += [] if says else [case["id"]]
        else:
            negatives += 1
            false += [case["id"]] if says else []
    return Score(hits, tuple(missed), tuple(false), negatives)


def together(scores: Iterable[Score]) -> Score:
    """The score of all their cases as one."""
    parts = list(scores)
    return Score(
        sum(part.hits for part in parts),
        tuple(case for part in parts for case in part.missed),
        tuple(case for part in parts for case in part.false),
        sum(part.negatives for part in parts),
    )


def _resolved(value: Any) -> Any:
    if not isinstance(value, dict) or "file" not in value:
        return value
    log = _log(value["file"])
    if "field" in value:
        return log[value["field"]]
    return log["history"][value["step"]]["content"][value["start"] : value["end"]]


@functools.cache
def _log(name: str) -> Any:
    folder = logs()
    assert folder is not None
    return json.loads((folder / name).read_text(encoding="utf-8"))
