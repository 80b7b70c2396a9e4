"""`ScriptedModel`: a model that says what it was told to say. For tests, demos and docs."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence

from aworld.errors import ProviderError
from aworld.llm.base import Completion, ModelRequest, OnChunk, OnRetry
from aworld.llm.textual_calls import with_textual_calls

Answer = str | Completion | Exception
Reply = Answer | Callable[[ModelRequest], Answer]
"""What one call gives: a text, a whole completion, an error that is raised, or a function of the
request that returns one of these."""

_WORD = re.compile(r"\s*\S+\s*")


class ScriptedModel:
    """Replies in the order given and keeps every request in `requests`.

    With a mapping each list of replies belongs to the agents whose system message contains its
    key, so that one model can play a whole team. A text with `<tool_call>` blocks becomes tool
    calls, as with a real model.
    """

    def __init__(
        self,
        replies: Sequence[Reply] | Mapping[str, Sequence[Reply]] = (),
        *,
        name: str = "scripted",
        repeat_last: bool = False,
        delay_s: float = 0.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """With `repeat_last` the last reply is given for ever; `delay_s` passes before each reply,
        through `sleep`."""
        lists = replies if isinstance(replies, Mapping) else {"": replies}
        self._replies = {key: deque(items) for key, items in lists.items()}
        self._name = name
        self._repeat_last = repeat_last
        self._delay_s = delay_s
        self._sleep = sleep
        self.requests: list[ModelRequest] = []

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def left(self) -> int:
        """How many replies were not used yet."""
        return sum(len(replies) for replies in self._replies.values())

    async def complete(
        self,
        request: ModelRequest,
        *,
        on_chunk: OnChunk | None = None,
        on_retry: OnRetry | None = None,
    ) -> Completion:
        """The next reply.

        Raises:
            ProviderError: the script is at its end, or names no such agent.
            Exception: whatever error the script holds.
        """
        self.requests.append(request)
        reply = self._next(request)
        if self._delay_s:
            await self._sleep(self._delay_s)
        answer = reply(request) if callable(reply) else reply
        if isinstance(answer, Exception):
            raise answer
        completion = answer
        if isinstance(completion, str):
            completion = Completion(text=completion, model=self._name)
        if on_chunk is not None:
            for piece in _WORD.findall(completion.text):
                on_chunk(piece)
        return with_textual_calls(completion, request)

    async def aclose(self) -> None:
        """Nothing to give back."""

    def _next(self, request: ModelRequest) -> Reply:
        system = "\n".join(m.content for m in request.messages if m.role == "system")
        for key, replies in self._replies.items():
            if key not in system:
                continue
            if not replies:
                raise ProviderError(
                    f"The script of model {self._name!r} is at its end: call "
                    f"{len(self.requests)} has no reply. Add one, or set repeat_last."
                )
            keep = self._repeat_last and len(replies) == 1
            return replies[0] if keep else replies.popleft()
        raise ProviderError(
            f"The script of model {self._name!r} has no replies for this agent: none of "
            f"{list(self._replies)} is in its system message."
        )
