"""What a condition can know: one event, and a fold of the run so far."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from aworld.events.action import ToolCalled, ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.envelope import UNSEQUENCED, Payload
from aworld.events.model import LlmResponded
from aworld.events.run import Limits
from aworld.events.traits import Severity, closes_span, opens_span, severity
from aworld.events.union import AnyPayload, Event, Offloaded
from aworld.runtime.limits import Account
from aworld.storage.offload import strings

Resolve = Callable[[Event], AnyPayload]
"""The whole payload of an event whose own lies in the blob store."""

_TOOL_PAYLOADS: Final = (ToolCalled, ToolReturned, ToolFailed, ToolOutcomeUnknown, Offloaded)
_WHOLE: Final = frozenset({"tool.called", "message.sent", "llm.responded"})
"""Kinds whose payload the fold itself must see whole."""
_NOT_TEXT: Final = frozenset(
    {
        "attachments",
        "call_id",
        "effect",
        "observation_hash",
        "request_hash",
        "sha256",
        "source",
        "team",
    }
)
"""Fields that no person reads; `team` is the definition, not something said."""

_encoder = msgspec.msgpack.Encoder(order="sorted")


class CountQuery(NamedTuple):
    """Which events are counted; "" does not restrict. `kind` may have a `*`."""

    kind: str = ""
    actor: str = ""
    tool: str = ""


class _Step(NamedTuple):
    """Where in a team something happens; the same in each version of it."""

    kind: str
    actor: str
    tool: str


class RunFacts:
    """A fold of a run's log: what was used, how often what happened, what repeats."""

    def __init__(self, limits: Limits, resolve: Resolve | None = None) -> None:
        self.account = Account(limits)
        self.errors = 0
        self.warnings = 0
        self.tool_calls = 0
        self.last_at = 0
        """UTC microseconds of the newest event."""
        self._resolve = resolve
        self._newest: Event | None = None
        self._newest_repeats = 0
        self._newest_us: int | None = None
        self._opened_at: dict[int, int] = {}
        self._steps: Counter[_Step] = Counter()
        self._counts: dict[CountQuery, int] = {}
        self._said: Counter[bytes] = Counter()

    def feed(self, event: Event) -> None:
        """Fold the log's next event."""
        if event.kind in _WHOLE:
            event = self._whole(event)
        self.account.add(event)
        self.last_at = event.at
        self._newest = event
        self._count(event)
        self._newest_us = self._time_span(event)
        key = _repeat_key(event)
        self._newest_repeats = 0 if key is None else self._said[key]
        if key is not None:
            self._said[key] += 1

    def about(self, event: Event) -> Facts:
        """What is known of an event: the one fed last, or a draft that may come next."""
        return Facts(event, self, self._resolve)

    def count(self, query: CountQuery) -> int:
        """How many events of this sort have been fed."""
        known = self._counts.get(query)
        if known is None:
            known = sum(n for step, n in self._steps.items() if _fits(query, step))
            self._counts[query] = known
        return known

    def repeats(self, event: Event) -> int:
        """How often the same actor made the same tool call, or said the same text to the same
        listeners, before; 0 for what is neither."""
        if self._is_newest(event):
            return self._newest_repeats
        key = _repeat_key(event)
        return 0 if key is None else self._said[key]

    def span_us(self, event: Event) -> int | None:
        """Microseconds of the span that the newest event closes; None for any other event."""
        return self._newest_us if self._is_newest(event) else None

    def _is_newest(self, event: Event) -> bool:
        newest = self._newest
        return newest is not None and event.seq != UNSEQUENCED and newest.seq == event.seq

    def _whole(self, event: Event) -> Event:
        if not isinstance(event.payload, Offloaded) or self._resolve is None:
            return event
        return msgspec.structs.replace(event, payload=self._resolve(event))

    def _count(self, event: Event) -> None:
        step = step_of(event)
        self._steps[step] += 1
        for query in self._counts:
            if _fits(query, step):
                self._counts[query] += 1
        if step.kind == "tool.called":
            self.tool_calls += 1
        worst: Severity = severity(event)
        if worst == 2:
            self.errors += 1
        elif worst == 1:
            self.warnings += 1

    def _time_span(self, event: Event) -> int | None:
        if opens_span(event):
            self._opened_at[event.seq] = event.at
        elif closes_span(event) and event.span is not None:
            opened = self._opened_at.pop(event.span, None)
            return None if opened is None else event.at - opened
        return None


class Facts:
    """One event beside the run so far. What costs time is worked out when it is asked for."""

    __slots__ = ("_plain", "_resolve", "_text", "_whole", "event", "kind", "run")

    def __init__(self, event: Event, run: RunFacts, resolve: Resolve | None = None) -> None:
        self.event = event
        self.run = run
        self.kind = event.kind
        self._resolve = resolve
        self._whole: AnyPayload | None = None
        self._plain: dict[str, Any] | None = None
        self._text: str | None = None

    @property
    def payload(self) -> AnyPayload:
        """The payload, from the blob store where it was offloaded."""
        payload = self.event.payload
        if not isinstance(payload, Offloaded) or self._resolve is None:
            return payload
        if self._whole is None:
            self._whole = self._resolve(self.event)
        return self._whole

    @property
    def plain(self) -> dict[str, Any]:
        """The payload as plain JSON values."""
        if self._plain is None:
            self._plain = msgspec.to_builtins(self.payload)
        return self._plain

    @property
    def text(self) -> str:
        """All that a person would read of the payload, one value a line."""
        if self._text is None:
            self._text = "\n".join(filter(None, _texts(self.payload)))
        return self._text

    @property
    def tool(self) -> str:
        """The tool's name on `tool.*` events, else ""."""
        return tool_of(self.event)


def tool_of(event: Event) -> str:
    """The tool's name on `tool.*` events, else ""."""
    payload = event.payload
    return payload.tool if isinstance(payload, _TOOL_PAYLOADS) else ""


def step_of(event: Event) -> _Step:
    """The event's step: kind, actor and tool."""
    return _Step(event.kind, event.actor, tool_of(event))


@cache
def kind_fits(glob: str, kind: str) -> bool:
    """Whether a kind is meant by `tool.failed` or `tool.*`."""
    return fnmatchcase(kind, glob)


def _fits(query: CountQuery, step: _Step) -> bool:
    return (
        (not query.actor or query.actor == step.actor)
        and (not query.tool or query.tool == step.tool)
        and (not query.kind or kind_fits(query.kind, step.kind))
    )


def _repeat_key(event: Event) -> bytes | None:
    """What two events have in common that say or do the same again."""
    payload = event.payload
    said: Any
    if isinstance(payload, ToolCalled):
        said = ("call", payload.tool, payload.arguments)
    elif isinstance(payload, MessageSent):
        said = ("message", payload.content, event.recipients, event.topic)
    elif isinstance(payload, LlmResponded) and payload.text and not payload.tool_calls:
        # With calls it is the calls that repeat or not, whatever is said beside them.
        said = ("answer", payload.text)
    else:
        return None
    return hashlib.blake2b(_encoder.encode((event.actor, said)), digest_size=16).digest()


def _texts(payload: Payload) -> Iterator[str]:
    if isinstance(payload, LlmResponded):
        yield from (payload.text, payload.reasoning)
        for call in payload.tool_calls:
            yield from strings([call.get(name) for name in ("name", "arguments", "raw", "error")])
        return
    for name, value in msgspec.structs.asdict(payload).items():
        if name not in _NOT_TEXT:
            yield from strings(value)
