"""What a paused run would carry out next."""

from __future__ import annotations

from collections.abc import Sequence

from aworld.events.run import NodeJoined
from aworld.events.union import Event
from aworld.runtime.drafts import Drafter
from aworld.runtime.effective_log import as_seen
from aworld.runtime.machine import Wish
from aworld.runtime.node import AnyNode, CallModel
from aworld.runtime.playhead import Fold
from aworld.runtime.recovery import read_log, whole
from aworld.runtime.replay import Replay, drafter_for
from aworld.storage.base import RunRecord, Store

LONG = 20_000
"""Events from which on a run is not replayed just to show this."""


def held_back(
    store: Store, record: RunRecord, nodes: Sequence[AnyNode], fold: Fold
) -> Event | None:
    """The draft of what comes next; None where the nodes wait for something.

    `fold` is the run's state now. In a long run it is asked what its nodes want; who of several
    comes first may then differ.
    """
    if record.last_seq < LONG:
        return next_wanted(read_log(store, record.run_id), nodes)
    drafter = Drafter(record.run_id, task_id=record.task_id, attempt=record.attempt)
    for node in fold.machine.nodes.values():
        for intent in node.decide(fold.machine.states[node.name]):
            _remember(drafter, store, record.run_id, node.name, intent)
            return drafter.draft(Wish(node, intent))
    return None


def next_wanted(log: Sequence[Event], nodes: Sequence[AnyNode]) -> Event | None:
    """The draft that would be recorded next if the run of this log were resumed now.

    None where the nodes wait, or the log does not fit them. `nodes` are fresh ones.
    """
    follower = Replay(nodes, drafter_for(log[0].run_id, log[0]))
    for step in as_seen(log):
        if follower.feed(step) is not None:
            return None
    if not follower.expected:
        # Held before they were asked: ask them what they will want.
        follower.machine.paused = False
        follower.expected.extend(follower.drafter.draft(w) for w in follower.machine.wishes())
    return follower.expected[0] if follower.expected else None


def _remember(drafter: Drafter, store: Store, run_id: str, name: str, intent: object) -> None:
    """Tell the drafter what the prompt is made of."""
    wanted = set(intent.context) if isinstance(intent, CallModel) else set()
    for event in store.query(run_id, kinds=("node.joined",), actors=(name,)):
        if isinstance(store.resolve(event), NodeJoined):
            wanted.add(event.seq)
    for event in store.read_seqs(run_id, sorted(wanted)):
        drafter.add(whole(store, event))
