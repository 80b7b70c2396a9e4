"""What the index and the level of detail need to know of one event, whatever the backend."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from aworld.events import traits
from aworld.events.action import ToolCalled, ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.model import LlmFailed, LlmResponded
from aworld.events.union import AnyPayload, Event, Offloaded, Unknown
from aworld.storage.base import FAMILIES


class Facts(NamedTuple):
    """One event's row in the index."""

    seq: int
    at: int
    kind: str
    actor: str
    tool: str
    """The tool's name where the lane is a tool's, else ""."""
    severity: int
    closes: int | None
    """Seq of the opener whose span ends here."""
    tokens: int
    """Input and output tokens."""
    cost_usd: float

    @property
    def lane(self) -> str:
        """The timeline's lane, as `aworld.events.traits.lane` has it."""
        return f"{self.actor}/{self.tool}" if self.tool else self.actor


def facts(event: Event, payload: AnyPayload) -> Facts:
    """An event's facts. `payload` is the whole one where the event's own is offloaded."""
    kind = event.kind
    tool = ""
    if kind.startswith("tool."):
        if isinstance(
            payload, ToolCalled | ToolReturned | ToolFailed | ToolOutcomeUnknown | Offloaded
        ):
            tool = payload.tool
    elif isinstance(payload, LlmResponded):
        return Facts(
            event.seq, event.at, kind, event.actor, "", 0, event.span,
            payload.input_tokens + payload.output_tokens, payload.cost_usd or 0.0,
        )  # fmt: skip
    elif isinstance(payload, LlmFailed) and payload.will_retry:
        return Facts(event.seq, event.at, kind, event.actor, "", 1, None, 0, 0.0)
    severity, closes = _of_kind(kind)
    return Facts(
        event.seq, event.at, kind, event.actor, tool, severity,
        event.span if closes else None, 0, 0.0,
    )  # fmt: skip


@cache
def family_index(kind: str) -> int:
    """Index into `FAMILIES` of a kind's family."""
    return FAMILIES.index(traits.family(kind))


@cache
def _of_kind(kind: str) -> tuple[int, bool]:
    """Severity, and whether a span is closed, of an event of this kind.

    `traits` answers for an event; asked once a kind it costs the append nothing.
    """
    stand_in = Event("", 0, 0, "", Unknown(of=kind, data={}), span=0)
    return traits.severity(stand_in), traits.closes_span(stand_in)
