"""A second process: joins a run and answers each message, until it is told "end"."""

from __future__ import annotations

import asyncio
import sys

from aworld.bus.redis import RedisBus
from aworld.events.conversation import MessageSent
from aworld.events.union import draft


async def main(run_id: str, url: str) -> None:
    """Speak as node `ben`."""
    bus = await RedisBus.join(run_id, url)
    questions = bus.subscribe("ben")
    await bus.publish(draft(run_id, "ben", MessageSent("here"), recipients=("ann",)))
    async for event in questions:
        payload = event.payload
        if not isinstance(payload, MessageSent) or event.actor == "ben":
            continue
        if payload.content == "end":
            break
        answer = MessageSent(f"answer to {payload.content}")
        await bus.publish(draft(run_id, "ben", answer, recipients=("ann",), caused_by=(event.seq,)))
    await bus.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
