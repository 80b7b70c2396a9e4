"""What every bus promises, wherever its nodes live."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from aworld.errors import BusError
from aworld.events.envelope import OWN_SPAN
from tests.contracts.buses import PATIENCE_S, PLACES, Place, drain, take, texts


@pytest.fixture(params=PLACES)
async def place(request: pytest.FixtureRequest, valkey_url: str) -> AsyncIterator[Place]:
    async with PLACES[request.param](valkey_url) as made:
        yield made


async def test_publish_numbers_densely_and_stamps_times_that_never_run_backwards(
    place: Place,
) -> None:
    published = [await place.bus.publish(place.say(f"{n}")) for n in range(20)]
    assert [event.seq for event in published] == list(range(20))
    times = [event.at for event in published]
    assert times == sorted(times) and times[0] > 1_700_000_000_000_000
    assert place.journal == published
    assert place.bus.last_seq == 19


async def test_listeners_get_the_events_published_meanwhile_once_and_in_order(
    place: Place,
) -> None:
    listeners = [place.bus.subscribe(name) for name in ("ben", "cleo")]

    async def speak(actor: str) -> None:
        for n in range(50):
            await place.bus.publish(place.say(f"{actor} {n}", actor=actor))

    await asyncio.gather(*(speak(actor) for actor in ("ann", "dora", "emil")))
    for listener in listeners:
        got = await take(listener, 150)
        assert got == place.journal
        for actor in ("ann", "dora", "emil"):
            own = [event for event in got if event.actor == actor]
            assert texts(own) == [f"{actor} {n}" for n in range(50)]


async def test_events_reach_named_recipients_topics_and_everyone_as_addressed(
    place: Place,
) -> None:
    ben = place.bus.subscribe("ben")
    cleo = place.bus.subscribe("cleo", topics=["news"])
    log = place.bus.subscribe("log", everything=True)
    for message in (
        place.say("to ben", "ben"),
        place.say("to both", "ben", "cleo"),
        place.say("news", topic="news"),
        place.say("news, ben too", "ben", topic="news"),
        place.say("other topic", topic="gossip"),
        place.say("to nobody here", "zoe"),
        place.say("to all"),
    ):
        await place.bus.publish(message)
    assert texts(await take(ben, 4)) == ["to ben", "to both", "news, ben too", "to all"]
    assert texts(await take(cleo, 4)) == ["to both", "news", "news, ben too", "to all"]
    assert await take(log, 7) == place.journal


async def test_the_same_producer_and_counter_twice_is_one_event(place: Place) -> None:
    first, second = await asyncio.gather(
        place.bus.publish(place.say("once"), producer="p", counter=1),
        place.bus.publish(place.say("once"), producer="p", counter=1),
    )
    third = await place.bus.publish(place.say("once"), producer="p", counter=1)
    other = await place.bus.publish(place.say("other"), producer="q", counter=1)
    assert first == second == third
    assert other.seq == 1
    assert texts(place.journal) == ["once", "other"]


async def test_an_event_published_again_becomes_a_new_event_and_keeps_its_first_number(
    place: Place,
) -> None:
    first = await place.bus.publish(place.say("hello", span=OWN_SPAN))
    again = await place.bus.publish(first)
    assert (first.seq, first.span, again.seq, again.span) == (0, 0, 1, 1)


async def test_joining_with_after_gives_the_journal_and_then_live_events_without_a_gap(
    place: Place,
) -> None:
    halfway = asyncio.Event()

    async def speak() -> None:
        for n in range(400):
            await place.bus.publish(place.say(f"{n}", "ben"))
            if n == 200:
                halfway.set()
            await asyncio.sleep(0)

    speaking = asyncio.create_task(speak())
    await halfway.wait()
    late = place.bus.subscribe("ben", after=9, buffer=16)
    got = await take(late, 390)
    await speaking
    assert [event.seq for event in got] == list(range(10, 400))


async def test_joining_after_an_event_that_is_not_there_yet_starts_behind_it(
    place: Place,
) -> None:
    early = place.bus.subscribe("ben", after=2)
    for n in range(5):
        await place.bus.publish(place.say(f"{n}"))
    assert texts(await take(early, 2)) == ["3", "4"]


async def test_late_joiners_read_what_memory_and_stream_forgot_from_the_store(
    place: Place,
) -> None:
    for n in range(5000):
        await place.holder.publish(place.say(f"{n}"))
        if n % 500 == 499:
            place.holder.trim(n)
    got = await take(place.bus.subscribe("ben", after=-1), 5000)
    assert [event.seq for event in got] == list(range(5000))


async def test_a_listener_that_left_gets_nothing_and_others_go_on(place: Place) -> None:
    ben, cleo = place.bus.subscribe("ben"), place.bus.subscribe("cleo")
    await place.bus.publish(place.say("before"))
    assert texts(await take(ben, 1)) == ["before"]
    ben.close()
    await place.bus.publish(place.say("after"))
    assert texts(await take(cleo, 2)) == ["before", "after"]
    with pytest.raises(BusError, match="'ben'.*closed"):
        await ben.get()


async def test_a_waiting_listener_ends_when_it_is_closed(place: Place) -> None:
    ben = place.bus.subscribe("ben")
    waiting = asyncio.create_task(drain(ben))
    await asyncio.sleep(0)
    ben.close()
    assert await waiting == []


async def test_close_lets_listeners_drain_and_refuses_new_events(place: Place) -> None:
    ben = place.bus.subscribe("ben", buffer=2000)
    for n in range(100):
        await place.bus.publish(place.say(f"{n}"))
    first = await take(ben, 1)
    await place.holder.close()
    assert first + await drain(ben) == place.journal
    for bus in (place.holder, place.bus):
        with pytest.raises(BusError, match="closed"):
            await bus.publish(place.say("too late"))


async def test_a_draft_of_another_run_is_refused(place: Place) -> None:
    from aworld.events.conversation import MessageSent
    from aworld.events.union import draft

    with pytest.raises(BusError, match="'another'"):
        await place.bus.publish(draft("another", "ann", MessageSent("hello")))
    assert place.journal == []


async def test_publish_waits_for_a_slow_listener_of_the_holder_and_goes_on_when_it_reads(
    place: Place,
) -> None:
    slow = place.holder.subscribe("slow", buffer=3)
    published: list[int] = []
    third = asyncio.Event()

    async def speak() -> None:
        for n in range(6):
            published.append((await place.bus.publish(place.say(f"{n}", "slow"))).seq)
            if n == 2:
                third.set()

    speaking = asyncio.create_task(speak())
    async with asyncio.timeout(PATIENCE_S):
        await third.wait()
    # What is not meant for the slow one passes it by, also behind the waiting event.
    aside = await place.holder.publish(place.say("aside", "ben"))
    assert aside.seq == 3 and published == [0, 1, 2]
    with pytest.raises(BusError, match="'slow'.*full"):
        place.holder.publish_nowait(place.say("at once", "slow"))
    got = await take(slow, 6)
    async with asyncio.timeout(PATIENCE_S):
        await speaking
    assert texts(got) == [f"{n}" for n in range(6)]


async def test_a_full_listener_that_leaves_frees_the_waiting_publishers(place: Place) -> None:
    slow = place.holder.subscribe("slow", buffer=1)
    await place.bus.publish(place.say("fills it"))
    waiting = [asyncio.create_task(place.bus.publish(place.say(f"{n}"))) for n in range(3)]
    await asyncio.sleep(0)
    assert len(place.journal) == 1
    slow.close()
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*waiting)
    assert sorted(texts(place.journal)) == ["0", "1", "2", "fills it"]


async def test_closing_the_bus_frees_publishers_that_wait_for_a_full_listener(
    place: Place,
) -> None:
    place.holder.subscribe("slow", buffer=1)
    await place.bus.publish(place.say("fills it"))
    waiting = asyncio.create_task(place.bus.publish(place.say("waits")))
    await asyncio.sleep(0)
    await place.holder.close()
    with pytest.raises(BusError, match="closed"):
        async with asyncio.timeout(PATIENCE_S):
            await waiting
    assert len(place.journal) == 1


async def test_a_publisher_that_gives_up_waiting_publishes_nothing(valkey_url: str) -> None:
    async with PLACES["memory"](valkey_url) as place:
        slow = place.bus.subscribe("slow", buffer=1)
        await place.bus.publish(place.say("fills it"))
        gives_up, stays = (
            asyncio.create_task(place.bus.publish(place.say(text))) for text in ("never", "then")
        )
        await asyncio.sleep(0)
        gives_up.cancel()
        assert texts(await take(slow, 2)) == ["fills it", "then"]
        assert (await stays).seq == 1


async def test_several_tasks_on_one_subscription_share_its_events(place: Place) -> None:
    pool = place.bus.subscribe("pool")
    workers = [asyncio.create_task(take(pool, 10)) for _ in range(3)]
    await asyncio.sleep(0)
    for n in range(30):
        await place.bus.publish(place.say(f"{n}", "pool"))
    shares = await asyncio.gather(*workers)
    assert sorted(event.seq for share in shares for event in share) == list(range(30))


async def test_a_listener_without_history_cannot_join_before_the_buses_first_event() -> None:
    from aworld.bus.memory import MemoryBus
    from aworld.events.envelope import Clock

    bus = MemoryBus("r", clock=Clock(), next_seq=10)
    with pytest.raises(BusError, match="events 0 to 9 are not in memory"):
        bus.subscribe("ben", after=-1)


async def test_a_journal_that_raises_leaves_no_gap() -> None:
    from aworld.bus.memory import MemoryBus
    from aworld.events.conversation import MessageSent
    from aworld.events.envelope import Clock
    from aworld.events.union import Event, draft

    journal: list[Event] = []

    def write(event: Event) -> None:
        if len(journal) == 1 and not broken:
            broken.append(True)
            raise OSError("disk full")
        journal.append(event)

    broken: list[bool] = []
    bus = MemoryBus("r", clock=Clock(), journal=write)
    ben = bus.subscribe("ben")
    wanted = [draft("r", "ann", MessageSent(f"{n}"), span=OWN_SPAN) for n in range(2)]
    bus.publish_nowait(wanted[0])
    with pytest.raises(OSError, match="disk full"):
        bus.publish_nowait(wanted[1])
    assert bus.publish_nowait(wanted[1]).span == 1
    assert texts(await take(ben, 2)) == ["0", "1"]
    assert [event.seq for event in journal] == [0, 1]
