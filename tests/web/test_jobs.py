"""Queued runs are worked on: by the web process itself, or by Celery workers."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from aworld.events.run import RunLost
from aworld.storage.base import RunRecord
from tests.openai_server import Answer, Hang, OpenAIServer
from tests.servers import Server
from tests.web.live_server import WebServer, live

QUESTION = "How much is 12 times 12?"
TEAM = {
    "name": "solo",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "ours", "tools": ["calculator"]}],
}
CALL = Answer(tool_calls=[("calculator", {"expression": "12*12"})])


@pytest.fixture
def provider() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


async def post(session: aiohttp.ClientSession, path: str, body: dict[str, Any]) -> dict[str, Any]:
    await (await session.get("/api/session")).release()
    cookies = {cookie.key: cookie for cookie in session.cookie_jar}
    headers = {"X-CSRFToken": cookies["csrftoken"].value}
    async with session.post(path, json=body, headers=headers) as response:
        answer: dict[str, Any] = await response.json()
        assert response.status in (200, 201), answer
        return answer


async def start(session: aiohttp.ClientSession, provider: OpenAIServer) -> str:
    """A connection with a key, and a run that uses it; returns the run's id."""
    await post(
        session,
        "/api/models",
        {
            "name": "ours",
            "provider": "openai-compatible",
            "model": "m",
            "base_url": provider.base_url,
            "api_key": "sk-0123456789abcdef",
        },
    )
    run = await post(session, "/api/runs", {"team": TEAM, "input": QUESTION})
    return str(run["run_id"])


async def finished(session: aiohttp.ClientSession, server: WebServer, run_id: str) -> list[Any]:
    """Watch a run to its end; returns its events."""
    events: list[Any] = []
    async with live(session, server) as page:
        await page.send(type="follow", run=run_id, after=-1)
        while not events or events[-1]["payload"]["kind"] not in ("run.finished", "run.failed"):
            events += (await page.receive("events"))["events"]
    return events


async def test_one_process_does_everything_without_a_broker(
    tmp_path: Path, provider: OpenAIServer
) -> None:
    provider.reply(CALL, "Answer: 144")
    server = WebServer(tmp_path)
    await asyncio.to_thread(server.manage, "migrate", "-v0")
    await asyncio.to_thread(server.start)
    try:
        async with server.browser() as session:
            run_id = await start(session, provider)
            events = await finished(session, server, run_id)
    finally:
        server.stop()

    kinds = [event["payload"]["kind"] for event in events]
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert kinds.count("tool.returned") == 1
    assert "144" in events[-1]["payload"]["answer"]
    assert provider.requests[0].headers["authorization"] == "Bearer sk-0123456789abcdef"
    assert not any("sk-0123456789abcdef" in str(event) for event in events)


class Worker(Server):
    """A Celery worker of the queue `rollout`."""

    def __init__(self, server: WebServer, name: str) -> None:
        folder = server.home / name
        folder.mkdir()
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "aworld_web.celery",
            "worker",
            "--pool=threads",
            "-c",
            "2",
            "-Q",
            "rollout",
            "-n",
            f"{name}@%h",
            "--without-gossip",
            "--without-mingle",
        ]
        super().__init__(command, server.port, folder)
        self._environment = server._environment

    def start(self) -> None:
        """Start it; its port is the web server's, which answers already."""
        before = dict(os.environ)
        try:
            os.environ.clear()
            os.environ.update(self._environment)
            super().start()
        finally:
            os.environ.clear()
            os.environ.update(before)


async def test_a_killed_workers_run_is_lost_in_time_and_another_takes_it_up(
    tmp_path: Path, provider: OpenAIServer, valkey_url: str
) -> None:
    provider.reply(CALL, Hang(), "Answer: 144")
    server = WebServer(tmp_path, AWORLD_REDIS_URL=valkey_url)
    await asyncio.to_thread(server.manage, "migrate", "-v0")
    await asyncio.to_thread(server.start)
    first, second = Worker(server, "first"), Worker(server, "second")
    store = server.store()
    try:
        async with server.browser() as session, live(session, server) as page:
            await asyncio.to_thread(first.start)
            run_id = await start(session, provider)
            await page.send(type="follow", run=run_id, after=-1)
            events: list[Any] = []
            while [event["payload"]["kind"] for event in events].count("llm.requested") < 2:
                events += (await page.receive("events"))["events"]
            held: RunRecord = store.get_run(run_id)
            first.kill()
            # No worker is left: the web process sees that the run is lost.
            while events[-1]["payload"]["kind"] != "run.lost":
                events += (await page.receive("events"))["events"]
            await asyncio.to_thread(second.start)
            while events[-1]["payload"]["kind"] != "run.finished":
                events += (await page.receive("events"))["events"]
        lost = next(e for e in store.read(run_id) if isinstance(e.payload, RunLost))
    finally:
        for process in (first, second, server):
            process.stop()
        store.close()

    assert [event["seq"] for event in events] == list(range(len(events)))
    assert isinstance(lost.payload, RunLost)
    assert lost.payload.worker == held.worker
    assert lost.at - lost.payload.last_heartbeat < 15_000_000
    assert "144" in events[-1]["payload"]["answer"]
    assert [event["payload"]["kind"] for event in events].count("tool.called") == 1
