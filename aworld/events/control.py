"""`breakpoint.*`, `edit.*`, `fork.*`: what a person does to a run."""

from __future__ import annotations

from typing import Any

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
