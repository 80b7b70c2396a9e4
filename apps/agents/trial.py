"""Trying a model connection with one short question."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from apps.agents import model_selectors, model_services
from aworld.errors import AWorldError
from aworld.llm.base import ChatMessage, Completion, ModelRequest, Parameters
from aworld.llm.registry import make_model

QUESTION = "Reply with the single word: ready"
TIMEOUT_S = 30.0


def try_connection(model_id: str) -> dict[str, Any]:
    """`{ok, message, latency_ms, reply}`; on failure `message` has the provider's own words.

    The connection is asked by itself, without its fallbacks; what it costs counts, but the test
    waits for no rate.

    Raises:
        Missing: no such connection.
    """
    started = time.monotonic()
    try:
        spec = _alone(model_selectors.spec_of(model_id))
        completion = asyncio.run(_ask(spec))
    except AWorldError as error:
        model_services.model_tested(model_id, ok=False)
        return _outcome(False, str(error), started, "")
    model_services.model_tested(model_id, ok=True)
    usage = completion.usage
    message = f"{completion.model or spec['model']}: {usage.input} + {usage.output} tokens"
    return _outcome(True, message, started, completion.text[:500])


def _alone(spec: dict[str, Any]) -> dict[str, Any]:
    budgets = {
        name: most for name, most in (spec.get("limits") or {}).items() if name.startswith("cost_")
    }
    return {**spec, "limits": budgets, "fallbacks": []}


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
