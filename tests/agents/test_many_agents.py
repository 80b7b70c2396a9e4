"""A crowd on one bus, and what episodes leave behind: small sizes of two benchmarks."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from aworld.bus.memory import MemoryBus
from aworld.events.envelope import Clock
from benchmarks import leaks, many_agents
from benchmarks.episodes.library import Worker
from benchmarks.episodes.server import serving

MESSAGES = 4_000


@pytest.mark.parametrize("case", [many_agents.in_memory, many_agents.durable])
async def test_each_of_a_hundred_agents_gets_its_messages_in_order_while_others_come_and_go(
    case: many_agents.Case,
) -> None:
    assert await case(MESSAGES) > 0  # raises where a message is lost, doubled or out of order


async def test_a_lost_message_is_found() -> None:
    bus = MemoryBus(many_agents.RUN, clock=Clock())
    crowd = await many_agents.exchange(bus, MESSAGES, lambda: 0)
    crowd.got["agent-7"].pop(1)
    with pytest.raises(RuntimeError, match="agent-7 was sent"):
        crowd.check()


async def test_episodes_leave_no_task_and_no_thread_behind(tmp_path: Path) -> None:
    with serving() as base_url:
        worker = Worker(tmp_path, base_url, at_once=8)
        await worker.run(24)
        before = leaks.held()
        await worker.run(24)
        after = leaks.held()
        await worker.aclose()
    assert after.tasks == before.tasks
    # The pool may still have grown by one; an episode's own thread would be there 24 times.
    assert after.threads <= before.threads + 1
    assert after.files <= before.files + 8  # connections of threads to the store, no more than runs


async def test_episodes_all_at_once_are_all_recorded(tmp_path: Path) -> None:
    with serving(think_ms=20) as base_url:
        worker = Worker(tmp_path, base_url, at_once=64)
        cost = await worker.run(64)  # raises where one is not whole in the store
        await worker.aclose()
    assert cost.cpu_s > 0
    assert not [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert not [one.name for one in threading.enumerate() if one.name == "aworld-log"]
