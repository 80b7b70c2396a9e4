"""The local model as it is shipped: the real weights, the real adapter, over HTTP."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aworld.agents.roles import solver
from aworld.errors import ConfigurationError
from aworld.llm.base import ChatMessage, ToolSchema
from aworld.llm.model_files import adapter_path, find_base_model
from aworld.llm.tool_text import parse_tool_calls, to_plain_messages

CALCULATOR = ToolSchema(
    "calculator",
    "Work out an arithmetic expression.",
    {
        "type": "object",
        "properties": {"expression": {"type": "string"}},
        "required": ["expression"],
    },
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def command(port: int, *more: str) -> list[str]:
    return [sys.executable, "-m", "aworld.llm.llama_server", "--port", str(port), *more]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    try:
        find_base_model(Path("/nonexistent"))
        adapter_path()
    except ConfigurationError as error:
        pytest.skip(str(error))
    pytest.importorskip("xllamacpp", exc_type=ImportError)
    port = free_port()
    process = subprocess.Popen(command(port, "--slots", "2"), stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            assert process.poll() is None, "the server ended by itself"
            if healthy(address):
                break
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=10)


def healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def post(url: str, **body: Any) -> str:
    request = urllib.request.Request(
        f"{url}/v1/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return str(response.read().decode())


def answer(url: str, messages: list[dict[str, str]], **more: Any) -> str:
    body = json.loads(post(url, messages=messages, max_tokens=80, **more))
    return str(body["choices"][0]["message"]["content"])


def test_it_calls_the_calculator_and_answers_with_its_result(url: str) -> None:
    messages = [
        ChatMessage("system", solver.INSTRUCTIONS),
        ChatMessage("user", "What is 23 times 47?"),
    ]
    text = answer(url, to_plain_messages(messages, [CALCULATOR]), temperature=0)
    (call,) = parse_tool_calls(text, ["calculator"]).calls
    assert (call.name, call.arguments) == ("calculator", {"expression": "23*47"})
    messages += [ChatMessage("assistant", "", (call,)), ChatMessage("tool", "1081")]
    text = answer(url, to_plain_messages(messages, [CALCULATOR]), temperature=0)
    assert solver.extract_answer(text) == "1081"


def test_without_tools_it_talks(url: str) -> None:
    question = [{"role": "user", "content": "What is the capital of France?"}]
    assert "Paris" in answer(url, question)


def test_streamed_pieces_are_the_whole_text(url: str) -> None:
    question = [{"role": "user", "content": "Write one sentence about a garden."}]
    pieces = []
    for line in post(url, messages=question, max_tokens=40, stream=True).splitlines():
        if line.startswith("data: {"):
            delta = json.loads(line[6:])["choices"][0]["delta"]
            pieces.append(delta.get("content") or "")
    assert len([piece for piece in pieces if piece]) > 3
    assert "".join(pieces) == answer(url, question)


def test_the_same_seed_gives_the_same_text_and_others_give_others(url: str) -> None:
    question = [{"role": "user", "content": "Write a short story about a lost robot."}]
    first, again, *others = (
        answer(url, question, temperature=1.2, seed=seed) for seed in (5, 5, 6, 7)
    )
    assert first == again
    assert {first} != {first, *others}


def test_a_port_in_use_is_told_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = subprocess.run(
            command(port, "--no-adapter", "--model", __file__), capture_output=True, timeout=30
        )
    assert ended.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}".encode() in ended.stderr


def test_a_missing_model_is_told_in_a_sentence(tmp_path: Path) -> None:
    ended = subprocess.run(
        command(free_port(), "--no-adapter", "--model", str(tmp_path / "none.gguf")),
        capture_output=True,
        timeout=30,
    )
    assert ended.returncode == 1
    assert b"none.gguf" in ended.stderr
