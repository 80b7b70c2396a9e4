"""Runs that are started from Python: what they refuse, and that a stop leaves them stopped."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aworld.agents.agent import Agent
from aworld.agents.group import MultiAgentGroup
from aworld.errors import ConfigurationError
from aworld.llm.client import LLMClient
from aworld.storage.base import RunRecord
from aworld.tools.base import BaseTool, ToolContext
from tests.openai_server import Hang, OpenAIServer
from tests.teams import sqlite


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    yield tmp_path


def only_run(home: Path) -> RunRecord:
    store = sqlite(home)
    (record,) = store.list_runs().runs
    store.close()
    return record


def client(server: OpenAIServer, name: str = "m") -> LLMClient:
    return LLMClient(name, api_key="x", base_url=server.base_url)


class Search(BaseTool):
    name, description, effect = "search", "Looks something up.", "read_only"

    def get_schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": {}}

    async def run(self, context: ToolContext, **arguments: Any) -> str:
        return "nothing"


async def test_a_run_whose_caller_gives_up_is_cancelled(home: Path) -> None:
    async with OpenAIServer([Hang()]) as server:
        running = asyncio.ensure_future(Agent("a", client(server)).arun("?"))
        await asyncio.to_thread(server.arrived.wait, 20)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    record = only_run(home)
    assert (record.status, record.error) == ("cancelled", "Its program was interrupted.")


BLOCKING = """\
import sys
from aworld import Agent, LLMClient
agent = Agent("a", LLMClient("m", api_key="x", base_url=sys.argv[1]))
"""
NOTEBOOK = """\
import asyncio, signal
async def cell():
    # As in a notebook, whose loop leaves the signal to Python.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    agent.run("?")
"""


@pytest.mark.parametrize(
    "code",
    [BLOCKING + 'agent.run("?")', BLOCKING + NOTEBOOK + "asyncio.run(cell())"],
    ids=["script", "notebook"],
)
def test_ctrl_c_leaves_a_run_that_says_so(home: Path, code: str) -> None:
    with OpenAIServer([Hang()]) as server:
        command = [sys.executable, "-c", code, server.base_url]
        program = subprocess.Popen(command, stderr=subprocess.PIPE)
        assert server.arrived.wait(30)
        program.send_signal(signal.SIGINT)
        _, said = program.communicate(timeout=90)
    assert b"KeyboardInterrupt" in said
    assert only_run(home).status == "cancelled"


def test_two_clients_of_one_models_name_go_to_their_own_servers(home: Path) -> None:
    with OpenAIServer(["Answer: one"]) as first, OpenAIServer(["Answer: two"]) as second:
        agents = [Agent("a", client(first)), Agent("b", client(second))]
        MultiAgentGroup(agents).run("?")
    assert (len(first.requests), len(second.requests)) == (1, 1)


def test_two_tools_of_one_name_are_refused(home: Path) -> None:
    with OpenAIServer() as server:
        llm = client(server)
        group = MultiAgentGroup([Agent("a", llm, [Search()]), Agent("b", llm, [Search()])])
        with pytest.raises(ConfigurationError, match="Two different tools are named 'search'"):
            group.run("?")


@pytest.mark.parametrize("question", ["", " \n", None, 5, b"bytes"])
def test_a_question_is_a_text(home: Path, question: Any) -> None:
    with OpenAIServer() as server, pytest.raises(ConfigurationError, match="question is a text"):
        Agent("a", client(server)).run(question)
    assert not (home / "runs.sqlite3").exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"name": ""}, "name is a text, not ''"),
        ({"llm": None}, "has None as its model"),
        ({"llm": "gpt"}, "has 'gpt' as its model"),
        ({"tools": "calculator"}, "Give a list of names"),
        ({"tools": [5]}, "tools of agent 'a' are"),
        ({"tools": [Search]}, "objects, not classes"),
    ],
)
def test_an_agent_that_cannot_work_is_refused_when_it_is_made(
    options: dict[str, Any], why: str
) -> None:
    with OpenAIServer() as server, pytest.raises(ConfigurationError, match=why):
        Agent(**{"name": "a", "llm": client(server), **options})
