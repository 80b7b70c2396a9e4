"""Sub-tasks that were there already."""

from __future__ import annotations

import pytest

from aworld.coordination.dedupe import duplicate
from aworld.coordination.policy import OFF, CoordinationPolicy
from aworld.coordination.subtask import SubTask

FRANCE = SubTask("Find the population of France in 2020.", seq=4)


def test_the_same_words_are_dropped_whatever_case_and_politeness() -> None:
    found = duplicate(SubTask("Please find the population of france in 2020"), [FRANCE])
    assert found is not None
    assert (found.rule, found.similarity, found.same_as.seq) == ("same", 1.0, 4)


def test_other_words_for_the_same_are_dropped_with_how_alike_they_are() -> None:
    found = duplicate(SubTask("Look up the population that France had in 2020."), [FRANCE])
    assert found is not None
    assert found.rule == "alike"
    assert 0.72 <= found.similarity < 1


@pytest.mark.parametrize(
    "other",
    [
        "Find the population of France in 2021.",
        "Find the population of Spain in 2020.",
        "Find the population of France in 2020, but not of Paris.",
        "Write a poem.",
    ],
)
def test_another_number_name_or_negation_makes_another_task(other: str) -> None:
    assert duplicate(SubTask(other), [FRANCE]) is None


def test_contrary_words_and_the_other_direction_make_another_task() -> None:
    pairs = [
        ("Open valve 3.", "Close valve 3."),
        ("Translate from English to German.", "Translate from German to English."),
    ]
    assert [duplicate(SubTask(b), [SubTask(a)]) for a, b in pairs] == [None, None]


def test_arguments_are_compared_by_value_and_paths_by_case() -> None:
    def call(**arguments: object) -> SubTask:
        return SubTask("search", arguments)

    assert duplicate(call(query="Paris ", limit=3.0), [call(limit=3, query="paris")]) is not None
    assert duplicate(call(path="a/B.txt"), [call(path="a/b.txt")]) is None
    assert duplicate(call(query="paris", limit=4), [call(query="paris", limit=3)]) is None
    assert duplicate(call(keys=[1, 2]), [call(keys=[2, 1])]) is None


def test_the_most_alike_of_several_is_named() -> None:
    earlier = [SubTask("Look up the population that France had in 2020.", seq=2), FRANCE]
    found = duplicate(SubTask(FRANCE.content), earlier)
    assert found is not None
    assert found.same_as.seq == 4


def test_a_team_may_drop_only_what_is_the_same_or_nothing() -> None:
    alike = SubTask("Look up the population that France had in 2020.")
    assert duplicate(alike, [FRANCE], CoordinationPolicy(similarity=1)) is None
    assert duplicate(FRANCE, [FRANCE], CoordinationPolicy(similarity=1)) is not None
    assert duplicate(FRANCE, [FRANCE], OFF) is None
