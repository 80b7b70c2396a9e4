"""A local OpenAI-compatible server for tests: says what the test scripted, keeps what it was sent.

It runs in a thread with its own event loop, so that tests of blocking calls can use it too:

    with OpenAIServer(["four", Answer(tool_calls=[("calculator", {"expression": "2"})])]) as server:
        LLMClient("m", base_url=server.base_url)

`openai_server` is the same as a pytest fixture:
`from tests.openai_server import openai_server  # noqa: F401`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import pytest
from aiohttp import web

ToolCallSpec = tuple[str, dict[str, Any] | str]
"""Name and arguments; arguments given as text are sent as they stand."""


@dataclass(frozen=True)
class Answer:
    """A chat completion."""

    text: str = ""
    tool_calls: Sequence[ToolCallSpec] = ()
    finish_reason: str = ""
    usage: dict[str, Any] = field(
        default_factory=lambda: {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    )
    reasoning: str = ""
    pieces: Sequence[str] | None = None
    """How the text is cut when it streams; None cuts after each word."""
    bytes_a_write: int | None = None
    """Streams in writes of that many bytes, through the middle of characters."""
    cut_after: int | None = None
    """Breaks the connection after that many bytes of the body."""
    after_chunk: Callable[[int], None] | None = None
    """Called in the server's thread once a streamed fragment was sent, with its number."""


@dataclass(frozen=True)
class Failure:
    """An HTTP error with the provider's words."""

    status: int
    message: str = "something is wrong"
    headers: dict[str, str] = field(default_factory=dict)
    code: str = ""


@dataclass(frozen=True)
class Raw:
    """A body exactly as given."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"


class Hang:
    """Takes the request and never answers."""


class Cut:
    """Takes the request and closes the connection without an answer."""


Given = str | Answer | Failure | Raw | Hang | Cut
Reply = Given | Callable[[dict[str, Any]], Given]


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    """Lower-case names."""
    raw: bytes
    port: int
    """The client's, which tells connections apart."""

    @property
    def body(self) -> dict[str, Any]:
        """The JSON object."""
        content: dict[str, Any] = json.loads(self.raw)
        return content


class OpenAIServer:
    """Answers POST /v1/chat/completions with the replies in their order."""

    def __init__(self, replies: Iterable[Reply] = (), *, default: Reply | None = None) -> None:
        """`default` answers when no reply is left; without it that is an error 400."""
        self._replies: deque[Reply] = deque(replies)
        self._default = default
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="openai-server")
        self._runner: web.AppRunner | None = None
        self.requests: list[Received] = []
        self.base_url = ""
        self.disconnected = threading.Event()
        """Set when a client closed its connection while an answer was under way."""
        self.arrived = threading.Event()
        """Set once a request came."""

    def reply(self, *replies: Reply) -> None:
        """Add replies."""
        self._replies.extend(replies)

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        return self

    def __exit__(self, *exc: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(self, *exc: object) -> None:
        await asyncio.to_thread(self.__exit__)

    async def _start(self) -> None:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._answer)
        app.router.add_get("/v1/models", self._models)
        # Other protocols and addresses, answered with `Raw`.
        app.router.add_post("/{path:.+}", self._answer)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/v1"

    async def _stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _models(self, request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "test", "object": "model"}]})

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        peer = request.transport.get_extra_info("peername") if request.transport else ("", 0)
        received = Received(request.path_qs, headers, await request.read(), peer[1])
        self.requests.append(received)
        self.arrived.set()
        given = self._next(received.body)
        try:
            return await self._give(request, received.body, given)
        except (asyncio.CancelledError, ConnectionResetError):
            self.disconnected.set()
            raise

    def _next(self, body: dict[str, Any]) -> Given:
        reply: Reply | None = self._replies.popleft() if self._replies else self._default
        if reply is None:
            return Failure(400, f"the test scripted no reply to request {len(self.requests)}")
        return reply(body) if callable(reply) else reply

    async def _give(
        self, request: web.Request, body: dict[str, Any], given: Given
    ) -> web.StreamResponse:
        match given:
            case str():
                return await self._give(request, body, Answer(given))
            case Hang():
                await asyncio.Event().wait()
                raise AssertionError("a hanging answer came to an end")
            case Cut():
                _abort(request)
                return web.Response()
            case Failure():
                error = {"message": given.message, "type": "error", "code": given.code or None}
                return web.json_response(
                    {"error": error}, status=given.status, headers=given.headers
                )
            case Raw():
                return web.Response(
                    body=given.body, status=given.status, content_type=given.content_type
                )
            case Answer() if body.get("stream"):
                return await _send_stream(request, body, given)
            case Answer():
                return await _send_whole(request, body, given)


