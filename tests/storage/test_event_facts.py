"""The index's facts are what the traits of events say, for every kind."""

from __future__ import annotations

import msgspec
import pytest

from aworld.events import traits
from aworld.events.model import LlmFailed, LlmResponded
from aworld.events.union import KINDS, AnyPayload, Event, Offloaded, Unknown
from aworld.storage.event_facts import facts

FILLING = {str: "x", int: 1, float: 0.5, dict: {}, tuple: (), list: []}


def example(cls: type) -> AnyPayload:
    """A payload of this kind with something in each field that must be given."""
    given = {}
    for field in msgspec.structs.fields(cls):
        if field.required:
            origin = getattr(field.type, "__origin__", field.type)
            given[field.name] = FILLING.get(origin, "x")
    payload: AnyPayload = cls(**given)
    return payload


PAYLOADS = [
    *(example(cls) for kind, cls in KINDS.items() if not kind.startswith("payload.")),
    LlmFailed("429", will_retry=True),
    Offloaded(of="tool.returned", blob="0" * 64, size=1, preview="", tool="files"),
    Offloaded(of="llm.failed", blob="0" * 64, size=1, preview=""),
    Unknown(of="dream.dreamt", data={}),
]


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: type(payload).__name__)
def test_facts_agree_with_traits(payload: AnyPayload) -> None:
    event = Event("r", 7, 1000, "ann", payload, span=3)
    found = facts(event, payload)
    assert (found.seq, found.at, found.kind, found.actor) == (7, 1000, event.kind, "ann")
    assert found.severity == traits.severity(event)
    assert found.closes == (3 if traits.closes_span(event) else None)
    assert found.lane == traits.lane(event)


def test_a_response_counts_its_tokens_and_its_cost() -> None:
    payload = LlmResponded("", input_tokens=2, output_tokens=3, cost_usd=0.5)
    found = facts(Event("r", 0, 0, "ann", payload), payload)
    assert (found.tokens, found.cost_usd) == (5, 0.5)
