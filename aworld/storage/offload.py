"""Which payloads leave the log for the blob store, and which blobs an event names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from aworld.events.action import (
    EnvironmentObserved,
    ToolCalled,
    ToolFailed,
    ToolOutcomeUnknown,
    ToolReturned,
)
from aworld.events.union import (
    AnyPayload,
    Event,
    Offloaded,
    encode,
    encode_payload,
    kind_of,
)
from aworld.storage.base import OFFLOAD_BYTES

PREVIEW_CHARACTERS: Final = 1000

SURELY_SMALL: Final = OFFLOAD_BYTES // 6
"""An event of no more MessagePack than this stays whole: its JSON is never more than six times as
long (a control character as \\u00XX)."""


NAMING: Final = frozenset({Offloaded, ToolReturned, EnvironmentObserved})
"""Payloads that may name blobs."""


class Prepared(NamedTuple):
    """An event as the log keeps it."""

    event: Event
    """The event; its payload `Offloaded` where it was too large."""
    data: bytes
    """`event` in MessagePack."""
    blobs: tuple[str, ...]
    """The sha256 of each blob that the event names."""


def prepare(event: Event, put_blob: Callable[[bytes], str]) -> Prepared:
    """Make an event ready for a block; writes its blob first where its payload is too large."""
    data = encode(event)
    payload = event.payload
    blobs = named_blobs(payload) if type(payload) in NAMING else ()
    if len(data) > SURELY_SMALL and not isinstance(payload, Offloaded):
        whole = encode_payload(payload)
        if len(whole) > OFFLOAD_BYTES:
            stand_in = _stand_in(payload, put_blob(whole), len(whole))
            event = msgspec.structs.replace(event, payload=stand_in)
            data = encode(event)
            blobs = (*blobs, stand_in.blob)
    return Prepared(event, data, blobs)


def named_blobs(payload: AnyPayload) -> tuple[str, ...]:
    """The sha256 of each blob a payload refers to: its own, attachments', observations'."""
    if isinstance(payload, Offloaded):
        return (payload.blob,)
    if isinstance(payload, ToolReturned):
        if payload.attachments or payload.data is not None:
            return tuple(_digests((payload.attachments, payload.data)))
    elif isinstance(payload, EnvironmentObserved):
        return tuple(_digests(payload.observation))
    return ()


def _stand_in(payload: AnyPayload, blob: str, size: int) -> Offloaded:
    texts = " ".join(strings(msgspec.to_builtins(payload), but=("kind",)))
    tool = ""
    if isinstance(payload, ToolCalled | ToolReturned | ToolFailed | ToolOutcomeUnknown):
        tool = payload.tool
    return Offloaded(
        of=kind_of(payload),
        blob=blob,
        size=size,
        preview=texts[:PREVIEW_CHARACTERS],
        tool=tool,
    )


def strings(value: Any, *, but: tuple[str, ...] = ()) -> Iterator[str]:
    """Every text in a tree of plain values, in order; without the values of these keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in but:
                yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def _digests(value: Any) -> Iterator[str]:
    for text in strings(value):
        if len(text) == 64 and set(text) <= set("0123456789abcdef"):
            yield text
