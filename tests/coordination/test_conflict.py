"""Conflicts between answers, claims and files."""

from __future__ import annotations

import pytest

from aworld.coordination.conflict import between_answers, between_claims, between_writes
from aworld.coordination.files import Write
from aworld.coordination.policy import OFF, CoordinationPolicy
from aworld.coordination.statement import LONGEST, Statement
from aworld.errors import ConfigurationError

LENGTH = "How long is the bridge?"


def said(*texts: str) -> list[Statement]:
    """Statements of agents `a`, `b`, …, each with its seq."""
    return [Statement(text, chr(97 + place), 10 + place) for place, text in enumerate(texts)]


def rules(question: str, *texts: str) -> list[str]:
    """Which rules found a conflict."""
    return [conflict.rule for conflict in between_answers(question, said(*texts))]


def test_a_conflict_names_both_agents_their_events_and_the_passages() -> None:
    (conflict,) = between_answers(LENGTH, said("I measured it. It is 1.2 km long.", "1500 m"))
    one, other = conflict.sides
    assert (one.actor, one.seq, other.actor, other.seq) == ("a", 10, "b", 11)
    assert (one.span.text, other.span.text) == ("It is 1.2 km long.", "1500 m")
    assert (conflict.rule, conflict.about) == ("number", LENGTH)
    assert conflict.why == "One answer has '1.2 km', the other '1500 m'."


def test_one_kilometre_and_a_thousand_metres_agree() -> None:
    assert rules(LENGTH, "1 km", "1000 m", "0.6214 miles", "1 千米") == []


def test_every_pair_of_answers_is_compared() -> None:
    found = between_answers(LENGTH, said("1 km", "2 km", "1000 m"))
    pairs = [tuple(side.actor for side in conflict.sides) for conflict in found]
    assert pairs == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize(
    ("question", "one", "other", "rule"),
    [
        ("How many are there?", "seven", "8", "number"),
        ("When was it signed?", "5 March 2021", "2021-03-06", "date"),
        ("What time does it arrive?", "6:41 PM", "19:41", "time"),
        ("Is it open?", "Yes, it is.", "It is not open.", "yes_no"),
        ("List the colours.", "red, blue", "red, green", "list"),
        ("Sort the names by age, oldest first.", "Ann, Bob", "Bob, Ann", "list"),
        ("Who wrote it?", "Jane Austen", "Emily Brontë", "name"),
        ("Give the sender in JSON.", '{"sender": "A"}', '{"sender": "B"}', "data"),
        ("有多少人?", "三百人", "四百人", "number"),
        ("可以公开吗?", "可以", "不可以", "yes_no"),
    ],
)
def test_each_kind_of_answer_has_its_rule(question: str, one: str, other: str, rule: str) -> None:
    assert rules(question, one, other) == [rule]
    assert rules(question, one, one) == []


@pytest.mark.parametrize("silent", ["", "I could not find it.", "Unknown", "无法确定"])
def test_who_gives_no_answer_contradicts_nobody(silent: str) -> None:
    assert rules(LENGTH, silent, "5 km") == []


def test_numbers_of_the_question_are_not_taken_for_the_answer() -> None:
    question = "How many of the 12 days in June 2020 were over 95 °F?"
    assert rules(question, "In June 2020, 4 of the 12 days were over 95 °F.", "4") == []
    assert rules(question, "In June 2020, 4 of the 12 days were over 95 °F.", "5") == ["number"]


def test_claims_are_compared_sentence_by_sentence() -> None:
    one = "The sheet has 15 rows. The oldest film is from 2009."
    other = "It was easy. The oldest film is from 2011. The sheet has 15 rows."
    (conflict,) = between_claims(said(one, other))
    assert [side.span.text for side in conflict.sides] == [
        "The oldest film is from 2009.",
        "The oldest film is from 2011.",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The population in 2020 was 5 million.", "The population in 2021 was 6 million."),
        ("Step 1 took 4 s.", "Step 2 took 9 s."),
        ("The door may be open.", "The door is not open."),
        ("If the door is open, it rains in.", "The door is not open."),
        ("Is the door open?", "The door is not open."),
        ("Some doors are open.", "Some doors are not open."),
        ("- Oak Street:\n  - Sold for $5", "- Elm Street:\n  - Sold for $6"),
        ('{\n"answer": true\n}', '{\n"answer": false\n}'),
        ("```\nx = 1\n```", "```\nx = 2\n```"),
    ],
)
def test_statements_that_can_both_hold_are_no_conflict(one: str, other: str) -> None:
    assert between_claims(said(one, other)) == []


def test_what_an_agent_says_later_takes_the_place_of_what_it_said_before() -> None:
    texts = ("The door is open.", "The door is closed.")
    assert len(between_claims(said(*texts))) == 1
    assert between_claims([Statement(text, "same") for text in texts]) == []


def test_two_agents_that_write_one_file_differently_are_in_conflict() -> None:
    writes = [Write("out/a.md", "x\n1\n", "a", 3), Write("./out/a.md", "x\n2\n", "b", 7)]
    (conflict,) = between_writes(writes)
    assert conflict.about == "out/a.md"
    assert [(side.seq, side.span.text) for side in conflict.sides] == [(3, "1"), (7, "2")]
    assert "differ from line 2 on" in conflict.why


def test_an_agent_may_write_its_own_file_again_and_others_the_same_content() -> None:
    again = [Write("a", "1", "a"), Write("a", "2", "a")]
    same = [Write("a", "1\r\n", "a"), Write("a", "1\n\n", "b")]
    apart = [Write("a", "1", "a"), Write("b", "2", "b")]
    assert [between_writes(writes) for writes in (again, same, apart)] == [[], [], []]


def test_each_detector_is_off_where_the_team_says_so() -> None:
    texts = said("The door is open.", "The door is closed.")
    assert between_answers("Is it open?", said("yes", "no"), OFF) == []
    assert between_claims(texts, OFF) == []
    assert between_writes([Write("a", "1", "a"), Write("a", "2", "b")], OFF) == []
    assert between_claims(texts, CoordinationPolicy(conflicts=False)) != []


def test_a_policy_that_cannot_be_meant_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="from 0 to 1"):
        CoordinationPolicy(similarity=1.5)
    with pytest.raises(ConfigurationError, match="names a step twice"):
        CoordinationPolicy(follow_up=("vote", "vote"))


@pytest.mark.parametrize(
    "text",
    [
        "", " \n", "\ud800 km", "\x00", "1/0", "9e999 km", "(" * 3000, "\\boxed{" * 500,
        "万亿" * 12, "[" * 3000, '{"a":' * 3000, "- " * 2000, "not " * 2000, "1" * 5000,
    ],
)  # fmt: skip
def test_whatever_an_agent_says_is_compared_without_a_fault(text: str) -> None:
    for question in (LENGTH, "Who?", "Is it?", "When?", "List them."):
        between_answers(question, said(text, "5 km", text + "!"))
    between_claims(said(text, text + " 2"))


def test_of_a_very_long_message_the_beginning_and_the_end_are_read() -> None:
    long = "FINAL ANSWER: 3 km\n" + "Then more words. " * LONGEST
    assert rules(LENGTH, long, "4 km") == ["number"]
    assert rules(LENGTH, "Words. " * LONGEST + "\nFINAL ANSWER: 3 km", "4 km") == ["number"]


def test_a_message_of_a_million_characters_on_one_line_is_read_at_its_two_ends() -> None:
    assert rules(LENGTH, "word " * 200_000 + "\nFINAL ANSWER: 3 km", "4 km") == ["number"]
    assert between_claims(said("word " * 200_000, " " * 1_000_000)) == []
