"""A running application: what is switched in the browser or in config.yaml, the next run uses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from aworld.llm.configured import VARIABLE
from tests.openai_server import Failure, OpenAIServer
from tests.web.live_server import WebServer, live
from tests.web.test_jobs import post

TEAM = {
    "name": "solo",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "writer", "tools": []}],
}


@pytest.fixture
def providers() -> Iterator[tuple[OpenAIServer, OpenAIServer]]:
    with OpenAIServer(default="Answer: 1") as one, OpenAIServer(default="Answer: 2") as two:
        yield one, two


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[WebServer]:
    home = tmp_path / "home"
    home.mkdir()
    server = WebServer(home, **{VARIABLE: str(tmp_path / "config.yaml")})
    await asyncio.to_thread(server.manage, "migrate", "-v0")
    await asyncio.to_thread(server.start)
    yield server
    server.stop()


async def run(session: aiohttp.ClientSession, server: WebServer) -> list[dict[str, Any]]:
    """The payloads of a whole run."""
    run_id = (await post(session, "/api/runs", {"team": TEAM, "input": "1 or 2?"}))["run_id"]
    events: list[Any] = []
    async with live(session, server) as page, asyncio.timeout(30):
        await page.send(type="follow", run=run_id, after=-1)
        while not events or events[-1]["payload"]["kind"] not in ("run.finished", "run.failed"):
            events += (await page.receive("events"))["events"]
    return [event["payload"] for event in events]


def answered(payloads: list[dict[str, Any]]) -> dict[str, Any]:
    """The one `llm.responded`."""
    (found,) = [payload for payload in payloads if payload["kind"] == "llm.responded"]
    return found


async def test_the_next_run_asks_whom_the_last_change_names(
    tmp_path: Path, server: WebServer, providers: tuple[OpenAIServer, OpenAIServer]
) -> None:
    one, two = providers
    writer = {"name": "writer", "provider": "vllm", "model": "m", "base_url": one.base_url}
    spare = {**writer, "name": "spare", "model": "s", "base_url": two.base_url}
    async with server.browser() as session:
        await post(session, "/api/models", spare)
        await post(session, "/api/models", {**writer, "fallbacks": ["spare"]})
        before = answered(await run(session, server))

        one.reply(Failure(401, "no such key"))
        fallen = await run(session, server)

        config = f"models: {{writer: {{provider: vllm, model: m2, base_url: {two.base_url}}}}}"
        (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
        of_file = answered(await run(session, server))

    assert (before["text"], before["connection"]) == ("Answer: 1", "writer")
    stood_in = answered(fallen)
    assert (stood_in["text"], stood_in["connection"]) == ("Answer: 2", "spare")
    assert "no such key" in stood_in["instead_of"]
    (failed,) = [payload for payload in fallen if payload["kind"] == "llm.failed"]
    assert (failed["will_retry"], "'spare' is asked next" in failed["error"]) == (True, True)
    assert (of_file["text"], of_file["model"]) == ("Answer: 2", "m2")
