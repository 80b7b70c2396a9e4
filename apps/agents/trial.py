"""Trying a model connection with one short question."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec

from apps.agents import selectors, services
from apps.agents.models import ModelConnection
from aworld.errors import AWorldError
from aworld.llm.base import ChatMessage, Completion, ModelRequest, Parameters
from aworld.llm.registry import make_model

QUESTION = "Reply with the single word: ready"
TIMEOUT_S = 30.0


def try_connection(connection: ModelConnection) -> dict[str, Any]:
    """`{ok, message, latency_ms, reply}`; on failure `message` has the provider's own words."""
    started = time.monotonic()
    try:
        spec = msgspec.structs.asdict(selectors.model_spec(connection))
        completion = asyncio.run(_ask(spec))
    except AWorldError as error:
        services.model_tested(connection, ok=False)
        return _outcome(False, str(error), started, "")
    services.model_tested(connection, ok=True)
    usage = completion.usage
    message = f"{completion.model or spec['model']}: {usage.input} + {usage.output} tokens"
    return _outcome(True, message, started, completion.text[:500])


def _outcome(ok: bool, message: str, started: float, reply: str) -> dict[str, Any]:
    latency_ms = round((time.monotonic() - started) * 1000)
    return {"ok": ok, "message": message, "latency_ms": latency_ms, "reply": reply}


async def _ask(spec: dict[str, Any]) -> Completion:
    model = make_model(spec)
    try:
        return await model.complete(
            ModelRequest(
                messages=(ChatMessage("user", QUESTION),),
                parameters=Parameters(max_tokens=16, timeout_s=TIMEOUT_S),
            )
        )
    finally:
        await model.aclose()
