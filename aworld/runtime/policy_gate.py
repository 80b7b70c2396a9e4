"""A fork's gate: for each effect live, replayed from the parent, mocked, or decided by a person."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.control import ForkCreated
from aworld.events.conversation import PersonAnswered
from aworld.events.model import LlmFailed, LlmRequested, LlmResponded
from aworld.events.union import AnyPayload, Event
from aworld.llm.base import ModelRequest
from aworld.runtime.effects import Gate, OfEnvironment, OnRetry
from aworld.runtime.fork import MOCK, MODEL, policy_of, policy_of_call
from aworld.runtime.recovery import read_log
from aworld.storage.base import RunRecord, Store

Ask = Callable[[str, tuple[str, ...]], Awaitable[str]]
Key = tuple[str, str, str]
"""Actor, `model` or tool, and what was asked."""

LIVE, RECORDED = "call it", "take the parent's result"


class Outcomes:
    """What a log's effects came to, by what was asked."""

    def __init__(self, events: Sequence[Event], after: int) -> None:
        self._found: dict[Key, list[tuple[int, AnyPayload]]] = {}
        opened: dict[int, Key] = {}
        for event in events:
            key = effect_key(event)
            if key is not None and event.seq > after:
                opened[event.seq] = key
            elif event.span in opened and _is_outcome(event.payload):
                key = opened.pop(event.span)
                self._found.setdefault(key, []).append((event.seq, event.payload))

    def nth(self, key: Key, n: int) -> tuple[int, AnyPayload] | None:
        """The seq and payload of the n-th outcome of this very request, from 0."""
        found = self._found.get(key, [])
        return found[n] if n < len(found) else None


class PolicyGate:
    """Wraps the live gate of a forked run."""

    def __init__(self, live: Gate, store: Store, record: RunRecord, ask: Ask) -> None:
        self._live = live
        self._store = store
        self._record = record
        self._ask = ask
        self._policies: dict[str, str] = {}
        self._outcomes: Outcomes | None = None
        self._asked: Counter[Key] = Counter()
        self._lock = asyncio.Lock()

    async def model(
        self, opened: Event, request: ModelRequest, on_retry: OnRetry
    ) -> LlmResponded | LlmFailed:
        """Replay takes the parent's answer to the very same prompt; any other is asked live."""
        recorded = await self._recorded(opened)
        if policy_of(self._policies, MODEL) == "replay" and recorded is not None:
            seq, payload = recorded
            if isinstance(payload, LlmResponded):
                return msgspec.structs.replace(payload, source=f"replay:{seq}")
        return await self._live.model(opened, request, on_retry)

    async def tool(self, opened: Event) -> ToolReturned | ToolFailed:
        """By the tool's policy."""
        called = opened.payload
        assert isinstance(called, ToolCalled)
        recorded = await self._recorded(opened)
        policy = policy_of_call(self._policies, opened)
        if policy.startswith(MOCK):
            return ToolReturned(
                called.tool, policy.removeprefix(MOCK), call_id=called.call_id, source="mock"
            )
        if policy == "ask":
            return await self._by_person(opened, called, recorded)
        if policy == "replay":
            return _replayed(called, recorded)
        return await self._live.tool(opened)

    async def person(self, opened: Event) -> PersonAnswered:
        """People are always asked live."""
        return await self._live.person(opened)

    async def environment(self, opened: Event) -> OfEnvironment:
        """A fork's world is its own: it is reset and judged live."""
        return await self._live.environment(opened)

    def answer(self, span: int, answered: PersonAnswered) -> bool:
        """Hand in a person's answer."""
        return self._live.answer(span, answered)

    async def aclose(self) -> None:
        """End what the live gate keeps going."""
        await self._live.aclose()

    async def _by_person(
        self, opened: Event, called: ToolCalled, recorded: tuple[int, AnyPayload] | None
    ) -> ToolReturned | ToolFailed:
        choices = (LIVE, RECORDED) if recorded is not None else (LIVE,)
        arguments = msgspec.json.encode(called.arguments).decode()
        wish = f"{opened.actor} wants {called.tool}({arguments})."
        question = f"{wish} Choose, or write the result yourself."
        answer = await self._ask(question, choices)
        if answer == LIVE:
            return await self._live.tool(opened)
        if answer == RECORDED:
            return _replayed(called, recorded)
        return ToolReturned(called.tool, answer, call_id=called.call_id, source="person")

    async def _recorded(self, opened: Event) -> tuple[int, AnyPayload] | None:
        async with self._lock:
            if self._outcomes is None:
                await asyncio.to_thread(self._load, opened.seq)
        key = effect_key(opened)
        assert key is not None and self._outcomes is not None
        n = self._asked[key]
        self._asked[key] += 1
        return self._outcomes.nth(key, n)

    def _load(self, before: int) -> None:
        """Read what the parent did, and what this fork has asked already."""
        at = self._record.parent_seq
        for event in read_log(self._store, self._record.run_id):
            if isinstance(event.payload, ForkCreated) and event.seq > at:
                self._policies = event.payload.policies
            key = effect_key(event)
            if key is not None and at < event.seq < before:
                self._asked[key] += 1
        parent = read_log(self._store, self._record.parent_run_id)
        self._outcomes = Outcomes(parent, after=at)


def effect_key(event: Event) -> Key | None:
    """What identifies a request apart from its place; None where the event begins no effect."""
    payload: Any = event.payload
    if isinstance(payload, LlmRequested):
        return (event.actor, MODEL, payload.request_hash)
    if isinstance(payload, ToolCalled):
        arguments = msgspec.json.encode(payload.arguments, order="sorted").decode()
        return (event.actor, payload.tool, arguments)
    return None


def _is_outcome(payload: AnyPayload) -> bool:
    if isinstance(payload, LlmFailed):
        return not payload.will_retry
    return isinstance(payload, LlmResponded | ToolReturned | ToolFailed)


def _replayed(
    called: ToolCalled, recorded: tuple[int, AnyPayload] | None
) -> ToolReturned | ToolFailed:
    if recorded is not None:
        seq, payload = recorded
        if isinstance(payload, ToolReturned | ToolFailed):
            return msgspec.structs.replace(payload, call_id=called.call_id, source=f"replay:{seq}")
    error = (
        f"The parent run has no result for this call of {called.tool}, and the fork's policy is "
        "to replay."
    )
    return ToolFailed(called.tool, error, called.call_id, "refused")
