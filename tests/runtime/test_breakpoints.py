"""Which breakpoints fire, where, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aworld.errors import ConfigurationError
from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.control import BreakpointHit, EditApplied
from aworld.events.conversation import MessageSent
from aworld.events.coordination import ConflictDetected
from aworld.events.envelope import UNSEQUENCED
from aworld.events.model import LlmResponded
from aworld.events.run import Limits, RunCreated, RunFailed, RunFinished, RunPaused, RunResumed
from aworld.events.union import AnyPayload, Event
from aworld.runtime.breakpoint_check import (
    BreakpointProblem,
    TeamSteps,
    check_breakpoint,
    steps_of_definition,
    steps_of_nodes,
    unbound,
)
from aworld.runtime.breakpoints import (
    Breakpoint,
    Breakpoints,
    Hit,
    needs_past,
    read_breakpoints,
)
from tests.teams import PAIR, nodes

CALL = ToolCalled("calculator", {"expression": "1/0"})
FAILED = ToolFailed("calculator", "division by zero")
DRAFTED = (ToolCalled, MessageSent)


class Run:
    """A run told to breakpoints as a supervisor does it: ask, record, fold, ask."""

    def __init__(self, *armed: Breakpoint, log: Iterable[Event] = (), **more: Any) -> None:
        self.breakpoints = Breakpoints(armed, **more)
        self.log: list[Event] = []
        for event in log:
            self.breakpoints.feed(event)
            self.log.append(event)

    def record(self, payload: AnyPayload, actor: str = "supervisor", **more: Any) -> Event:
        event = Event("run", len(self.log), len(self.log) * 1000, actor, payload, **more)
        self.log.append(event)
        self.breakpoints.feed(event)
        return event

    def happens(self, payload: AnyPayload, actor: str = "solver", **more: Any) -> list[str]:
        """The breakpoints that fire before and after, as `before:id` and `after:id`."""
        fired = []
        if isinstance(payload, DRAFTED):
            drafted = Event("run", UNSEQUENCED, 0, actor, payload, **more)
            fired += self._take(self.breakpoints.before(drafted), before=True)
        if not isinstance(payload, DRAFTED):
            more.setdefault("span", 0)
        event = self.record(payload, actor, **more)
        fired += self._take(self.breakpoints.after(event), before=False)
        return fired

    def all(self, payloads: Sequence[AnyPayload]) -> list[int]:
        """How many fire at each."""
        return [len(self.happens(payload)) for payload in payloads]

    def _take(self, hit: Hit | None, *, before: bool) -> list[str]:
        hits = [] if hit is None else [hit, *hit.others]
        for one in hits:
            self.record(
                BreakpointHit(one.breakpoint_id, len(self.log) - 1, one.note, before, one.stop)
            )
        return [f"{'before' if before else 'after'}:{one.breakpoint_id}" for one in hits]


def test_it_fires_before_or_after_the_step_that_it_names() -> None:
    run = Run(
        Breakpoint("call", when="before", kinds=("tool.called",), agents=("solver",)),
        Breakpoint("result", kinds=("tool.*",), tools=("calculator",)),
        Breakpoint("other", agents=("verifier",)),
        Breakpoint("off", enabled=False),
    )
    assert run.happens(CALL) == ["before:call", "after:result"]
    assert run.happens(FAILED) == ["after:result"]
    assert run.happens(ToolReturned("files", "x")) == []
    assert run.happens(MessageSent("done", "answer"), "verifier") == ["after:other"]


def test_it_fires_only_where_its_condition_holds() -> None:
    run = Run(Breakpoint("b", condition='error contains "zero" and errors == 2'))
    assert run.all([CALL, FAILED, FAILED, ToolFailed("calculator", "other")]) == [0, 0, 1, 0]


def test_before_a_draft_the_counts_are_those_of_what_is_recorded() -> None:
    run = Run(Breakpoint("b", when="before", condition='count(kind="tool.called") == 1'))
    assert run.all([CALL, CALL, CALL]) == [0, 1, 0]


@pytest.mark.parametrize(
    ("hits", "expected"),
    [
        ({"from_hit": 3}, [0, 0, 1, 1, 1, 1, 1]),
        ({"every": 3}, [1, 0, 0, 1, 0, 0, 1]),
        ({"from_hit": 2, "every": 2}, [0, 1, 0, 1, 0, 1, 0]),
        ({"from_hit": 2, "once": True}, [0, 1, 0, 0, 0, 0, 0]),
    ],
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_matches_are_counted(hits: dict[str, Any], expected: list[int], when: Any) -> None:
    run = Run(Breakpoint("b", when=when, kinds=("tool.called",), **hits))
    assert run.all([CALL] * 7) == expected


@pytest.mark.parametrize(
    ("breakpoint", "past"),
    [
        ({"kinds": ["tool.failed"]}, False),
        ({"when": "before", "tools": ["calculator"], "condition": 'error contains "x"'}, False),
        ({"stop_on": "error", "log": "{error}"}, False),
        ({"once": True}, True),
        ({"from_hit": 2}, True),
        ({"every": 2}, True),
        ({"stop_on": "loop"}, True),
        ({"condition": "errors > 2"}, True),
        ({"condition": "duration_ms > 5000"}, True),
    ],
)
def test_armed_in_the_middle_only_what_counts_reads_the_log_so_far(
    breakpoint: dict[str, Any], past: bool
) -> None:
    assert needs_past([{"id": "b", **breakpoint}]) is past


@pytest.mark.parametrize("cut", range(12))
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_taken_up_from_its_log_counts_on(cut: int, when: Any) -> None:
    armed = Breakpoint("b", when=when, kinds=("tool.called",), from_hit=2, every=2)
    once = Breakpoint("o", kinds=("tool.called",), from_hit=2, once=True)
    whole = Run(armed, once)
    whole.all([CALL] * 8)
    part = Run(armed, once)
    part.all([CALL] * 8)
    # Cut behind a recorded call, where the run might have been lost.
    calls = [event.seq for event in part.log if event.kind == "tool.called"]
    behind = calls[min(cut, 7)] + 1
    while behind < len(part.log) and part.log[behind].kind == "breakpoint.hit":
        if part.log[behind].payload.before:  # type: ignore[union-attr]
            break
        behind += 1
    taken_up = Run(armed, once, log=part.log[:behind])
    taken_up.all([CALL] * (7 - min(cut, 7)))
    assert taken_up.log == whole.log


def test_a_run_taken_up_before_the_draft_it_stopped_at_does_not_stop_there_again() -> None:
    armed = Breakpoint("b", when="before", kinds=("tool.called",))
    first = Run(armed)
    drafted = Event("run", UNSEQUENCED, 0, "solver", CALL)
    hit = first.breakpoints.before(drafted)
    assert hit is not None
    first.record(BreakpointHit("b", 0, hit.note, before=True))
    first.record(RunPaused())
    again = Run(armed, log=first.log)
    again.record(RunResumed())
    assert again.happens(CALL) == []
    assert again.happens(CALL) == ["before:b"]


def test_after_an_edit_a_run_taken_up_stops_rather_once_too_often() -> None:
    armed = Breakpoint("b", when="before", kinds=("tool.called",))
    log = [
        Event("run", 0, 0, "supervisor", BreakpointHit("b", 0, before=True)),
        Event("run", 1, 0, "person:ann", EditApplied(0, {}, {})),
    ]
    assert Run(armed, log=log).happens(CALL) == ["before:b"]


def test_drafts_asked_about_together_are_counted_one_by_one() -> None:
    breakpoints = Breakpoints([Breakpoint("b", when="before", kinds=("tool.called",), from_hit=2)])
    drafted = Event("run", UNSEQUENCED, 0, "solver", CALL)
    asked = [breakpoints.before(drafted) is not None for _ in range(3)]
    for seq in range(3):
        breakpoints.feed(Event("run", seq, 0, "solver", CALL))
    assert asked == [False, True, True]
    assert breakpoints.before(drafted) is not None


def test_a_logpoint_leaves_a_note_and_never_stops() -> None:
    breakpoint = Breakpoint(
        "n",
        kinds=("tool.failed",),
        log='{agent} failed {count(kind="tool.failed")} times: {error} {{}} {tokens} {payload}',
    )
    follower = Breakpoints([breakpoint])
    failed = Event("run", 0, 0, "solver", ToolFailed("files", "x" * 500), span=0)
    follower.feed(failed)
    hit = follower.after(failed)
    assert hit is not None and not hit.stop
    assert hit.note.startswith(f'solver failed 1 times: {"x" * 199}… {{}} – {{"kind":')
    assert len(hit.note) < 450


def test_what_fires_at_the_same_place_comes_together_and_what_stops_comes_first() -> None:
    follower = Breakpoints(
        [
            Breakpoint("note", log="{tool}"),
            Breakpoint("stop", kinds=("tool.failed",), agents=("solver",), tools=("calculator",)),
            Breakpoint("own words", note="Look here."),
        ]
    )
    failed = Event("run", 0, 0, "solver", FAILED, span=0)
    follower.feed(failed)
    assert follower.after(failed) == Hit(
        "stop",
        "after tool.failed of solver with calculator",
        True,
        (Hit("own words", "Look here.", True), Hit("note", "calculator", False)),
    )
    assert follower.after(failed) is None


def test_stop_on_error_stops_at_errors_and_not_at_retries() -> None:
    run = Run(Breakpoint("b", stop_on="error"))
    assert run.all([CALL, FAILED, ToolReturned("calculator", "1")]) == [0, 1, 0]


def test_stop_on_conflict_stops_at_conflicts() -> None:
    run = Run(Breakpoint("b", stop_on="conflict"))
    assert run.all([ConflictDetected("x", ()), FAILED]) == [1, 0]


@pytest.mark.parametrize("when", ["before", "after"])
def test_stop_on_loop_stops_at_the_third_equal_call(when: Any) -> None:
    run = Run(Breakpoint("b", when=when, stop_on="loop", kinds=("tool.called",)))
    other = ToolCalled("calculator", {"expression": "1/1"})
    assert run.all([CALL, FAILED, CALL, other, FAILED, CALL, other]) == [0, 0, 0, 0, 0, 1, 0]


def test_stop_on_loop_stops_when_an_agent_says_the_same_for_the_third_time() -> None:
    run = Run(Breakpoint("b", stop_on="loop"))
    said = MessageSent("Answer: 7", "answer")
    assert run.all([said, said, said]) == [0, 0, 1]
    assert run.happens(said, "verifier") == []
    assert run.all([LlmResponded("I think.")] * 3) == [0, 0, 1]


def test_the_same_question_to_three_verifiers_is_no_loop() -> None:
    run = Run(Breakpoint("b", stop_on="loop"))
    for verifier in ("a", "b", "c"):
        assert run.happens(MessageSent("Check it.", "verify"), recipients=(verifier,)) == []


def test_nothing_stops_after_what_happens_to_the_run_as_a_whole() -> None:
    run = Run(Breakpoint("all"))
    for payload in (RunPaused(), RunResumed(), BreakpointHit("x", 1), RunFailed("over")):
        assert run.happens(payload, "supervisor") == []


def test_limits_come_from_the_log_where_they_are_not_given() -> None:
    condition = "budget.steps_left == 7"
    created = RunCreated("team", "?", limits=Limits(steps=7))
    own = Run(Breakpoint("b", condition=condition))
    own.record(created)
    assert own.happens(FAILED) == ["after:b"]
    given = Run(Breakpoint("b", condition=condition), limits=Limits(steps=8))
    given.record(created)
    assert given.happens(FAILED) == []


def test_a_run_can_stop_before_it_ends() -> None:
    breakpoints = Breakpoints([Breakpoint("b", when="before", kinds=("run.*",))])
    finished = Event("run", UNSEQUENCED, 0, "supervisor", RunFinished("42"))
    assert breakpoints.before(finished) is not None
    assert breakpoints.before(Event("run", UNSEQUENCED, 0, "supervisor", RunPaused())) is None


@given(st.lists(st.sampled_from([CALL, FAILED, MessageSent("x", "task")]), max_size=20))
def test_the_same_log_gives_the_same_hits(payloads: list[AnyPayload]) -> None:
    armed = (
        Breakpoint("a", when="before", condition="repeats >= 1", every=2),
        Breakpoint("b", stop_on="loop"),
        Breakpoint("c", condition='count(kind="tool.failed") > 1', log="{steps}"),
    )
    first, second = Run(*armed), Run(*armed)
    first.all(payloads)
    second.all(payloads)
    assert first.log == second.log


# -- reading and checking ------------------------------------------------------------------------


def test_breakpoints_are_read_from_plain_data_and_written_back() -> None:
    plain = [{"id": "b", "kinds": ["tool.*"], "condition": "steps > 3", "when": "before"}]
    found = read_breakpoints(plain)
    assert found == [Breakpoint("b", when="before", kinds=("tool.*",), condition="steps > 3")]
    assert msgspec.convert(msgspec.to_builtins(found), list[Breakpoint]) == found


@pytest.mark.parametrize(
    ("plain", "why"),
    [
        ([{"kinds": ["x"]}], "missing required field `id`"),
        ([{"id": ""}], "has no id"),
        ([{"id": "a"}, {"id": "a"}], "two breakpoints with the id 'a'"),
        ([{"id": "a", "when": "during"}], "Invalid enum value 'during'"),
        ([{"id": "a", "condition": "tol == 1"}], "there is no field 'tol'. Did you mean 'tool'?"),
        ([{"id": "a", "log": "{tol}"}], "character 1: there is no field 'tol'"),
        ([{"id": "a", "log": "x } y"}], "character 3: '}' stands alone"),
        ([{"id": "a", "log": '{tool == "x"}'}], "expected a field or count"),
        ([{"id": "a", "from_hit": 0}], "from_hit is 0. Use 1 or more."),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(plain: list[Any], why: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_breakpoints(plain)
    assert why in str(caught.value)


STEPS = TeamSteps(frozenset({"solver", "verifier"}), frozenset({"calculator"}))


@pytest.mark.parametrize(
    ("breakpoint", "where", "message"),
    [
        (Breakpoint("b", kinds=("tool.faild",)), "kinds[0]", "Did you mean 'tool.failed'?"),
        (Breakpoint("b", kinds=("x.*",)), "kinds[0]", "There is no kind 'x.*'."),
        (Breakpoint("b", when="before", kinds=("tool.returned",)), "kinds[0]", "Use `after`."),
        (Breakpoint("b", kinds=("run.failed",)), "kinds[0]", "happens to the run as a whole"),
        (Breakpoint("b", when="before", stop_on="error"), "when", "Use `after`."),
        (Breakpoint("b", condition="steps >"), "condition", "found the end"),
        (Breakpoint("b", log="{"), "log", "stands alone"),
        (Breakpoint("b", every=0), "every", "every is 0"),
    ],
)
def test_what_can_never_fire_is_a_problem(breakpoint: Breakpoint, where: str, message: str) -> None:
    (problem,) = check_breakpoint(breakpoint, STEPS)
    assert problem.where == where
    assert message in problem.message
    assert not problem.unbound


def test_a_sound_breakpoint_has_no_problem() -> None:
    sound = Breakpoint(
        "b",
        when="before",
        kinds=("tool.called", "run.finished"),
        agents=("solver", "supervisor", "person:ann"),
        tools=("calculator",),
        condition='agent == "verifier"',
    )
    assert check_breakpoint(sound, STEPS) == []
    assert unbound(sound, STEPS) == []


def test_a_breakpoint_whose_agent_or_tool_is_gone_is_unbound_until_it_comes_back() -> None:
    breakpoint = Breakpoint(
        "b", agents=("solver", "planer"), tools=("files",), condition='agent == "planer"'
    )
    assert unbound(breakpoint, STEPS) == ["planer", "files"]
    problems = check_breakpoint(breakpoint, STEPS)
    assert [problem.where for problem in problems] == ["agents[1]", "tools[0]", "condition"]
    assert all(problem.unbound for problem in problems)
    with_planer = TeamSteps(STEPS.agents | {"planer"}, frozenset({"files"}))
    assert unbound(breakpoint, with_planer) == []


def test_a_near_match_of_a_missing_agent_is_named() -> None:
    assert check_breakpoint(Breakpoint("b", agents=("solvr",)), STEPS) == [
        BreakpointProblem(
            "agents[0]", "The team has no agent 'solvr'. Did you mean 'solver'?", unbound=True
        )
    ]


def test_the_steps_of_a_team_are_known_from_its_nodes_and_from_its_definition() -> None:
    tools = frozenset({"calculator", "logic_check"})
    assert steps_of_nodes(nodes(PAIR)) == TeamSteps(
        frozenset({"solver", "verifier", "team"}), tools
    )
    assert steps_of_definition(PAIR) == TeamSteps(frozenset({"solver", "verifier"}), tools)
    by_role = {"agents": [{"name": "coder", "role": "coder"}, {"name": "plain"}]}
    assert steps_of_definition(by_role).tools is None
    assert steps_of_definition(by_role, {"coder": ["files"]}).tools == frozenset({"files"})
    assert unbound(Breakpoint("b", tools=("anything",)), steps_of_definition(by_role)) == []
