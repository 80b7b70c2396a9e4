"""What the index and the level of detail need to know of one event, whatever the backend."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from aworld.events import traits
from aworld.events.action import ToolCalled, ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.model import LlmFailed, LlmResponded
from aworld.events.union import KINDS, AnyPayload, Event, Offloaded, Unknown
from aworld.storage.base import FAMILIES

# One look at the type for the many; what stands for another payload says its kind itself.
_KIND_OF: Final = {
    cls: kind for kind, cls in KINDS.items() if not issubclass(cls, Offloaded | Unknown)
}
_TOOL_PAYLOADS: Final = (ToolCalled, ToolReturned, ToolFailed, ToolOutcomeUnknown, Offloaded)
_TOOL_KINDS: Final = frozenset(kind for kind in KINDS if kind.startswith("tool."))


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
    kind = _KIND_OF.get(type(payload)) or event.kind
    severity, closes = _of_kind(kind)
    tool = ""
    if isinstance(payload, LlmResponded):
        tokens = payload.input_tokens + payload.output_tokens
        cost = payload.cost_usd or 0.0
        return Facts(event.seq, event.at, kind, event.actor, "", severity, event.span, tokens, cost)
    if kind in _TOOL_KINDS:
        if isinstance(payload, _TOOL_PAYLOADS):
            tool = payload.tool
    elif isinstance(payload, LlmFailed) and payload.will_retry:
        severity, closes = 1, False  # The span goes on.
    span = event.span if closes else None
    return Facts(event.seq, event.at, kind, event.actor, tool, severity, span, 0, 0.0)


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
