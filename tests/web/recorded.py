"""Short runs as events, for pages to show."""

from __future__ import annotations

from typing import Any

from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import NodeJoined, RunFailed, RunFinished, RunStarted
from aworld.events.union import AnyPayload, Event
from aworld.runtime.launch import create_run
from aworld.storage.base import RunRecord, Store

CALCULATOR = {"name": "calculator", "description": "Calculates.", "parameters": {"type": "object"}}
TEAM = {
    "name": "arithmetic",
    "agents": [{"name": "solver", "role": "solver", "model": "local", "tools": ["calculator"]}],
}


def started(store: Store, run_id: str) -> None:
    """Let a worker hold the run and begin it."""
    lease = store.claim("worker:1", ttl_s=60, run_id=run_id)
    assert lease is not None
    first = store.read(run_id)[-1]
    begun = Event(
        run_id=run_id,
        seq=first.seq + 1,
        at=first.at + 1000,
        actor="supervisor",
        payload=RunStarted(worker="worker:1", epoch=lease.epoch),
    )
    store.append(run_id, lease.epoch, [begun])


def append(store: Store, run_id: str, *said: tuple[str, AnyPayload, dict[str, Any]]) -> None:
    """Append payloads to a run under a lease of its own: (actor, payload, fields of the event)."""
    lease = store.claim("test", ttl_s=60, run_id=run_id)
    assert lease is not None
    record = store.get_run(run_id)
    last = store.read(run_id, after=record.last_seq - 1)[-1]
    events = [
        Event(
            run_id=run_id,
            seq=last.seq + number,
            at=last.at + 1000 * number,
            actor=actor,
            payload=payload,
            **fields,
        )
        for number, (actor, payload, fields) in enumerate(said, 1)
    ]
    store.append(run_id, lease.epoch, events)
    store.release(lease)


def queued_run(store: Store, question: str = "How much is 2 plus 3?") -> RunRecord:
    """A run that waits."""
    return create_run(store, team=dict(TEAM), input=question, source="script")


def finished_run(store: Store, question: str = "How much is 2 plus 3?") -> RunRecord:
    """A run of one agent that calls its calculator once: 9 events."""
    run = queued_run(store, question)
    call = {"id": "c1", "name": "calculator", "arguments": {"expression": "2+3"}}
    append(
        store,
        run.run_id,
        ("supervisor", RunStarted(worker="test"), {}),
        (
            "solver",
            NodeJoined(
                node_type="agent",
                role="solver",
                instructions="You solve questions.",
                model="local",
                tools=(CALCULATOR,),
            ),
            {},
        ),
        ("person", MessageSent(content=question, purpose="task"), {}),
        ("solver", LlmRequested(model="local", context=(2, 3), request_hash="0" * 32), {"span": 4}),
        (
            "solver",
            LlmResponded(text="", tool_calls=(call,), input_tokens=40, output_tokens=9),
            {"span": 4},
        ),
        (
            "solver",
            ToolCalled(
                tool="calculator", arguments={"expression": "2+3"}, call_id="c1", effect="read_only"
            ),
            {"span": 6},
        ),
        ("solver", ToolReturned(tool="calculator", text="5", call_id="c1"), {"span": 6}),
        ("supervisor", RunFinished(answer="5", verified=True), {}),
    )
    return store.get_run(run.run_id)


def failed_run(store: Store, question: str = "How much is 1 divided by 0?") -> RunRecord:
    """A run whose tool fails: 5 events."""
    run = queued_run(store, question)
    append(
        store,
        run.run_id,
        ("supervisor", RunStarted(worker="test"), {}),
        (
            "solver",
            ToolCalled(
                tool="calculator", arguments={"expression": "1/0"}, call_id="c1", effect="read_only"
            ),
            {"span": 2},
        ),
        (
            "solver",
            ToolFailed(tool="calculator", error="Division by zero.", call_id="c1"),
            {"span": 2},
        ),
        ("supervisor", RunFailed(error="No answer.", outcome="no_answer"), {}),
    )
    return store.get_run(run.run_id)
