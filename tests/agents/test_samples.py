"""The three samples that define the library's API, byte for byte, against a local server."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.openai_server import Answer, OpenAIServer, Reply

FIRST = """\
from aworld import Agent, LLMClient
llm = LLMClient(model_name="qwen3-32b", api_key="xxx")
math_agent = Agent(name="math_solver", llm=llm, tools=["calculator", "code_interpreter"])
res = math_agent.run("求解一元二次方程 x²-5x+6=0")
print(res)
"""

SECOND = """\
from aworld import Agent, LLMClient, MultiAgentGroup
llm = LLMClient(model_name="qwen3-32b", api_key="xxx")
solver = Agent(name="solver", llm=llm, tools=["calculator"])
verifier = Agent(name="verifier", llm=llm, tools=["logic_check"])
group = MultiAgentGroup(agents=[solver, verifier])
result = group.run("完整证明IMO竞赛真题")
print(result)
"""

ASYNC = """\
import asyncio
from aworld import Agent, LLMClient
llm = LLMClient(model_name="qwen3-32b", api_key="xxx")
math_agent = Agent(name="math_solver", llm=llm, tools=["calculator"])
async def main():
    print(await math_agent.arun("求解一元二次方程 x²-5x+6=0"))
    # A notebook's cell runs inside a loop that is going already.
    print(math_agent.run("求解一元二次方程 x²-5x+6=0"))
asyncio.run(main())
"""


async def _run(code: str, server: OpenAIServer, home: Path) -> str:
    env = {
        **os.environ,
        "AWORLD_LLM_BASE_URL": server.base_url,
        "AWORLD_HOME": str(home),
        "PYTHONIOENCODING": "utf-8",
    }
    for name in ("AWORLD_REDIS_URL", "AWORLD_MONGODB_URI"):
        env.pop(name, None)
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-W", "error", "-c", code],
        env=env,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_an_agent_with_tools_answers_a_chinese_question(tmp_path: Path) -> None:
    replies: list[Reply] = [
        Answer(tool_calls=[("calculator", {"expression": "(5+sqrt(25-24))/2"})]),
        "x₁ = 2，x₂ = 3",
    ]
    with OpenAIServer(replies) as server:
        assert await _run(FIRST, server, tmp_path) == "x₁ = 2，x₂ = 3\n"
    first, second = (received.body for received in server.requests)
    assert first["model"] == "qwen3-32b"
    assert first["messages"][-1] == {"role": "user", "content": "求解一元二次方程 x²-5x+6=0"}
    assert [tool["function"]["name"] for tool in first["tools"]] == [
        "calculator",
        "code_interpreter",
    ]
    assert second["messages"][-1]["content"] == "3"
    assert server.requests[0].headers["authorization"] == "Bearer xxx"
    assert "求解一元二次方程 x²-5x+6=0".encode() in server.requests[0].raw


async def test_a_group_solves_and_verifies_a_chinese_question(tmp_path: Path) -> None:
    replies: list[Reply] = [
        "证明：由归纳法，命题成立。Answer: 成立",
        Answer(tool_calls=[("logic_check", {"claim": "1 + 1 == 2"})]),
        "VERIFIED: 1 + 1 is 2.",
    ]
    with OpenAIServer(replies) as server:
        printed = await _run(SECOND, server, tmp_path)
    assert printed == "证明：由归纳法，命题成立。Answer: 成立\n"
    asked = server.requests[1].body["messages"][-1]["content"]
    assert "完整证明IMO竞赛真题" in asked
    assert "成立" in asked
    assert server.requests[2].body["messages"][-1]["content"] == "true"


async def test_arun_and_run_inside_a_running_loop(tmp_path: Path) -> None:
    with OpenAIServer(["二和三", "二和三"]) as server:
        assert await _run(ASYNC, server, tmp_path) == "二和三\n二和三\n"


@pytest.mark.parametrize("code", ["import aworld", "from aworld import Agent, MultiAgentGroup"])
def test_importing_the_library_loads_nothing_heavy(code: str) -> None:
    heavy = "django celery channels pymongo redis torch openai mcp aiohttp sympy numpy yaml"
    check = f"import sys\n{code}\nprint([n for n in {heavy.split()!r} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "[]"
