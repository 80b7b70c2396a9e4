"""All nodes of a run as one deterministic machine: events in, drafts out.

The live supervisor and the replay both drive this class, and nothing else decides what a run does.
Order rule, the same in both: after each single event the nodes it touched are asked, in the order
they were touched; a node whose wishes are not all recorded yet is not asked again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from aworld.events.union import Event
from aworld.runtime.node import AnyNode, Intent

SUPERVISOR = "supervisor"

EFFECT_RESULTS = frozenset(
    {
        "llm.responded",
        "llm.failed",
        "tool.returned",
        "tool.failed",
        "tool.outcome_unknown",
        "person.answered",
        "environment.observed",
        "environment.verified",
        "environment.failed",
    }
)
"""Kinds that come from outside the nodes, though a node's name stands on them."""


class Wish(NamedTuple):
    """An intent and the node that has it."""

    node: AnyNode
    intent: Intent


class Machine:
    """Nodes, their states, and who must be asked."""

    def __init__(self, nodes: Iterable[AnyNode] = ()) -> None:
        self.nodes: dict[str, AnyNode] = {}
        self.states: dict[str, Any] = {}
        self._topics: dict[str, list[str]] = {}
        self._dirty: dict[str, None] = {}
        self._in_flight: dict[str, int] = {}
        self.paused = False
        for node in nodes:
            self.add(node)

    def add(self, node: AnyNode) -> None:
        """Let a node take part; its `node.joined` is recorded by the caller."""
        self.nodes[node.name] = node
        self.states[node.name] = node.initial()
        self._in_flight[node.name] = 0
        for topic in node.topics:
            self._topics.setdefault(topic, []).append(node.name)

    def remove(self, name: str) -> None:
        """Let it take part no longer; its state stays readable."""
        node = self.nodes.pop(name, None)
        if node is None:
            return
        self._dirty.pop(name, None)
        self._in_flight.pop(name, None)
        for topic in node.topics:
            self._topics[topic].remove(name)

    def feed(self, event: Event) -> None:
        """Apply one recorded event to every node that it concerns."""
        kind = event.kind
        if kind == "run.paused":
            self.paused = True
        elif kind == "run.resumed":
            self.paused = False
        elif kind == "node.left":
            self.remove(event.actor)
            return
        actor = event.actor
        if is_derived(event) and self._in_flight.get(actor, 0) > 0:
            self._in_flight[actor] -= 1
        for name in self._concerned(event):
            self.states[name] = self.nodes[name].apply(self.states[name], event)
            self._dirty[name] = None

    def wishes(self) -> list[Wish]:
        """What the touched nodes want now. Each wish must be recorded, or the run must end."""
        if self.paused or not self._dirty:
            return []
        found: list[Wish] = []
        for name in list(self._dirty):
            if self._in_flight[name]:
                continue
            del self._dirty[name]
            node = self.nodes[name]
            intents = node.decide(self.states[name])
            self._in_flight[name] = len(intents)
            found.extend(Wish(node, intent) for intent in intents)
        return found

    def snapshot(self) -> bytes:
        """Every node's state as MessagePack: `{name: state}`."""
        return msgspec.msgpack.encode(self.states)

    def _concerned(self, event: Event) -> list[str]:
        nodes = self.nodes
        names: dict[str, None] = {}
        if event.actor in nodes:
            names[event.actor] = None
        for name in event.recipients:
            if name in nodes:
                names[name] = None
        if event.topic:
            for name in self._topics.get(event.topic, ()):
                names[name] = None
        elif not event.recipients and event.actor == SUPERVISOR:
            return list(nodes)
        return list(names)


def is_derived(event: Event) -> bool:
    """Whether a node's wish led to this very event: what a replay must produce again itself."""
    return event.actor != SUPERVISOR and not is_input(event)


def is_input(event: Event) -> bool:
    """Whether the event comes from outside the nodes, so that a replay takes it from the log."""
    kind = event.kind
    if kind in EFFECT_RESULTS:
        # A refused or malformed call has no span: the node itself said so.
        return event.span is not None
    if kind == "node.joined":
        # A node says itself what it is: a changed prompt or tool shows at this very step.
        return False
    family = kind.partition(".")[0]
    return family in {"run", "node", "limit", "error", "edit", "breakpoint", "fork"} or (
        event.actor.startswith("person:")
    )
