"""What the debugger's endpoints take, and what the API's description says of their answers."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Schema


class RunToIn(Schema):
    """The step to stop at."""

    seq: int


class EditIn(Schema):
    """The event `target`, and the fields of its payload that change."""

    target: int
    after: dict[str, Any]


class SubstituteIn(Schema):
    """The open span, -1 for what is held back, and the fields of the payload that closes it."""

    span: int
    payload: dict[str, Any]


class BreakpointsIn(Schema):
    """Breakpoints as `aworld.runtime.breakpoints.Breakpoint` describes them."""

    breakpoints: list[Any]


class TryIn(Schema):
    """Breakpoints to try on past runs: of all teams, or of one by its id or name."""

    breakpoints: list[Any]
    team: str = ""
    limit_runs: int = 200


class ForkIn(Schema):
    """The last step that is shared, what changes in it, and a policy for each tool."""

    at: int
    edits: dict[str, dict[str, Any]] = {}
    policies: dict[str, str] = {}


class HoldIn(Schema):
    """Take the debugger, or give it back."""

    take: bool


class MessageShown(Schema):
    """One message of a node's context."""

    seq: int
    role: str
    content: str
    tool_calls: list[dict[str, Any]]
    edited: bool


class OpenCallOut(Schema):
    """An effect that has not come back; `kind` of the event that opened it."""

    span: int
    kind: str
    what: str
    since: int


class NodeOut(Schema):
    """One node after a step."""

    name: str
    node_type: str
    role: str
    present: bool
    phase: str
    messages: list[MessageShown]
    messages_total: int
    open_calls: list[OpenCallOut]
    state: dict[str, Any]
    changed: list[str]


class SpentOut(Schema):
    """How much of a budget was used."""

    used: float
    limit: float | None


class HeldOut(Schema):
    """What would be carried out next."""

    actor: str
    payload: dict[str, Any]


class EditOut(Schema):
    """An edit that was made: `seq` is its own, `target` the changed event's."""

    target: int
    by: str
    seq: int


class StateOut(Schema):
    """What every node knew after a step."""

    seq: int
    at: int
    paused: bool
    ended: bool
    nodes: list[NodeOut]
    budget: dict[str, SpentOut]
    held: HeldOut | None
    edits: list[EditOut]


class EffectOut(Schema):
    """What the parent did behind the fork, and the policy for its like."""

    seq: int
    actor: str
    what: str
    request: Any
    policy: str


class CatchUpOut(Schema):
    """How a fork would bring its environment's world back: by the snapshot of a step (null where
    the world is reset), then so many actions repeated."""

    snapshot_seq: int | None
    repeated: int
    text: str


class ForkPlanOut(Schema):
    """What would be done again; `environment` is null where the run has none."""

    effects: list[EffectOut]
    counts: dict[Literal["live", "replay", "mock", "ask"], int]
    environment: CatchUpOut | None


class BranchOut(Schema):
    """A run among those it was forked from and those forked from it."""

    run_id: str
    status: str
    parent_seq: int
    answer: str
    error: str
    created_at: int
    children: list[BranchOut]


class FamilyOut(Schema):
    """The whole tree."""

    root: BranchOut


class DifferenceOut(Schema):
    """Where the log and the nodes part."""

    seq: int
    recorded: dict[str, Any] | None
    produced: dict[str, Any] | None


class ReplayOut(Schema):
    """What a replay found; `text` says it in a sentence."""

    identical: bool
    compared: int
    last_seq: int
    difference: DifferenceOut | None
    text: str


class HolderOut(Schema):
    """Who debugs the run, until when (UTC microseconds)."""

    by: str
    until: int


class HoldOut(Schema):
    """None where nobody does."""

    holder: HolderOut | None


class PlaceOut(Schema):
    """Where a run would have stopped."""

    run_id: str
    seq: int
    breakpoint: str
    note: str


class TrialOut(Schema):
    """What breakpoints would have done in past runs."""

    stops: int
    runs_stopped: int
    runs_looked_at: int
    places: list[PlaceOut]
