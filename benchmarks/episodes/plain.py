"""The episode as a program would have it that needs nothing of a framework: aiohttp and a list."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp

from benchmarks.episodes.cost import Cost, Meter

INSTRUCTIONS = "You are an agent. Use the tool." * 10
QUESTION = "Count to five."
ADD = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
}
_TOOLS = [
    {
        "type": "function",
        "function": {"name": "add", "description": "Add two integers.", "parameters": ADD},
    }
]


async def run(base_url: str, episodes: int, at_once: int) -> Cost:
    """Run them, after one to warm up."""
    free = asyncio.Semaphore(at_once)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def one() -> None:
            async with free:
                await _episode(session, base_url)

        await one()
        meter = Meter()
        await asyncio.gather(*(one() for _ in range(episodes)))
        return meter.cost()


async def _episode(session: aiohttp.ClientSession, base_url: str) -> None:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": QUESTION},
    ]
    url, headers = f"{base_url}/chat/completions", {"Authorization": "Bearer x"}
    while True:
        body = {"model": "fake", "messages": messages, "tools": _TOOLS}
        async with session.post(url, json=body, headers=headers) as response:
            message = (await response.json())["choices"][0]["message"]
        messages.append({**message, "content": message["content"] or ""})
        if not message.get("tool_calls"):
            return
        for call in message["tool_calls"]:
            given = json.loads(call["function"]["arguments"])
            result = str(given["a"] + given["b"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
