"""The one gate through which a run touches the world: models, tools, people, environments.

Each method gets the event that opened the effect's span and gives back the payload that closes it.
Failures are payloads, not exceptions: a bad outcome is data.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Protocol

import msgspec

from aworld.errors import ProviderError, ToolError
from aworld.events.action import (
    EnvironmentFailed,
    EnvironmentObserved,
    EnvironmentVerified,
    ToolCalled,
    ToolFailed,
    ToolReturned,
)
from aworld.events.conversation import PersonAnswered, PersonAsked
from aworld.events.model import LlmFailed, LlmRequested, LlmResponded
from aworld.events.union import Event
from aworld.llm.base import Completion, Model, ModelRequest, ToolCall
from aworld.runtime.attachments import describe_all
from aworld.runtime.world import World
from aworld.tools.base import BaseTool, Question, Reply, ToolContext
from aworld.tools.failures import reason_of
from aworld.tools.interpreter.sessions import close_interpreter
from aworld.tools.open_things import close_all
from aworld.tools.registry import call as call_tool

OnChunk = Callable[[int, int, str], None]
"""Called with span, offset in the text, and the new piece."""
OnRetry = Callable[[Event, LlmFailed], None]
PutQuestion = Callable[[PersonAsked, Event], Awaitable[PersonAnswered]]
"""Asks a person for a call that waits."""
AtHand = Callable[[Event], Awaitable[PersonAnswered | None]]
"""Puts a `person.asked` to whoever is at hand, such as at the terminal; None where they have no
answer, so that it waits for the browser alone."""
OfEnvironment = EnvironmentObserved | EnvironmentVerified | EnvironmentFailed


class Gate(Protocol):
    """Where outcomes come from."""

    async def model(
        self, opened: Event, request: ModelRequest, on_retry: OnRetry
    ) -> LlmResponded | LlmFailed:
        """Call the actor's model."""
        ...

    async def tool(self, opened: Event) -> ToolReturned | ToolFailed:
        """Call one of the actor's tools."""
        ...

    async def person(self, opened: Event) -> PersonAnswered:
        """Wait for a person's answer, or the question's time-out."""
        ...

    async def environment(self, opened: Event) -> OfEnvironment:
        """Reset the run's environment, or have it judge the answer."""
        ...

    def answer(self, span: int, answered: PersonAnswered) -> bool:
        """Hand in a person's answer; whether anyone waited for it."""
        ...

    async def aclose(self) -> None:
        """The run stops here: end what it keeps going outside, such as an interpreter."""
        ...


