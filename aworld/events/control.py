"""`breakpoint.*`, `edit.*`, `fork.*`, `gate.*`: what people and hooks do to a run."""

from __future__ import annotations

from typing import Any, Literal

from aworld.events.envelope import Payload


class BreakpointHit(Payload, frozen=True, tag="breakpoint.hit"):
    """The run stopped, or a logpoint wrote."""

    breakpoint: str
    """Its id; `step` where a single step ended."""
    at_seq: int
    """The event after which the nodes were held."""
    note: str = ""
    before: bool = False
    """Held after the nodes had been asked what they want, but before it was carried out."""
    stop: bool = True
    """False for a logpoint: it only writes."""


class EditApplied(Payload, frozen=True, tag="edit.applied"):
    """A person changed what the nodes see of an earlier event."""

    target: int
    """Seq of the changed event."""
    before: dict[str, Any]
    after: dict[str, Any]
    by: str = ""
    command: int = -1
    """Number of the command that carried it; -1 where none did."""


class ForkCreated(Payload, frozen=True, tag="fork.created"):
    """This run shares its parent's events up to and including `parent_seq`."""

    parent_run_id: str
    parent_seq: int
    policies: dict[str, str] = {}
    """Tool name to `replay`, `mock`, `live` or `ask`."""


class GateDecided(Payload, frozen=True, tag="gate.decided"):
    """A call, or its result, did not simply pass the gate: it was refused or changed."""

    call: int
    """Seq of the call."""
    by: str
    """`hook:<name>`, `person:<name>`, or `approval` where nobody answered in time."""
    decision: Literal["deny", "change"]
    stage: Literal["before", "after"] = "before"
    """Whether it is about the call or about its result."""
    reason: str = ""
    changed: dict[str, Any] = {}
    """The arguments that took the place of the recorded ones, or the changed fields of the
    result, whose earlier values are not kept."""
