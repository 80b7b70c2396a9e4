"""Text and JSON matchers."""

from __future__ import annotations

import re
from typing import Any

import pytest

from aworld.errors import ConfigurationError
from aworld.scorers.registry import get, score


@pytest.mark.parametrize(
    ("mode", "answer", "truth", "correct"),
    [
        ("exact", "a b", "a b", True),
        ("exact", "A b", "a b", False),
        ("normalised", "  Hello\u00a0 WORLD. ", "hello world", True),
        ("normalised", "ｆｕｌｌ", "full", True),
        ("normalised", "hello, world", "hello world", False),
        ("contains", "I saw the Eiffel  Tower there", "eiffel tower", True),
        ("contains", "I saw the tower", "eiffel tower", False),
        ("regex", "order 4711 is ready", r"\b\d{4}\b", True),
        ("regex", "order 471 is ready", r"\b\d{4}\b", False),
    ],
)
def test_text_is_compared_by_its_mode(mode: str, answer: str, truth: str, correct: bool) -> None:
    assert score("text", answer, truth, {"mode": mode}).correct == correct


def test_a_pattern_may_have_to_match_the_whole_answer_in_any_case() -> None:
    options = {"mode": "regex", "whole": True, "ignore_case": True}
    assert score("text", "ABC", "a.c", options).correct
    assert not score("text", "ABCD", "a.c", options).correct


def test_a_pattern_that_backtracks_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aworld.scorers.text.PATTERN_S", 0.5)
    verdict = score("text", "a" * 40 + "b", "(a+)+$", {"mode": "regex"})
    assert not verdict.correct
    assert "was stopped" in verdict.why


def test_a_near_miss_in_text_is_named() -> None:
    assert score("text", "It is Paris", "Paris").near_miss == (
        "Nearly right: the truth stands in the answer, among other words."
    )
    assert score("text", "paris ", "Paris", {"mode": "exact"}).near_miss == (
        "Nearly right: only case, spaces or a full stop differ."
    )


@pytest.mark.parametrize(
    ("truth", "options", "problem"),
    [
        ("(", {"mode": "regex"}, "is no regular expression"),
        (" ", {"mode": "contains"}, "empty truth"),
        ("a", {"mode": "fuzzy"}, r"It knows these: mode, ignore_case, whole"),
        ("a", {"moed": "exact"}, "unknown field `moed`"),
    ],
)
def test_wrong_truths_and_options_are_refused(
    truth: str, options: dict[str, object], problem: str
) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        score("text", "a", truth, options)


@pytest.mark.parametrize(
    ("answer", "truth", "options", "correct"),
    [
        ('{"b": [1, 2], "a": null}', {"a": None, "b": [1, 2]}, {}, True),
        ('{"a": 1, "b": 2}', {"a": 1}, {}, False),
        ('{"a": {"x": 1, "y": 2}, "b": 2}', {"a": {"x": 1}}, {"mode": "subset"}, True),
        ('{"a": 1}', {"a": 1, "b": 2}, {"mode": "subset"}, False),
        ("Here:\n```json\n[1]\n```\n", [1], {}, True),
        ("3.0", 3, {}, True),
        ("true", 1, {}, False),
        ('"1"', 1, {}, False),
        ("3.1401", 3.14, {"tolerance": 0.001}, True),
        ("3.15", 3.14, {"tolerance": 0.001}, False),
        ("101", 100, {"relative": 0.01}, True),
        ("[2, 1]", [1, 2], {}, False),
        ("[2, 1]", [1, 2], {"any_order": True}, True),
        ("[1, 2, 2]", [1, 1, 2], {"any_order": True}, False),
        ("[1.0, 1.4]", [1.4, 1.7], {"any_order": True, "tolerance": 0.45}, True),
        ('{"a": {"b": [7, 8]}}', 8, {"path": "a.b[1]"}, True),
        ('{"a": {"b": [7, 8]}}', 8, {"path": "$.a.b[1]"}, True),
        ('{"a": {"b": [7]}}', 8, {"path": "a.b[1]"}, False),
        ({"a": 1}, '{"a": 1}', {}, True),
        ('"plain"', "plain", {}, True),
    ],
)
def test_json_is_compared_by_its_options(
    answer: Any, truth: Any, options: dict[str, object], correct: bool
) -> None:
    verdict = score("json", answer, truth, options)
    assert verdict.correct == correct, verdict.why


@pytest.mark.parametrize(
    ("answer", "truth", "why"),
    [
        ('{"a": {"b": 1}}', {"a": {"b": 2}}, "At $.a.b: the answer has '1', the truth '2'."),
        ('{"a": [1]}', {"a": [1, 2]}, "At $.a: the answer has 1 elements, the truth 2."),
        ("{}", {"a": 1}, "At $: the answer has no field 'a'."),
        ("{'a': 1}", {"a": 1}, "is no JSON"),
        ("[" * 100_000, [], "is no JSON|nested too deeply"),
    ],
)
def test_json_says_where_the_answer_differs(answer: str, truth: Any, why: str) -> None:
    found = score("json", answer, truth).why
    assert why in found or re.search(why, found)


@pytest.mark.parametrize("options", [{"path": "a..b"}, {"path": "a[x]"}, {"tolerance": -1}])
def test_paths_and_tolerances_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        score("json", "1", 1, options)


def test_an_unknown_scorer_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match="Known: aime, gaia, json, math, text"):
        get("f1")
