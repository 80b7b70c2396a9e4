"""The one door to the log's bytes: the union of all kinds, its encoder and its decoder."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from aworld.errors import Unwritable
from aworld.events import (
    action,
    control,
    conversation,
    coordination,
    model,
    run,
    training,
)
from aworld.events.envelope import SCHEMA_VERSION, UNSEQUENCED, Payload


class Offloaded(Payload, frozen=True, tag="payload.offloaded"):
    """Stands for a payload too large for the log; the whole of it lies in the blob store."""

    of: str
    """The kind of the payload it stands for."""
    blob: str
    """sha256 of the JSON-encoded payload."""
    size: int
    """Bytes of the JSON-encoded payload."""
    preview: str
    """Its first text, at most 1,000 characters."""
    tool: str = ""
    """The tool's name where the payload is a tool's, so that the lane is known without the blob."""


class Unknown(Payload, frozen=True, tag="payload.unknown"):
    """A payload written by a newer version: kept whole, shown as it is."""

    of: str
    data: dict[str, Any]


AnyPayload = (
    run.RunCreated
    | run.RunStarted
    | run.RunPaused
    | run.RunResumed
    | run.RunParked
    | run.RunFinished
    | run.RunFailed
    | run.RunCancelled
    | run.RunLost
    | run.NodeJoined
    | run.NodeLeft
    | run.LimitReached
    | run.ErrorRaised
    | conversation.MessageSent
    | conversation.PlanProposed
    | conversation.PlanRevised
    | conversation.ReflectionMade
    | conversation.VerificationPassed
    | conversation.VerificationFailed
    | conversation.PersonAsked
    | conversation.PersonAnswered
    | model.LlmRequested
    | model.LlmResponded
    | model.LlmFailed
    | action.ToolCalled
    | action.ToolReturned
    | action.ToolFailed
    | action.ToolOutcomeUnknown
    | action.EnvironmentReset
    | action.EnvironmentObserved
    | action.EnvironmentStepped
    | action.EnvironmentSubmitted
    | action.EnvironmentVerified
    | action.EnvironmentFailed
    | coordination.ConflictDetected
    | coordination.ConflictResolved
    | coordination.DuplicateDropped
    | coordination.WeightAssigned
    | coordination.RewardAssigned
    | control.BreakpointHit
    | control.EditApplied
    | control.ForkCreated
    | control.GateDecided
    | training.TrainingStep
    | training.TrainingEvaluated
    | training.TrainingCheckpointed
    | Offloaded
    | Unknown
)

KINDS: Final[dict[str, type[Payload]]] = {
    str(cls.__struct_config__.tag): cls for cls in AnyPayload.__args__
}
_KIND_OF: Final[dict[type, str]] = {cls: kind for kind, cls in KINDS.items()}


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened. Immutable once it has its seq."""

    run_id: str
    seq: int
    """Dense in the run: 0, 1, 2 … without gaps. -1 on a draft."""
    at: int
    """UTC, microseconds since the Unix epoch; never decreasing within a run."""
    actor: str
    """The node's name, `supervisor`, or `person:<user name>`."""
    payload: AnyPayload
    role: str = ""
    task_id: str = ""
    attempt: int = 0
    span: int | None = None
    """Seq of the event that opened the span this one belongs to; its own seq on the opener."""
    parent: int | None = None
    """Seq of the event that opened the enclosing span."""
    caused_by: tuple[int, ...] = ()
    """Seqs of the events this one answers: message causality."""
    topic: str = ""
    recipients: tuple[str, ...] = ()
    """Node names; empty with an empty topic means everyone."""
    schema_version: int = SCHEMA_VERSION

    @property
    def kind(self) -> str:
        """`llm.requested` and so on; for an offloaded payload, the kind it stands for."""
        payload = self.payload
        if isinstance(payload, Offloaded | Unknown):
            return payload.of
        return _KIND_OF[type(payload)]


def kind_of(payload: Payload) -> str:
    """The kind a payload stands for."""
    if isinstance(payload, Offloaded | Unknown):
        return payload.of
    return _KIND_OF[type(payload)]


_msgpack_encoder = msgspec.msgpack.Encoder()
_msgpack_decoder = msgspec.msgpack.Decoder(Event)
_msgpack_list_decoder = msgspec.msgpack.Decoder(list[Event])
_json_encoder = msgspec.json.Encoder()
_json_decoder = msgspec.json.Decoder(Event)
_payload_json_decoder = msgspec.json.Decoder(AnyPayload)


def encode(event: Event) -> bytes:
    """MessagePack bytes of one event.

    Raises:
        Unwritable: a field holds what has no such bytes.
    """
    try:
        return _msgpack_encoder.encode(event)
    except (OverflowError, UnicodeEncodeError, RecursionError, TypeError) as error:
        raise Unwritable(
            f"The {event.kind!r} of {event.actor!r} in run {event.run_id!r} cannot be recorded: "
            f"{error}. Give text, lists, objects and numbers of at most 64 bits."
        ) from error


def encode_many(events: list[Event]) -> bytes:
    """MessagePack bytes of a block of events."""
    return _msgpack_encoder.encode(events)


def decode(data: bytes | memoryview) -> Event:
    """The event in MessagePack bytes; an unknown kind is kept as `Unknown`."""
    try:
        return _msgpack_decoder.decode(data)
    except msgspec.ValidationError:
        return _decode_newer(msgspec.msgpack.decode(data))


def decode_many(data: bytes | memoryview) -> list[Event]:
    """The events of a block."""
    try:
        return _msgpack_list_decoder.decode(data)
    except msgspec.ValidationError:
        return [_decode_newer(raw) for raw in msgspec.msgpack.decode(data)]


def encode_json(event: Event) -> bytes:
    """UTF-8 JSON of one event, as the browser and exports get it; never `\\uXXXX`."""
    return _json_encoder.encode(event)


def decode_json(data: bytes | str) -> Event:
    """The event in JSON."""
    try:
        return _json_decoder.decode(data)
    except msgspec.ValidationError:
        return _decode_newer(msgspec.json.decode(data))


def encode_payload(payload: Payload) -> bytes:
    """JSON of a payload alone, as blobs keep it."""
    return _json_encoder.encode(payload)


def decode_payload(data: bytes) -> AnyPayload:
    """The payload in a blob's JSON."""
    return _payload_json_decoder.decode(data)


def _decode_newer(raw: dict[str, Any]) -> Event:
    """An event whose payload this version does not know, or knows otherwise."""
    payload = raw.get("payload") or {}
    try:
        known: AnyPayload = msgspec.convert(payload, AnyPayload)
    except msgspec.ValidationError:
        data = {key: value for key, value in payload.items() if key != "kind"}
        known = Unknown(of=str(payload.get("kind", "?")), data=data)
    rest = {key: value for key, value in raw.items() if key != "payload"}
    return msgspec.convert({**rest, "payload": msgspec.to_builtins(known)}, Event)


def draft(
    run_id: str,
    actor: str,
    payload: AnyPayload,
    *,
    role: str = "",
    task_id: str = "",
    attempt: int = 0,
    span: int | None = None,
    parent: int | None = None,
    caused_by: tuple[int, ...] = (),
    topic: str = "",
    recipients: tuple[str, ...] = (),
) -> Event:
    """An event without its number: what a node hands to the bus."""
    # By position: collecting keywords first would cost three times as much, once an event.
    return Event(
        run_id, UNSEQUENCED, 0, actor, payload, role, task_id, attempt, span, parent, caused_by,
        topic, recipients,
    )  # fmt: skip
