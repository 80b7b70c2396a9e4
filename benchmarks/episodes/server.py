"""An OpenAI-compatible server that costs next to nothing, so that its clients can be measured.

`python -m benchmarks.episodes.server THINK_MS` prints its port and serves until its input ends. An
episode is five calls: where the messages hold fewer than four of the assistant's, the answer is a
call of `add`; then it is a text. Answers stream where the request asks for that.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

TOOL_TURNS = 4
TURNS = TOOL_TURNS + 1
_USAGE = {"prompt_tokens": 200, "completion_tokens": 30, "total_tokens": 230}


def _message(turn: int) -> dict[str, Any]:
    if turn >= TOOL_TURNS:
        return {"role": "assistant", "content": "The answer is done."}
    function = {"name": "add", "arguments": json.dumps({"a": turn, "b": 1})}
    call = {"id": f"call_{turn}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _head(length: int, media_type: str) -> bytes:
    lines = ("HTTP/1.1 200 OK", f"content-type: {media_type}", f"content-length: {length}")
    return "\r\n".join((*lines, "", "")).encode()


def _whole(turn: int) -> bytes:
    reason = "stop" if turn >= TOOL_TURNS else "tool_calls"
    choice = {"index": 0, "message": _message(turn), "finish_reason": reason}
    body = {"id": "c", "object": "chat.completion", "created": 1_700_000_000, "model": "fake",
            "choices": [choice], "usage": _USAGE}  # fmt: skip
    data = json.dumps(body).encode()
    return _head(len(data), "application/json") + data


def _streamed(turn: int) -> bytes:
    """Role, content in one piece a word or the call in two, reason, usage: as vLLM cuts it."""
    message = _message(turn)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    if turn >= TOOL_TURNS:
        deltas += [{"content": f"{word} "} for word in str(message["content"]).split()]
    else:
        (call,) = message["tool_calls"]
        arguments = call["function"]["arguments"]
        first = {**call, "index": 0, "function": {"name": "add", "arguments": ""}}
        rest = {"index": 0, "function": {"arguments": arguments}}
        deltas += [{"tool_calls": [first]}, {"tool_calls": [rest]}]
    reason = "stop" if turn >= TOOL_TURNS else "tool_calls"
    choices: list[list[dict[str, Any]]] = [
        [{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas
    ]
    choices += [[{"index": 0, "delta": {}, "finish_reason": reason}], []]
    lines = []
    for number, one in enumerate(choices, 1):
        chunk: dict[str, Any] = {"id": "c", "object": "chat.completion.chunk", "model": "fake",
                                 "created": 1_700_000_000, "choices": one}  # fmt: skip
        if number == len(choices):
            chunk["usage"] = _USAGE
        lines.append(f"data: {json.dumps(chunk)}\n\n")
    data = ("".join(lines) + "data: [DONE]\n\n").encode()
    return _head(len(data), "text/event-stream") + data


_NO_STATISTICS = b'{"calls": 0, "episodes": 0, "maxconc": 0}'
"""The peers' driver asks for counts, and only prints them."""
_WHOLE = [_whole(turn) for turn in range(TURNS)]
_STREAMED = [_streamed(turn) for turn in range(TURNS)]


class _Connection(asyncio.Protocol):
    """HTTP/1.1 as far as a client with `content-length` needs it."""

    def __init__(self, think_s: float) -> None:
        self._think_s = think_s
        self._data = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        end = self._data.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._data[:end]).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        if len(self._data) < end + 4 + length:
            return
        body = bytes(self._data[end + 4 : end + 4 + length])
        del self._data[: end + 4 + length]
        if head.startswith(b"get "):
            self._transport.write(_head(len(_NO_STATISTICS), "application/json") + _NO_STATISTICS)
            return
        said = body.count(b'"role":"assistant"') + body.count(b'"role": "assistant"')
        streams = b'"stream":true' in body
        answer = (_STREAMED if streams else _WHOLE)[min(said, TOOL_TURNS)]
        if self._think_s:
            asyncio.get_running_loop().call_later(self._think_s, self._transport.write, answer)
        else:
            self._transport.write(answer)


@contextlib.contextmanager
def serving(think_ms: float = 0.0) -> Iterator[str]:
    """The base URL of a server in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.episodes.server", str(think_ms)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdin is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(10)


async def _serve(think_s: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(think_s), "127.0.0.1", 0, backlog=1024)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1]) / 1e3))
