"""Any process of the installation is killed in the middle of a run; the page loses nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from tests.openai_server import OpenAIServer
from tests.setup.running_up import RunningUp

AWORLD = [sys.executable, "-m", "aworld.command_line.main"]
CALL = '<tool_call>{"name": "calculator", "arguments": {"expression": "6*7"}}</tool_call>'
pytestmark = pytest.mark.timeout(180)


class Held:
    """A model that keeps its second answer back until it is let go."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Hold again."""
        self.asked = threading.Event()
        self.let_go = threading.Event()

    def reply(self, body: dict[str, Any]) -> str:
        """Call the tool, then answer with its result when allowed."""
        if "<tool_response>" not in body["messages"][-1]["content"]:
            return CALL
        self.asked.set()
        self.let_go.wait(120)
        return "6*7 = 42. Answer: 42"


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningUp, Held]]:
    """A whole installation on a scripted model."""
    environment = {name: value for name, value in os.environ.items() if "AWORLD_" not in name}
    held = Held()
    with OpenAIServer(default=held.reply) as model:
        environment["AWORLD_LOCAL_MODEL_URL"] = model.base_url
        folder = tmp_path_factory.mktemp("kills")
        with RunningUp(AWORLD, folder, environment=environment) as running:
            running.until(lambda: running.report().get("setup", {}).get("ready"), "readiness")
            yield running, held


class Page:
    """Somebody in front of the browser."""

    def __init__(self, session: aiohttp.ClientSession, up: RunningUp) -> None:
        self._session = session
        self._up = up
        self.events: list[dict[str, Any]] = []

    async def start(self, question: str) -> str:
        """Press Run on the team of one solver."""
        async with self._session.get("/api/teams") as got:
            team = next(one for one in await got.json() if one["name"] == "solver")
        cookies = {cookie.key: cookie.value for cookie in self._session.cookie_jar}
        async with self._session.post(
            "/api/runs",
            json={"team_id": team["id"], "input": question},
            headers={"X-CSRFToken": cookies["csrftoken"], "Referer": self._up.url},
        ) as got:
            assert got.status == 201, await got.text()
            run: dict[str, Any] = await got.json()
            return str(run["run_id"])

    async def watch(self, run_id: str, kind: str) -> None:
        """Follow live until an event of that kind, resuming as the page does."""
        while kind not in [event["payload"]["kind"] for event in self.events]:
            try:
                await self._follow(run_id, kind)
            except (aiohttp.ClientError, TypeError, ConnectionError):
                await asyncio.sleep(0.1)

    async def _follow(self, run_id: str, kind: str) -> None:
        after = self.events[-1]["seq"] if self.events else -1
        async with self._session.ws_connect("/ws/live", origin=self._up.url) as socket:
            await socket.send_json({"type": "follow", "run": run_id, "after": after})
            while kind not in [event["payload"]["kind"] for event in self.events]:
                message = await socket.receive_json()
                if message["type"] == "events":
                    self.events += message["events"]


@asynccontextmanager
async def page(up: RunningUp, link: str) -> AsyncIterator[Page]:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(up.url, cookie_jar=jar) as session:
        async with session.get(link) as got:
            assert got.status == 200
        async with session.get("/api/session") as got:
            assert got.status == 200
        yield Page(session, up)


def new_link(up: RunningUp) -> str:
    from apps.accounts import enter_token

    return f"{up.url}/enter?token={enter_token.make(up.home)}"


@pytest.mark.parametrize("name", ["web", "valkey", "worker-1"])
async def test_a_run_survives_the_kill_of_a_process(up: tuple[RunningUp, Held], name: str) -> None:
    running, held = up
    held.begin()
    async with asyncio.timeout(120), page(running, new_link(running)) as person:
        run_id = await person.start(f"What is 6 * 7? ({name})")
        await person.watch(run_id, "tool.returned")
        await asyncio.to_thread(held.asked.wait, 60)
        pid = running.process_named(name)["pid"]
        os.kill(pid, signal.SIGKILL)
        if name == "worker-1":
            # Before the model may answer: only then is the run really taken up.
            await person.watch(run_id, "run.lost")
        held.let_go.set()
        await person.watch(run_id, "run.finished")
    kinds = [event["payload"]["kind"] for event in person.events]
    assert [event["seq"] for event in person.events] == list(range(len(kinds)))
    assert kinds.count("tool.called") == 1
    assert person.events[-1]["payload"]["answer"] == "6*7 = 42. Answer: 42"
    if name == "worker-1":
        lost = person.events[kinds.index("run.lost")]
        silent_us = lost["at"] - lost["payload"]["last_heartbeat"]
        assert silent_us <= 15_000_000