def _calls(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call-{number}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": arguments
                if isinstance(arguments, str)
                else json.dumps(arguments, ensure_ascii=False),
            },
        }
        for number, (name, arguments) in enumerate(answer.tool_calls)
    ]


def _reason(answer: Answer) -> str:
    return answer.finish_reason or ("tool_calls" if answer.tool_calls else "stop")


async def _send_whole(
    request: web.Request, body: dict[str, Any], answer: Answer
) -> web.StreamResponse:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if answer.tool_calls:
        message["tool_calls"] = _calls(answer)
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    content = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": _reason(answer)}],
        "usage": answer.usage,
    }
    data = json.dumps(content, ensure_ascii=False).encode()
    if answer.cut_after is None:
        return web.Response(body=data, content_type="application/json")
    response = web.StreamResponse(headers={"Content-Length": str(len(data))})
    await response.prepare(request)
    await response.write(data[: answer.cut_after])
    _abort(request)
    return response


def _fragments(body: dict[str, Any], answer: Answer) -> Iterator[dict[str, Any]]:
    """The parts of a streamed answer: role, thinking, text, calls in halves, reason, usage."""

    def part(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": body.get("model", ""),
            "choices": [choice],
        }

    yield part({"role": "assistant", "content": ""})
    if answer.reasoning:
        yield part({"reasoning_content": answer.reasoning})
    pieces = answer.pieces
    for text in pieces if pieces is not None else _words(answer.text):
        yield part({"content": text})
    for index, call in enumerate(_calls(answer)):
        arguments = call["function"]["arguments"]
        half = len(arguments) // 2
        head = {"name": call["function"]["name"], "arguments": arguments[:half]}
        yield part({"tool_calls": [{**call, "index": index, "function": head}]})
        yield part({"tool_calls": [{"index": index, "function": {"arguments": arguments[half:]}}]})
    yield part({}, _reason(answer))
    if body.get("stream_options", {}).get("include_usage"):
        yield {**part({}), "choices": [], "usage": answer.usage}


def _words(text: str) -> list[str]:
    words = text.split(" ")
    return [word if n == len(words) - 1 else f"{word} " for n, word in enumerate(words)]


async def _send_stream(
    request: web.Request, body: dict[str, Any], answer: Answer
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    parts = [json.dumps(part, ensure_ascii=False).encode() for part in _fragments(body, answer)]
    events = [b"data: " + part + b"\n\n" for part in (*parts, b"[DONE]")]
    if answer.cut_after is not None:
        await response.write(b"".join(events)[: answer.cut_after])
        _abort(request)
        return response
    if answer.bytes_a_write:
        whole, step = b"".join(events), answer.bytes_a_write
        events = [whole[start : start + step] for start in range(0, len(whole), step)]
    for number, event in enumerate(events):
        await response.write(event)
        if answer.bytes_a_write:
            # Lets the reader take each piece by itself.
            await asyncio.sleep(0)
        if answer.after_chunk is not None:
            await asyncio.to_thread(answer.after_chunk, number)
    await response.write_eof()
    return response


def _abort(request: web.Request) -> None:
    with contextlib.suppress(AttributeError):
        if request.transport is not None:
            request.transport.close()


@pytest.fixture
def openai_server() -> Iterator[OpenAIServer]:
    """A started server without replies: add them with `reply`."""
    with OpenAIServer() as server:
        yield server
