"""What the Redis bus promises when processes, servers and holders come and go."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from aworld.bus import redis_wire as wire
from aworld.bus.redis import RedisBus
from aworld.errors import BusError
from aworld.events.conversation import MessageSent
from aworld.events.envelope import Clock
from aworld.events.union import Event, draft
from tests.contracts.buses import PATIENCE_S, journal_history, redis_place, take, texts
from tests.servers import Server, valkey


def say(run_id: str, text: str, *to: str) -> Event:
    return draft(run_id, "ann", MessageSent(text), recipients=to)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A Valkey that the test may kill."""
    made = valkey(tmp_path)
    made.start()
    yield made
    made.stop()


def url_of(server: Server) -> str:
    return f"redis://127.0.0.1:{server.port}/0"


async def test_a_node_in_a_second_process_converses_with_the_holder(valkey_url: str) -> None:
    async with redis_place(valkey_url) as place:
        ann = place.bus.subscribe("ann")
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.contracts.remote_speaker", place.run_id, valkey_url,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        assert texts(await take(ann, 1)) == ["here"]
        for n in range(20):
            question = await place.bus.publish(place.say(f"{n}", "ben"))
            (answer,) = await take(ann, 1)
            assert (texts([answer]), answer.caused_by) == ([f"answer to {n}"], (question.seq,))
        await place.bus.publish(place.say("end", "ben"))
        async with asyncio.timeout(PATIENCE_S):
            assert await process.wait() == 0
        assert [event.seq for event in place.journal] == list(range(42))


async def test_a_killed_server_that_comes_back_costs_no_event_on_either_side(
    server: Server,
) -> None:
    async with redis_place(url_of(server)) as place:
        history = journal_history(place.journal)
        remote = await RedisBus.join(place.run_id, url_of(server), history=history)
        listener = remote.subscribe("ben", everything=True, buffer=64)
        halfway = asyncio.Event()

        async def speak_here() -> None:
            for n in range(600):
                await place.bus.publish(place.say(f"here {n}"))
                if n == 100:
                    halfway.set()
                if n == 300:
                    await down.wait()
                await asyncio.sleep(0)

        async def speak_there() -> None:
            for n in range(60):
                await remote.publish(place.say(f"there {n}"))

        down = asyncio.Event()
        speaking = asyncio.gather(speak_here(), speak_there())
        await halfway.wait()
        server.kill()
        down.set()
        # The holder goes on while Redis is away.
        assert (await place.bus.publish(place.say("meanwhile"))).seq > 100
        await asyncio.to_thread(server.start)
        async with asyncio.timeout(PATIENCE_S):
            await speaking
        got = await take(listener, 661)
        assert got == place.journal
        there = [text for text in texts(got) if text.startswith("there")]
        assert there == [f"there {n}" for n in range(60)]
        await remote.close()


async def test_a_server_that_lost_everything_gets_it_again(server: Server, tmp_path: Path) -> None:
    async with redis_place(url_of(server)) as place:
        remote = await RedisBus.join(place.run_id, url_of(server))
        listener = remote.subscribe("ben")
        await remote.publish(place.say("before"))
        server.kill()
        for file in (tmp_path / "appendonlydir").iterdir():
            file.unlink()
        await place.bus.publish(place.say("meanwhile"))
        await asyncio.to_thread(server.start)
        async with asyncio.timeout(PATIENCE_S):
            await remote.publish(place.say("after"))
        assert texts(await take(listener, 3)) == ["before", "meanwhile", "after"]
        await remote.close()


async def test_a_new_lease_shuts_the_old_holder_out_and_remote_nodes_go_on(
    valkey_url: str,
) -> None:
    run_id, stored = uuid.uuid4().hex, list[Event]()
    history = journal_history(stored)
    old = RedisBus(run_id, valkey_url, clock=Clock(), epoch=1)
    remote = await RedisBus.join(run_id, valkey_url, history=history)
    listener = remote.subscribe("ben")
    stored.append(await remote.publish(say(run_id, "one")))
    new = RedisBus(
        run_id, valkey_url, clock=Clock(), epoch=2, journal=stored.append, next_seq=1,
        history=history,
    )  # fmt: skip
    await new.ready()
    assert texts([await remote.publish(say(run_id, "two"))]) == ["two"]
    assert texts(await take(listener, 2)) == ["one", "two"]
    # Until it notices, the old holder numbers drafts too; nobody gets to see its events.
    with contextlib.suppress(BusError):
        await old.publish(say(run_id, "of the dead"))
    with pytest.raises(BusError, match="held under epoch 2"):
        await old.close()
    assert texts([await remote.publish(say(run_id, "three"))]) == ["three"]
    assert texts(await take(listener, 1)) == ["three"]
    assert texts(stored) == ["one", "two", "three"]
    for bus in (remote, new):
        await bus.close()


