"""Who answers a search. An app registers its provider when Django is ready."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Found(NamedTuple):
    """What one provider has for a text."""

    hits: list[dict[str, Any]]
    indexed: bool
    """Whether everything there is was looked through."""


Provider = Callable[[str, int], Found]
"""Called with the text and the most hits wanted."""

_providers: dict[str, Provider] = {}


def register(name: str, provider: Provider) -> None:
    """Let `provider` answer searches; the same name again replaces it."""
    _providers[name] = provider


def search(text: str, limit: int = 50) -> Found:
    """All providers' hits, in the order of their registration."""
    found = [provider(text, limit) for provider in _providers.values()]
    return Found(
        hits=[hit for part in found for hit in part.hits],
        indexed=all(part.indexed for part in found),
    )
