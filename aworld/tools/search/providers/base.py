"""What a provider of web search is: how to ask it, and where its answer has what."""

from __future__ import annotations

import abc
from typing import Any, ClassVar, NamedTuple


class WebResult(NamedTuple):
    """One place of the web."""

    title: str
    url: str
    snippet: str
    date: str = ""
    """When it was published, in the provider's words."""


class ProviderRequest(NamedTuple):
    """An HTTP request."""

    method: str
    url: str
    headers: dict[str, str] = {}
    query: dict[str, str] = {}
    body: dict[str, Any] | None = None


class Answer(NamedTuple):
    """A provider's answer."""

    results: list[WebResult]
    direct: str = ""
    """An answer of the provider's own, where it gives one."""


class Provider(abc.ABC):
    """One provider. Keeps nothing."""

    name: ClassVar[str]
    title: ClassVar[str]
    variable: ClassVar[str]
    """The environment variable that has its key, or its address where it needs no key."""
    base_url: ClassVar[str] = ""
    needs_key: ClassVar[bool] = True

    @abc.abstractmethod
    def request(self, base_url: str, key: str, query: str, limit: int) -> ProviderRequest:
        """How to ask."""

    @abc.abstractmethod
    def answer(self, reply: Any) -> Answer:
        """What it said.

        Raises:
            KeyError, TypeError, AttributeError: the reply has another shape.
        """

    def problem(self, status: int, reply: Any) -> str:
        """The provider's own words on an error; "" where it has none."""
        return found_words(reply)


def found_words(reply: Any) -> str:
    """The first message in an error's JSON, wherever it stands."""
    if isinstance(reply, str):
        return reply
    if isinstance(reply, dict):
        for name in ("detail", "message", "error", "error_message"):
            words = found_words(reply.get(name))
            if words:
                return words
    if isinstance(reply, list):
        return next(filter(None, map(found_words, reply)), "")
    return ""