class LiveGate:
    """Outcomes from the world."""

    def __init__(
        self,
        *,
        models: Mapping[str, Model],
        tools: Mapping[str, Mapping[str, BaseTool]],
        durable: Callable[[int], Awaitable[None]],
        put_blob: Callable[[bytes], str],
        run_id: str = "",
        workspace: str = "",
        on_chunk: OnChunk | None = None,
        world: World | None = None,
        recorded_file: Callable[[str], Awaitable[bytes | None]] | None = None,
        network: tuple[str, ...] = (),
        put_question: PutQuestion | None = None,
        at_hand: AtHand | None = None,
    ) -> None:
        """`models` by node name; `tools` by node name and tool name. `durable(seq)` returns once
        the event is in the store: nothing that must not run twice begins before its opener is.
        `world` is the run's environment, where it has one. `recorded_file` is what tools get to
        read a file of an earlier result, `network` the hosts they may reach, `put_question` how
        they ask a person. `at_hand` is asked beside the browser, whoever is quicker."""
        self._models = models
        self._tools = tools
        self._durable = durable
        self._put_blob = put_blob
        self._run_id = run_id
        self._workspace = workspace
        self._on_chunk = on_chunk
        self._world = world
        self._recorded_file = recorded_file
        self._network = network
        self._put_question = put_question
        self._at_hand = at_hand
        self._questions: dict[int, asyncio.Future[PersonAnswered]] = {}
        self._early: dict[int, PersonAnswered] = {}
        """Answers to questions that this worker has not put again yet."""

    async def model(
        self, opened: Event, request: ModelRequest, on_retry: OnRetry
    ) -> LlmResponded | LlmFailed:
        """Call the actor's model, streaming its text to whoever watches."""
        payload = opened.payload
        assert isinstance(payload, LlmRequested)
        model = self._models[opened.actor]
        retry = _RetryNotes(opened, on_retry)
        try:
            completion = await model.complete(
                request, on_chunk=self._streamer(opened.seq), on_retry=retry
            )
        except ProviderError as error:
            return LlmFailed(error=str(error), status=error.status)
        return responded(completion)

    async def tool(self, opened: Event) -> ToolReturned | ToolFailed:
        """Call a tool of the actor's within its own time limit."""
        payload = opened.payload
        assert isinstance(payload, ToolCalled)
        tool = self._tools[opened.actor][payload.tool]
        if tool.effect != "read_only":
            await self._durable(opened.seq)
        context = ToolContext(
            run_id=self._run_id,
            agent=opened.actor,
            workspace=self._workspace,
            recorded_file=self._recorded_file,
            network=self._network,
            ask=partial(self._ask, opened) if self._put_question is not None else None,
        )
        if self._world is not None and self._world.acts(opened):
            return await self._world.act(opened, context)
        try:
            result = await call_tool(tool, context, payload.arguments)
        except ToolError as error:
            return ToolFailed(payload.tool, str(error), payload.call_id, reason_of(error))
        attachments = await describe_all(result.attachments, self._put_blob)
        return ToolReturned(
            payload.tool, result.text, result.data, payload.call_id, tuple(attachments)
        )

    async def environment(self, opened: Event) -> OfEnvironment:
        """Reset or verify through the run's world."""
        if self._world is None:
            return EnvironmentFailed("reset", "This run was built without its environment.")
        return await self._world.begin_or_judge(opened)

    async def person(self, opened: Event) -> PersonAnswered:
        """Wait until `answer` is called for this span."""
        payload = opened.payload
        assert isinstance(payload, PersonAsked)
        waiting: asyncio.Future[PersonAnswered] = asyncio.get_running_loop().create_future()
        self._questions[opened.seq] = waiting
        early = self._early.pop(opened.seq, None)
        if early is not None:
            waiting.set_result(early)
        nearby = asyncio.ensure_future(self._ask_at_hand(opened)) if self._at_hand else None
        try:
            return await asyncio.wait_for(waiting, payload.timeout_s)
        except TimeoutError:
            return PersonAnswered(payload.default or "", timed_out=True)
        finally:
            self._questions.pop(opened.seq, None)
            if nearby is not None:
                nearby.cancel()

    def answer(self, span: int, answered: PersonAnswered) -> bool:
        """Hand in a person's answer."""
        waiting = self._questions.get(span)
        if waiting is None:
            self._early.setdefault(span, answered)
            return False
        if waiting.done():
            return False
        waiting.set_result(answered)
        return True

    async def aclose(self) -> None:
        """End the run's world, and what tools keep going for its workspace."""
        if self._world is not None:
            await self._world.aclose()
        if self._workspace:
            await close_interpreter(self._workspace)
            await close_all(self._workspace)

    async def _ask(self, opened: Event, question: Question) -> Reply:
        """What tools ask through."""
        assert self._put_question is not None
        asked = PersonAsked(
            question.question, question.choices, question.default, question.timeout_s, opened.actor
        )
        answered = await self._put_question(asked, opened)
        return Reply(answered.answer, answered.by, answered.timed_out)

    async def _ask_at_hand(self, opened: Event) -> None:
        assert self._at_hand is not None
        answered = await self._at_hand(opened)
        if answered is not None:
            self.answer(opened.seq, answered)

    def _streamer(self, span: int) -> Callable[[str], None] | None:
        on_chunk = self._on_chunk
        if on_chunk is None:
            return None
        offset = 0

        def forward(text: str) -> None:
            nonlocal offset
            on_chunk(span, offset, text)
            offset += len(text)

        return forward


class _RetryNotes:
    """Turns a provider's retries into events."""

    def __init__(self, opened: Event, on_retry: OnRetry) -> None:
        self._opened = opened
        self._on_retry = on_retry

    def __call__(self, error: Exception, pause_s: float) -> None:
        status = error.status if isinstance(error, ProviderError) else None
        note = LlmFailed(str(error), status=status, will_retry=True, retry_in_s=pause_s)
        self._on_retry(self._opened, note)


def responded(completion: Completion) -> LlmResponded:
    """What is recorded of a completion."""
    return LlmResponded(
        text=completion.text,
        tool_calls=_with_unique_ids(completion.tool_calls),
        finish_reason=completion.finish_reason,
        input_tokens=completion.usage.input,
        output_tokens=completion.usage.output,
        cached_input_tokens=completion.usage.cached_input,
        cost_usd=completion.cost_usd,
        model=completion.model,
        first_token_us=completion.first_token_us,
        reasoning=completion.reasoning,
        reasoning_tokens=completion.usage.reasoning,
        cache_write_tokens=completion.usage.cache_write,
        thoughts=tuple(msgspec.to_builtins(thought) for thought in completion.thoughts),
        connection=completion.connection,
        instead_of=completion.instead_of,
    )


def _with_unique_ids(calls: tuple[ToolCall, ...]) -> tuple[dict[str, Any], ...]:
    """The calls as recorded; ids that are missing or repeated within one answer are made up."""
    ids = [call.id for call in calls]
    made_up = any(not one for one in ids) or len(set(ids)) < len(ids)
    plain: list[dict[str, Any]] = [msgspec.to_builtins(call) for call in calls]
    if made_up:
        plain = [{**call, "id": f"call_{i}"} for i, call in enumerate(plain)]
    return tuple(plain)
