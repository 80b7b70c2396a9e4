"""The embedded Valkey: it answers with its password only, and a killed one comes back whole."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import redis

from aworld_web.processes.child import Child, Pace
from aworld_web.processes.valkey import plan_valkey


class Running(NamedTuple):
    """The server, kept alive, and a client of it."""

    child: Child
    client: redis.Redis
    url: str


@pytest.fixture
async def valkey(tmp_path: Path) -> AsyncIterator[Running]:
    """A Valkey that is well; ended with the test."""
    plan = plan_valkey(tmp_path)
    child = Child(
        plan.spec,
        say=lambda name, line: None,
        changed=lambda: None,
        pace=Pace(first_delay_s=0.01, ask_s=0.01),
    )
    keeping = asyncio.create_task(child.keep_alive())
    await asyncio.wait_for(child.ready.wait(), 20)
    client = redis.Redis.from_url(plan.url)
    yield Running(child, client, plan.url)
    client.close()
    await child.stop()
    await keeping


async def test_it_refuses_who_does_not_know_the_password(valkey: Running) -> None:
    without = valkey.url.split("@")[1]
    stranger = redis.Redis.from_url(f"redis://{without}")
    with pytest.raises(redis.exceptions.AuthenticationError):
        stranger.ping()
    stranger.close()


async def test_a_killed_valkey_comes_back_at_the_same_address_with_what_it_held(
    valkey: Running,
) -> None:
    valkey.client.set("kept", "yes")
    # What was written is on the disk from here on.
    assert valkey.client.waitaof(1, 0, 5000)[0] == 1
    pid = valkey.child.state.pid
    assert pid is not None
    os.kill(pid, 9)
    async with asyncio.timeout(20):
        while valkey.child.state.restarts == 0 or not valkey.child.ready.is_set():
            await asyncio.sleep(0.01)
    fresh = redis.Redis.from_url(valkey.url)
    assert fresh.get("kept") == b"yes"
    fresh.close()


async def test_its_configuration_is_for_its_owner_only(tmp_path: Path) -> None:
    plan_valkey(tmp_path)
    assert (tmp_path / "valkey" / "valkey.conf").stat().st_mode & 0o077 == 0
