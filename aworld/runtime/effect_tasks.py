"""Effects under way, as tasks of the run's event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aworld.events.action import EnvironmentReset, EnvironmentSubmitted, ToolCalled
from aworld.events.model import LlmRequested
from aworld.events.union import AnyPayload, Event
from aworld.llm.base import ModelRequest
from aworld.runtime.effects import Gate


class EffectTasks:
    """Starts effects through the gate and hands over what closes them."""

    def __init__(
        self,
        gate: Gate,
        make_request: Callable[[LlmRequested], ModelRequest],
        close_span: Callable[[Event, AnyPayload], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """`failed` hears of faults of the gate itself; an effect's own failure closes its span."""
        self._gate = gate
        self._make_request = make_request
        self._close_span = close_span
        self._failed = failed
        self.cancelled = False
        """Nothing is begun or closed any more."""
        self.running: dict[int, asyncio.Task[None]] = {}
        """By the seq that opened the span."""

    def start(self, opened: Event) -> None:
        """Begin the effect that an event opened."""
        task = asyncio.get_running_loop().create_task(self._carry_out(opened))
        self.running[opened.seq] = task

    def abandon(self, span: int) -> None:
        """Stop one; whoever calls this closes its span."""
        task = self.running.pop(span, None)
        if task is not None:
            task.cancel()

    def cancel(self) -> None:
        """Stop them all; nothing is closed any more."""
        self.cancelled = True
        for task in self.running.values():
            task.cancel()

    async def aclose(self) -> None:
        """Cancel, and wait until all have stopped."""
        self.cancel()
        await asyncio.gather(*self.running.values(), return_exceptions=True)
        self.running.clear()

    async def _carry_out(self, opened: Event) -> None:
        try:
            closing = await self._outcome(opened)
        except Exception as error:
            # The gate turns failures of models and tools into payloads: this is a fault of ours.
            self.running.pop(opened.seq, None)
            if not self.cancelled:
                self._failed(error)
            return
        self.running.pop(opened.seq, None)
        if not self.cancelled:
            self._close_span(opened, closing)

    async def _outcome(self, opened: Event) -> AnyPayload:
        payload = opened.payload
        if isinstance(payload, LlmRequested):
            return await self._gate.model(opened, self._make_request(payload), self._close_span)
        if isinstance(payload, ToolCalled):
            return await self._gate.tool(opened)
        if isinstance(payload, EnvironmentReset | EnvironmentSubmitted):
            return await self._gate.environment(opened)
        return await self._gate.person(opened)
