"""The detectors, each as a yes or no about a labelled case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from aworld.coordination.conflict import between_answers, between_claims, between_writes
from aworld.coordination.dedupe import duplicate
from aworld.coordination.files import Write
from aworld.coordination.statement import Conflict, Statement
from aworld.coordination.subtask import SubTask
from aworld.coordination.validation import ResultRules, validate
from tests.coordination.labelled import Case


def conflicts(case: Case) -> list[Conflict]:
    """What a case's mode finds between its two sides."""
    match case["mode"]:
        case "answers":
            return between_answers(case["question"], _said(case))
        case "claims":
            return between_claims(_said(case))
        case _:
            return between_writes([Write(**case["a"]), Write(**case["b"])])


def _said(case: Case) -> list[Statement]:
    return [Statement(case["a"], "first"), Statement(case["b"], "second")]


def _repeats(case: Case) -> bool:
    return duplicate(_task(case["b"]), [_task(case["a"])]) is not None


def _task(side: Any) -> SubTask:
    return SubTask(side["task"], side["arguments"]) if isinstance(side, dict) else SubTask(side)


def _breaks(case: Case) -> bool:
    return not validate(case["result"], msgspec.convert(case["rules"], ResultRules)).holds


DETECTORS: Mapping[str, Callable[[Case], bool]] = {
    "written_conflicts": lambda case: bool(conflicts(case)),
    "logged_conflicts": lambda case: bool(conflicts(case)),
    "written_duplicates": _repeats,
    "logged_duplicates": _repeats,
    "validations": _breaks,
}
"""By the name of the file of cases."""