async def test_a_node_that_saw_events_a_dead_holder_never_stored_is_told_to_join_again(
    valkey_url: str,
) -> None:
    run_id = uuid.uuid4().hex
    old = RedisBus(run_id, valkey_url, clock=Clock(), epoch=1)
    remote = await RedisBus.join(run_id, valkey_url)
    listener = remote.subscribe("ben")
    for n in range(3):
        await remote.publish(say(run_id, f"{n}"))
    new = RedisBus(run_id, valkey_url, clock=Clock(), epoch=2, next_seq=1, history=lambda _: [])
    await new.ready()
    with pytest.raises(BusError, match="taken up again from event 1.*join again with after=0"):
        await remote.publish(say(run_id, "3"))
    assert texts(await take(listener, 3)) == ["0", "1", "2"]
    with pytest.raises(BusError, match="closed"):
        await listener.get()
    await remote.close()
    with contextlib.suppress(BusError):
        old.publish_nowait(say(run_id, "of the dead"))
    with pytest.raises(BusError, match="held under epoch 2"):
        await old.close()
    await new.close()


async def test_a_draft_that_a_dead_holder_stored_without_an_answer_becomes_one_event(
    valkey_url: str,
) -> None:
    run_id, client = uuid.uuid4().hex, Redis.from_url(valkey_url)
    wanted = say(run_id, "only once", "ben")
    # The holder of epoch 1 opened the stream, took the draft, wrote the store, and died.
    keys = wire.keys(run_id)
    opening = wire.pack_batch(0, [], [])
    await client.xadd(keys.events, {"s": opening["s"], "e": opening["e"]}, id=wire.batch_id(1, -1))
    drafts = wire.pack_drafts([("p:7", wanted), ("p:8", wanted)])
    await client.xadd(keys.incoming, {"d": drafts["d"]})
    stored = [draft(run_id, "ann", MessageSent("first")), say(run_id, "only once", "ben")]
    stored = [
        Event(**{**{f: getattr(e, f) for f in e.__struct_fields__}, "seq": n, "at": 5})
        for n, e in enumerate(stored)
    ]
    history = journal_history(stored)
    new = RedisBus(
        run_id, valkey_url, clock=Clock(), epoch=2, journal=stored.append, next_seq=2,
        history=history,
    )  # fmt: skip
    remote = await RedisBus.join(run_id, valkey_url, history=history)
    async with asyncio.timeout(PATIENCE_S):
        again = await remote.publish(wanted, producer="p", counter=7)
        other = await remote.publish(wanted, producer="p", counter=8)
    assert (again.seq, other.seq) == (1, 2)
    assert texts(stored) == ["first", "only once", "only once"]
    for bus in (remote, new):
        await bus.close()
    await client.aclose()


async def test_what_the_store_holds_leaves_redis(valkey_url: str) -> None:
    client = Redis.from_url(valkey_url)
    async with redis_place(valkey_url) as place:
        remote = await RedisBus.join(place.run_id, valkey_url)
        keys = wire.keys(place.run_id)
        for n in range(20):
            await asyncio.gather(*(remote.publish(place.say(f"{n}" * 100)) for _ in range(100)))
        full = await client.memory_usage(keys.events)
        place.holder.trim(1999)
        last = await remote.publish(place.say("last"))
        place.holder.trim(last.seq)
        await place.holder.close()
        assert await client.xlen(keys.incoming) == 0
        assert (await client.memory_usage(keys.events) or 0) < (full or 0) / 10
        assert 0 < await client.ttl(keys.events) <= wire.KEEP_CLOSED_S
        await remote.close()
    await client.aclose()


async def test_publishers_wait_while_neither_redis_nor_the_store_takes_events(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aworld.bus.redis.UNSENT_EVENTS", 10)
    async with redis_place(url_of(server)) as place:
        remote = await RedisBus.join(place.run_id, url_of(server))
        server.kill()
        for n in range(10):
            await place.bus.publish(place.say(f"{n}"))
        waiting = asyncio.create_task(place.bus.publish(place.say("waits")))
        await asyncio.sleep(0)
        with pytest.raises(BusError, match="wait for Redis and the store"):
            place.holder.publish_nowait(place.say("at once"))
        assert not waiting.done()
        place.holder.trim(4)
        async with asyncio.timeout(PATIENCE_S):
            assert (await waiting).seq == 10
        await asyncio.to_thread(server.start)
        await remote.close()


async def test_joining_a_run_that_nobody_holds_says_so(valkey_url: str) -> None:
    with pytest.raises(BusError, match="nobody holds run 'nowhere'"):
        await RedisBus.join("nowhere", valkey_url, timeout_s=0.2)


async def test_a_url_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(BusError, match="'localhost:6379' is not a Redis URL"):
        RedisBus("r", "localhost:6379", clock=Clock())
