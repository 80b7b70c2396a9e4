"""A chain of connections: where one fails, the next is asked, and the log says which and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from aworld.errors import ProviderError
from aworld.llm.base import Completion, Model, ModelRequest, OnChunk, OnRetry
from aworld.llm.limits.rules import BudgetSpent
from aworld.llm.retries import RetryPolicy

REST_S = 30.0
"""A connection that failed is not asked first again before that."""
BESIDE_OTHERS = RetryPolicy(attempts=2, timeouts=1, longest_wait=5.0)
"""How patient a connection is behind which another one waits."""


class Link(msgspec.Struct, frozen=True):
    """One connection of a chain."""

    connection: str
    """Its name."""
    model: Model


class FallbackModel:
    """Asks the first connection, and the next where that one fails for whatever reason.

    A connection that failed rests for half a minute, so that not every call of a run waits for a
    server that is down; if all rest, all are asked in their order.
    """

    def __init__(
        self, links: Sequence[Link], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`links` holds the agent's own connection first; at least one."""
        self._links = tuple(links)
        self._clock = clock
        self._failed: dict[str, tuple[float, str]] = {}
        """Connection → when it failed last, and why."""

    @property
    def name(self) -> str:
        """The model's name of the first connection."""
        return self._links[0].model.name

    async def complete(
        self,
        request: ModelRequest,
        *,
        on_chunk: OnChunk | None = None,
        on_retry: OnRetry | None = None,
    ) -> Completion:
        """The answer of the first connection that gives one.

        Its fields `connection` and `instead_of` say which, and why not an earlier one. Each failed
        connection is told to `on_retry`.

        Raises:
            ProviderError: all failed; the message has each one's reason.
        """
        order = self._order()
        why = self._resting(order[0])
        reasons: list[str] = []
        for position, link in enumerate(order):
            try:
                completion = await link.model.complete(
                    request, on_chunk=on_chunk, on_retry=on_retry
                )
            except ProviderError as error:
                why = f"{link.connection!r} failed: {error}"
                reasons.append(why)
                if not isinstance(error, BudgetSpent):
                    self._failed[link.connection] = (self._clock(), why)
                if position + 1 == len(order):
                    raise self._all_failed(reasons, error) from error
                if on_retry is not None:
                    on_retry(_next_is_asked(error, link, order[position + 1]), 0.0)
            else:
                self._failed.pop(link.connection, None)
                return msgspec.structs.replace(
                    completion, connection=link.connection, instead_of=why
                )
        raise AssertionError("a chain has at least one connection")

    async def aclose(self) -> None:
        """Give back all connections."""
        for link in self._links:
            await link.model.aclose()

    def _order(self) -> list[Link]:
        """The chain, with those that rest at its end."""
        now = self._clock()
        rests = [
            link.connection in self._failed and now - self._failed[link.connection][0] < REST_S
            for link in self._links
        ]
        ready = [link for link, rest in zip(self._links, rests, strict=True) if not rest]
        return ready + [link for link, rest in zip(self._links, rests, strict=True) if rest]

    def _resting(self, first: Link) -> str:
        """Why the chain does not begin with its own first connection; "" where it does."""
        own = self._links[0].connection
        return "" if first is self._links[0] else f"shortly before, {self._failed[own][1]}"

    def _all_failed(self, reasons: list[str], last: ProviderError) -> ProviderError:
        if len(reasons) == 1:
            return last
        return ProviderError(
            f"All {len(reasons)} model connections of the chain failed. {' '.join(reasons)}",
            status=last.status,
        )


def _next_is_asked(error: ProviderError, failed: Link, following: Link) -> ProviderError:
    words = str(error).rstrip(".")
    return ProviderError(
        f"Model connection {failed.connection!r} failed: {words}. {following.connection!r} is "
        "asked next.",
        status=error.status,
        retryable=True,
    )
