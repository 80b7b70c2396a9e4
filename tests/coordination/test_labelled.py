"""The labelled set itself, and how the detectors do on it."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.coordination import labelled
from tests.coordination.detecting import DETECTORS, conflicts


def _raw(name: str) -> list[labelled.Case]:
    text = (labelled.CASES / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_set_has_enough_cases_and_at_most_five_of_one_template() -> None:
    cases = [case for name in DETECTORS for case in _raw(name)]
    assert len(cases) >= 200
    assert len(_raw("logged_conflicts")) + len(_raw("logged_duplicates")) >= 80
    for name in DETECTORS:
        assert max(Counter(case["template"] for case in _raw(name)).values()) <= 5
        assert max(Counter(case["id"] for case in _raw(name)).values()) == 1


def test_half_of_the_templates_are_held_out_and_no_template_is_in_both_halves() -> None:
    for name in DETECTORS:
        templates = {case["template"] for case in _raw(name)}
        held = labelled.held_out(templates)
        assert held < templates
        assert abs(2 * len(held) - len(templates)) <= 1


def test_nothing_of_the_logs_text_is_kept_in_the_set() -> None:
    for name in ("logged_conflicts", "logged_duplicates"):
        for case in _raw(name):
            for side in (case["a"], case["b"]):
                assert set(side) in ({"file", "step", "start", "end"}, {"file", "field"})


@pytest.mark.parametrize("half", ["tuning", "held out"])
@pytest.mark.parametrize("name", ["written_conflicts", "written_duplicates", "validations"])
def test_written_cases_are_found_with_few_false_alarms(name: str, half: labelled.Half) -> None:
    score = labelled.score(labelled.cases(name, half), DETECTORS[name])
    assert (score.recall >= 0.9, score.false_alarms <= 0.05) == (True, True), score


@pytest.mark.skipif(labelled.logs() is None, reason=f"{labelled.LOGS} names no folder of logs")
def test_all_held_out_cases_together_reach_the_goal() -> None:
    score = labelled.together(
        labelled.score(labelled.cases(name, "held out"), detect)
        for name, detect in DETECTORS.items()
    )
    assert (score.recall >= 0.9, score.false_alarms <= 0.05) == (True, True), score


def test_the_passages_of_a_conflict_stand_where_its_spans_say() -> None:
    seen = 0
    for case in labelled.cases("written_conflicts"):
        if case["mode"] != "files":
            for conflict in conflicts(case):
                for side, text in zip(conflict.sides, (case["a"], case["b"]), strict=True):
                    assert text[side.span.start : side.span.end] == side.span.text != ""
                seen += 1
    assert seen > 60


def test_a_conflict_is_one_whichever_side_comes_first() -> None:
    for case in labelled.cases("written_conflicts"):
        turned = {**case, "a": case["b"], "b": case["a"]}
        assert bool(conflicts(case)) == bool(conflicts(turned)), case["id"]
