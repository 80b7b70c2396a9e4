"""Whatever joins, leaves and is said in whatever order: each listener gets its events, once, in
order."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from aworld.bus.memory import MemoryBus
from aworld.bus.mirror import Mirror
from aworld.bus.subscription import BufferedSubscription
from aworld.events.conversation import MessageSent
from aworld.events.envelope import Clock
from aworld.events.union import Event, draft
from tests.contracts.buses import PATIENCE_S

NAMES = ["ann", "ben", "cleo"]
TOPICS = ["", "news", "gossip"]


class Say(NamedTuple):
    to: tuple[str, ...]
    topic: str


class Join(NamedTuple):
    name: str
    topics: frozenset[str]
    everything: bool
    back: int | None
    """How far before the newest event it begins; below 0 behind it; None: now."""
    buffer: int


class Take(NamedTuple):
    who: int
    events: int


class Leave(NamedTuple):
    who: int


class Trim(NamedTuple):
    pass


STEPS = st.lists(
    st.one_of(
        st.builds(
            Say,
            st.lists(st.sampled_from(NAMES), max_size=2, unique=True).map(tuple),
            st.sampled_from(TOPICS),
        ),
        st.builds(
            Join,
            st.sampled_from(NAMES),
            st.frozensets(st.sampled_from(TOPICS[1:])),
            st.booleans(),
            st.none() | st.integers(-3, 30),
            st.integers(1, 4),
        ),
        st.builds(Take, st.integers(0, 5), st.integers(1, 5)),
        st.builds(Leave, st.integers(0, 5)),
        st.builds(Trim),
    ),
    max_size=60,
)


class Listener:
    """A subscription and what it must see."""

    def __init__(self, listener: BufferedSubscription, join: Join, start: int) -> None:
        self.listener, self.join, self.start = listener, join, start
        self.got: list[Event] = []

    def due(self, log: list[Event]) -> list[Event]:
        return [event for event in log[max(self.start, 0) :] if self.wants(event)]

    def wants(self, event: Event) -> bool:
        broadcast = not event.recipients and not event.topic
        named = self.join.name in event.recipients or event.topic in self.join.topics
        return self.join.everything or broadcast or named


Step = Say | Join | Take | Leave | Trim


class World:
    """A bus, its log, and who listens. A mirror is fed what a memory bus numbered."""

    def __init__(self, mirrored: bool) -> None:
        self.log: list[Event] = []
        self.source = MemoryBus("r", clock=Clock(), journal=self.log.append)
        self.mirror = Mirror("r", self.fetch, next_seq=0)
        self.mirrored = mirrored
        self.listeners: list[Listener] = []

    async def fetch(self, after: int) -> list[Event]:
        return self.log[after + 1 : after + 4]

    async def drain(self, one: Listener, count: int) -> None:
        due = one.due(self.log)
        async with asyncio.timeout(PATIENCE_S):
            for _ in range(min(count, len(due) - len(one.got))):
                one.got.append(await one.listener.get())
        assert one.got == due[: len(one.got)]

    async def say(self, step: Say) -> None:
        wanted = draft("r", "ann", MessageSent("x"), recipients=step.to, topic=step.topic)
        if not self.mirrored:
            for one in self.listeners:  # Make room, or publish would rightly wait.
                if one.wants(wanted):
                    await self.drain(one, len(self.log))
        self.mirror.accept([self.source.publish_nowait(wanted)])

    def join(self, join: Join) -> None:
        bus = self.mirror if self.mirrored else self.source
        start = len(self.log) if join.back is None else max(len(self.log) - join.back, 0)
        after = None if join.back is None else start - 1
        made = bus.subscribe(
            join.name,
            topics=join.topics,
            everything=join.everything,
            after=after,
            buffer=join.buffer,
        )
        self.listeners.append(Listener(made, join, start))

    async def play(self, step: Step) -> None:
        match step:
            case Say():
                await self.say(step)
            case Join():
                self.join(step)
            case Take(who, count) if who < len(self.listeners):
                await self.drain(self.listeners[who], count)
            case Leave(who) if who < len(self.listeners):
                self.listeners.pop(who).listener.close()
            case Trim():
                self.mirror.jump(len(self.log))


async def play(steps: list[Step], mirrored: bool) -> None:
    """Play the steps; in the end everyone has all that was meant for them."""
    world = World(mirrored)
    for step in steps:
        await world.play(step)
    for one in world.listeners:
        await world.drain(one, len(world.log))
        assert one.got == one.due(world.log)


@settings(max_examples=150, deadline=None)
@given(STEPS, st.booleans())
def test_each_listener_gets_exactly_what_is_meant_for_it(steps: list[Step], mirrored: bool) -> None:
    asyncio.run(play(steps, mirrored))
