"""What the index and the level of detail need to know of one event, whatever the backend."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from aworld.events import traits
from aworld.events.action import ToolCalled, ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.model import LlmFailed, LlmResponded
from aworld.events.union import KINDS, AnyPayload, Event, Offloaded, Unknown
from aworld.storage.base import FAMILIES

_TOOL_PAYLOADS: Final = (ToolCalled, ToolReturned, ToolFailed, ToolOutcomeUnknown, Offloaded)


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


class _Plan(NamedTuple):
    """What an event's payload type tells."""

    kind: str
    severity: int
    closes: bool
    is_tool: bool
    is_usual: bool
    """Whether nothing in the payload changes any of it."""


def facts(event: Event, payload: AnyPayload) -> Facts:
    """An event's facts. `payload` is the whole one where the event's own is offloaded."""
    plan = _PLANS.get(type(payload)) or _plan(event.kind)
    kind, severity, closes, is_tool, is_usual = plan
    # By position and without a call between: every append pays this for every event.
    if is_usual:
        span = event.span if closes else None
        return _new(Facts, (event.seq, event.at, kind, event.actor, "", severity, span, 0, 0.0))
    tool, tokens, cost = "", 0, 0.0
    if isinstance(payload, LlmResponded):
        tokens = payload.input_tokens + payload.output_tokens
        cost = payload.cost_usd or 0.0
    elif is_tool:
        if isinstance(payload, _TOOL_PAYLOADS):
            tool = payload.tool
    elif isinstance(payload, LlmFailed) and payload.will_retry:
        severity, closes = 1, False  # The span goes on.
    span = event.span if closes else None
    return _new(Facts, (event.seq, event.at, kind, event.actor, tool, severity, span, tokens, cost))


@cache
def family_index(kind: str) -> int:
    """Index into `FAMILIES` of a kind's family."""
    return FAMILIES.index(traits.family(kind))


@cache
def _plan(kind: str) -> _Plan:
    """`traits` answers for an event; asked once a kind it costs the append nothing."""
    stand_in = Event("", 0, 0, "", Unknown(of=kind, data={}), span=0)
    severity, closes = traits.severity(stand_in), traits.closes_span(stand_in)
    is_tool = kind.startswith("tool.")
    return _Plan(kind, severity, closes, is_tool, not is_tool and not kind.startswith("llm."))


# One look at the type for the many; what stands for another payload says its kind itself.
_PLANS: Final = {
    cls: _plan(kind) for kind, cls in KINDS.items() if not issubclass(cls, Offloaded | Unknown)
}
_new: Final = tuple.__new__
