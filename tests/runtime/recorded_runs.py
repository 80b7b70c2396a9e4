"""More than a hundred recorded runs, of every kind that people make."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, NamedTuple

from aworld.agents.build import Built
from aworld.agents.nodes import RecordedTool, recorded_nodes
from aworld.events.union import Event
from aworld.runtime import control
from aworld.runtime.fork import fork_run
from aworld.runtime.node import AnyNode
from aworld.storage.base import RunRecord, Store
from tests.runtime.driven import Driven
from tests.runtime.scenes import ASKER_TOOLS, Scene, asking, scene

PLAIN, HELD, ASKED, FORKS = 60, 24, 12, 24


class Recorded(NamedTuple):
    """A run, and how its team is made again, as it was or with one thing changed."""

    record: RunRecord
    log: list[Event]
    nodes: Callable[..., list[AnyNode]]


async def record_all(store: Store) -> list[Recorded]:
    """Drive them, some at a time."""
    room = asyncio.Semaphore(8)

    async def one(recording: Coroutine[Any, Any, Recorded]) -> Recorded:
        async with room:
            return await recording

    plain = await asyncio.gather(
        *(one(_plain(store, scene(n))) for n in range(PLAIN)),
        *(one(_held(store, scene(n))) for n in range(PLAIN, PLAIN + HELD)),
        *(one(_asked(store, n)) for n in range(ASKED)),
    )
    forked = await asyncio.gather(
        *(one(_forked(store, scene(n), plain[n].record)) for n in range(FORKS))
    )
    grandchildren = await asyncio.gather(
        *(one(_forked(store, scene(n), forked[n].record)) for n in range(FORKS // 4))
    )
    return [*plain, *forked, *grandchildren]


async def _plain(store: Store, made: Scene) -> Recorded:
    driven = Driven.new(store, made.team, made.built)
    await driven.done()
    return recorded(store, driven)


async def _held(store: Store, made: Scene) -> Recorded:
    """Held now and then, stepped, edited, and let go on."""
    chance = random.Random(made.seed)
    when = chance.choice(
        [("after", "tool.returned"), ("before", "tool.called"), ("after", "llm.*")]
    )
    stop = {"id": "b", "when": when[0], "kinds": [when[1]], "every": 2}
    driven = Driven.new(store, made.team, made.built, [stop])
    run = await driven.held()
    while run.status == "paused":
        last = driven.log()
        results = [e for e in last[-4:] if e.kind == "tool.returned"]
        if results and when[1] == "tool.returned":
            nodes = recorded_nodes(store, run)
            edit = {"text": f"edited {chance.random()}"}
            control.edit(store, run.run_id, results[-1].seq, edit, nodes=nodes, by="ann")
        order = control.step if chance.random() < 0.5 else control.resume
        order(store, run.run_id, by="ann")
        driven.bring()
        behind = run.last_seq
        run = await driven.until(partial(_went_on, driven, behind))
    await driven.task
    return recorded(store, driven)


def _went_on(driven: Driven, behind: int, run: RunRecord) -> bool:
    """Whether the run was resumed behind a seq, and is held again."""
    kinds = [event.kind for event in driven.store.read(run.run_id, after=behind)]
    return "run.resumed" in kinds and "run.paused" in kinds[kinds.index("run.resumed") :]


async def _asked(store: Store, number: int) -> Recorded:
    """A scripted person answers what a node asks."""
    team: dict[str, Any] = {"name": "asking", "agents": []}
    driven = Driven.new(store, team, lambda record: asking())
    await _answer_all(driven, f"yes {number}")

    def nodes(**changes: Any) -> list[AnyNode]:
        tools = changes.get("tools", ASKER_TOOLS)
        return asking(changes.get("instructions", "Ask politely."), tools).nodes

    return Recorded(driven.record, driven.log(), nodes)


async def _answer_all(driven: Driven, answer: str, after: int = -1) -> None:
    """A scripted person answers whatever is asked behind a seq, until the run ends."""
    while not driven.ended:
        asked = driven.store.query(driven.run_id, kinds=("person.asked",), after=after)
        for event in asked:
            after = event.seq
            control.answer(driven.store, driven.run_id, after, answer, by="ann")
        await driven.until(partial(_asks, driven, after))
    await driven.task


def _asks(driven: Driven, after: int, run: RunRecord) -> bool:
    return bool(driven.store.query(run.run_id, kinds=("person.asked",), after=after))


async def _forked(store: Store, made: Scene, parent: RunRecord) -> Recorded:
    """Behind any step, some with an edit, some with a person who decides each call."""
    chance = random.Random(made.seed)
    at = chance.randrange(5, parent.last_seq - 1)
    log = store.read(parent.run_id, limit=at + 1)
    edits = {at: {"text": "42"}} if log[at].kind == "tool.returned" else {}
    policies = {"calculator": chance.choice(["live", "replay", "mock:7", "ask"])}
    fork = fork_run(
        store,
        parent.run_id,
        at,
        nodes=recorded_nodes(store, parent),
        edits=edits,
        policies=policies,
    )
    driven = Driven(store, fork, made.built)
    await _answer_all(driven, "call it", after=at)
    return recorded(store, driven)


def recorded(store: Store, driven: Driven) -> Recorded:
    """A run of a team that agents make up."""
    record = driven.record

    def nodes(**changes: Any) -> list[AnyNode]:
        return remade(record, **changes).nodes if changes else recorded_nodes(store, record)

    return Recorded(record, driven.log(), nodes)


def remade(
    record: RunRecord, *, instructions: str = "", tools: list[dict[str, Any]] | None = None
) -> Built:
    """The team with its first agent's prompt, or the tools it is offered, changed."""
    from aworld.agents.build import build_team
    from aworld.agents.nodes import RecordedModel
    from aworld.agents.team import read_team
    from aworld.tools import registry

    first, *rest = record.team["agents"]
    if instructions:
        first = {**first, "instructions": instructions}
    offered = {tool["name"]: RecordedTool(tool) for tool in tools or ()}
    if tools is not None:
        first = {**first, "tools": [tool["name"] for tool in tools]}
    team = read_team({**record.team, "agents": [first, *rest]})
    return build_team(
        team,
        lambda name: RecordedModel("scripted"),
        lambda name: offered[name] if name in offered else registry.get(name),
    )
