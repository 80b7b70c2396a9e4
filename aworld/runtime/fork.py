"""Forking: a new run that shares its parent's first steps, changed, and goes on by itself.

The prefix is referred to, not copied, and not paid for again. For everything after it each tool,
and the model, has a policy:

    live          it is really called
    replay        the parent's outcome of the very same request is taken; without one it fails
    mock:TEXT     it is not called, TEXT is its result
    ask           a person decides each time

A stale answer cannot leak in: the parent's outcomes are found by what was asked (agent, tool and
arguments, or the hash of the whole prompt), never by position alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.action import ToolCalled
from aworld.events.control import BreakpointHit, ForkCreated
from aworld.events.envelope import Clock
from aworld.events.model import LlmRequested
from aworld.events.run import RunResumed
from aworld.events.traits import TERMINAL
from aworld.events.union import AnyPayload, Event
from aworld.runtime.editing import check_edits, make_edit
from aworld.runtime.launch import new_run_id
from aworld.runtime.machine import SUPERVISOR
from aworld.runtime.node import ENVIRONMENT, AnyNode
from aworld.runtime.recovery import read_log
from aworld.storage.base import RunRecord, Store

MODEL = "model"
"""The policies' name for model calls."""
ANY = "*"
"""The policies' name for every tool that is not named."""
WORDS = ("live", "replay", "ask")
MOCK = "mock:"


class PlannedEffect(NamedTuple):
    """One of the parent's effects behind the fork, and what the fork would do with its like."""

    seq: int
    actor: str
    what: str
    """`model`, or the tool's name."""
    request: Any
    """The tool's arguments; the prompt's hash for a model."""
    policy: str


def fork_run(
    store: Store,
    parent_id: str,
    at: int,
    *,
    nodes: Sequence[AnyNode],
    edits: Mapping[int, dict[str, Any]] | None = None,
    policies: Mapping[str, str] | None = None,
    by: str = "",
    queued: bool = True,
) -> RunRecord:
    """Make a fork behind step `at`; it waits in the queue, or parked with `queued=False`.

    `nodes` are fresh ones of the parent's team. `edits`: seq to the fields that change.

    Raises:
        ConfigurationError: the step does not exist or is the parent's end, a policy is unknown, or
            an edit does not fit.
        AWorldError: an edited event was acted on before `at`.
    """
    parent = store.get_run(parent_id)
    chosen = check_policies(policies or {})
    prefix = [event for event in read_log(store, parent_id) if event.seq <= at]
    check_step(parent, prefix, at)
    changes = [make_edit(prefix, seq, after, nodes) for seq, after in (edits or {}).items()]
    if changes:
        check_edits(prefix, changes, nodes)
    record = store.create_run(_record_of(parent, at, _waiting(prefix)))
    payloads: list[AnyPayload] = [ForkCreated(parent_id, at, chosen)]
    payloads += [msgspec.structs.replace(change, by=by) for change in changes]
    if _paused(prefix):
        payloads.append(RunResumed(by=by))
    clock = Clock(not_before=prefix[-1].at)
    events = [
        Event(record.run_id, at + 1 + i, clock.now(), SUPERVISOR, payload)
        for i, payload in enumerate(payloads)
    ]
    store.append(record.run_id, record.epoch, events)
    store.set_run(record.run_id, status="queued" if queued else "parked")
    return store.get_run(record.run_id)


def check_policies(policies: Mapping[str, str]) -> dict[str, str]:
    """The policies, each a known word.

    Raises:
        ConfigurationError: one is not.
    """
    for name, word in policies.items():
        if word not in WORDS and not word.startswith(MOCK):
            raise ConfigurationError(
                f"{word!r} is no policy for {name!r}. Policies are: {', '.join(WORDS)}, mock:TEXT."
            )
        if name == MODEL and word.startswith(MOCK):
            raise ConfigurationError("A model cannot be mocked; answer in its place instead.")
    return dict(policies)


def policy_of(policies: Mapping[str, str], name: str) -> str:
    """The policy of a tool, or of `model`; live where none is given."""
    if name == MODEL:
        return policies.get(MODEL, "live")
    return policies.get(name, policies.get(ANY, "live"))


def policy_of_call(policies: Mapping[str, str], called: Event) -> str:
    """The policy of a tool's call. An environment's action is live unless it is named itself: a
    fork's world stays true only where it is acted on."""
    assert isinstance(called.payload, ToolCalled)
    if ENVIRONMENT in called.recipients:
        return policies.get(called.payload.tool, "live")
    return policy_of(policies, called.payload.tool)


def plan(events: Sequence[Event], at: int, policies: Mapping[str, str]) -> list[PlannedEffect]:
    """What the parent did behind step `at`, and what the fork would do with each of its like."""
    planned: list[PlannedEffect] = []
    for event in events:
        payload = event.payload
        if event.seq <= at:
            continue
        if isinstance(payload, LlmRequested):
            policy = policy_of(policies, MODEL)
            planned.append(
                PlannedEffect(event.seq, event.actor, MODEL, payload.request_hash, policy)
            )
        elif isinstance(payload, ToolCalled):
            policy = policy_of_call(policies, event)
            planned.append(
                PlannedEffect(event.seq, event.actor, payload.tool, payload.arguments, policy)
            )
    return planned


def check_step(parent: RunRecord, prefix: Sequence[Event], at: int) -> None:
    """Whether a run can be forked behind step `at`; `prefix` is its log up to there.

    Raises:
        ConfigurationError: it has no such step, or ends there.
    """
    if not prefix or prefix[-1].seq != at:
        raise ConfigurationError(
            f"Run {parent.run_id!r} has no step {at}; its steps are 0 to {parent.last_seq}."
        )
    if any(event.kind in TERMINAL for event in prefix):
        raise ConfigurationError(
            f"Step {at} of run {parent.run_id!r} is its end; fork at an earlier step."
        )


def _waiting(prefix: Sequence[Event]) -> int:
    """How many questions of the prefix nobody has answered."""
    kinds = [event.kind for event in prefix]
    return kinds.count("person.asked") - kinds.count("person.answered")


def _record_of(parent: RunRecord, at: int, questions: int) -> RunRecord:
    return RunRecord(
        run_id=new_run_id(),
        project_id=parent.project_id,
        team_name=parent.team_name,
        team=parent.team,
        input=parent.input,
        task_id=parent.task_id,
        attempt=parent.attempt,
        seed=parent.seed,
        source="fork",
        tags=parent.tags,
        environment=parent.environment,
        questions=questions,
        parent_run_id=parent.run_id,
        parent_seq=at,
        status="parked",
        created_at=Clock().now(),
    )


def _paused(prefix: Sequence[Event]) -> bool:
    paused = False
    for event in prefix:
        if event.kind == "run.paused" or _stops(event.payload):
            paused = True
        elif event.kind == "run.resumed":
            paused = False
    return paused


def _stops(payload: AnyPayload) -> bool:
    return isinstance(payload, BreakpointHit) and payload.stop
