"""What follows a conflict, weights, and verdicts as events."""

from __future__ import annotations

import pytest

from aworld.coordination import verdicts
from aworld.coordination.conflict import between_answers
from aworld.coordination.dedupe import duplicate
from aworld.coordination.follow_up import follow_up, settled, step_number, vote
from aworld.coordination.policy import OFF, CoordinationPolicy
from aworld.coordination.statement import Conflict, Statement
from aworld.coordination.subtask import SubTask
from aworld.coordination.validation import validate
from aworld.coordination.weighting import Past, weigh
from aworld.errors import ConfigurationError
from aworld.events.union import AnyPayload, decode_json, draft, encode_json

QUESTION = "How long is it?"
AGENTS = {"ann": "solver", "bob": "solver", "eve": "verifier"}


def said(**texts: str) -> list[Statement]:
    """Statements by their agents."""
    return [Statement(text, actor) for actor, text in texts.items()]


def conflict() -> Conflict:
    """Ann and Bob disagree."""
    return between_answers(QUESTION, said(ann="1 km", bob="2 km"))[0]


def test_the_steps_follow_in_the_order_of_the_policy_until_none_is_left() -> None:
    policy, taken, steps = CoordinationPolicy(), 0, []
    while (found := follow_up(conflict(), taken, AGENTS, policy)) is not None:
        steps.append((found.step, found.to))
        taken = step_number(found, policy)
    assert steps == [
        ("ask_again", ("ann", "bob")),
        ("vote", ()),
        ("verifier", ("eve",)),
        ("person", ()),
    ]


def test_a_step_that_nobody_can_carry_out_is_passed_over() -> None:
    found = follow_up(conflict(), 1, {"ann": "solver", "bob": "solver"})
    assert found is not None
    assert (found.step, found.choices) == ("person", ("1 km", "2 km"))
    assert follow_up(conflict(), 0, AGENTS, CoordinationPolicy(follow_up=())) is None


def test_more_than_half_wins_a_vote_and_weights_count() -> None:
    answers = said(ann="1 km", bob="2 km", eve="1000 m", dan="I do not know.")
    won = vote(QUESTION, answers)
    assert won is not None
    assert (won.winner, won.supporters) == ("1 km", ("ann", "eve"))
    heavy = vote(QUESTION, answers, {"bob": 5.0})
    assert heavy is not None
    assert heavy.winner == "2 km"
    assert vote(QUESTION, said(ann="1 km", bob="2 km")) is None


def test_a_conflict_is_settled_when_all_answers_agree() -> None:
    assert settled(QUESTION, said(ann="1 km", bob="2 km")) is None
    agreed = settled(QUESTION, said(ann="1 km", bob="1000 m"))
    assert agreed is not None
    assert agreed.supporters == ("ann", "bob")


def test_weights_sum_to_one_and_say_why() -> None:
    tasks = [
        SubTask("Sum the wheels of the locomotives", role="solver", cost=1),
        SubTask("Fetch the page", role="retriever", cost=9),
    ]
    solver, retriever = weigh(tasks, [Past("Sum the wheels of the cars", "solver", True)])
    assert solver.weight + retriever.weight == pytest.approx(1)
    assert solver.weight > retriever.weight
    assert solver.success > 0.5 == retriever.success
    assert "like tasks before" in solver.why
    assert "no like task before" in retriever.why


def test_failures_on_like_tasks_lower_a_weight_and_unlike_ones_do_not() -> None:
    tasks = [SubTask("Sum the wheels"), SubTask("Fetch the page")]
    before = weigh(tasks)
    after = weigh(tasks, [Past("Sum the wheels", "", False)] * 3)
    assert after[0].weight < before[0].weight
    assert after[1].success == before[1].success


def test_weights_are_alike_where_the_team_says_so_and_costs_are_checked() -> None:
    tasks = [SubTask("a", cost=1), SubTask("b", cost=5)]
    assert [weight.weight for weight in weigh(tasks, policy=OFF)] == [0.5, 0.5]
    assert weigh([]) == []
    with pytest.raises(ConfigurationError, match="must be 0 or more"):
        weigh([SubTask("a", cost=-1)])


def test_every_verdict_is_an_event_with_its_evidence() -> None:
    found = conflict()
    won = vote(QUESTION, said(ann="1 km", bob="2 km", eve="1 km"))
    again = duplicate(SubTask("Find it"), [SubTask("find it", seq=3)])
    assert won is not None
    assert again is not None
    payloads: list[AnyPayload] = [
        verdicts.conflict_detected(found, follow_up(found, 0, AGENTS)),
        verdicts.conflict_resolved(found, won),
        verdicts.duplicate_dropped(again),
        verdicts.weight_assigned(weigh([SubTask("a")])[0]),
        verdicts.verified("2 + 2 = 4", validate("2 + 2 = 4")),
        verdicts.verified("2 + 2 = 5", validate("2 + 2 = 5")),
    ]
    for payload in payloads:
        event = draft("run", "coordinator", payload)
        assert decode_json(encode_json(event)).payload == payload
    detected = verdicts.conflict_detected(found)
    assert detected.sides[0] == {
        "seq": -1, "actor": "ann", "statement": "1 km", "start": 0, "end": 4
    }  # fmt: skip
