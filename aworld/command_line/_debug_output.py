"""What the terminal's debugger shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from aworld.events.control import BreakpointHit
from aworld.events.union import Event
from aworld.runtime.run_state import NodeView, RunState
from aworld.storage.base import RunRecord

LAST = 8
"""Events that are shown at a stop."""
WIDTH = 100
HELP = """\
step [N]               do one thing, or N, then hold again
continue               go on to the next breakpoint, or to the end
run-to SEQ             go on to a step
edit SEQ JSON          change fields of an event, as its nodes see it
answer TEXT | JSON     answer instead of what is open or comes next
break LINE             one more breakpoint, such as: after tool.failed
state [NODE] [at SEQ]  what the nodes know, or knew
list [N]               the last events
fork SEQ [SEQ=JSON]    debug a fork behind a step, changed
quit                   end the run"""


class Output:
    """Prints text, or one JSON object a line."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def stop(self, record: RunRecord, events: Sequence[Event], state: RunState) -> None:
        """The run is held, or has ended."""
        if self._as_json:
            self._line({"stopped": state, "run_id": record.run_id, "status": record.status})
            return
        held = record.status == "paused"
        hit = next((e.payload for e in reversed(events) if held and _stops(e)), None)
        why = f": {hit.note or hit.breakpoint}" if isinstance(hit, BreakpointHit) else ""
        print(f"\nRun {record.run_id} {record.status} at step {state.seq}{why}")
        self.events(events)
        self.state(state)

    def events(self, events: Sequence[Event]) -> None:
        """Events, one a line."""
        if self._as_json:
            self._line({"events": list(events)})
            return
        for event in events:
            print(f"  {event.seq:>5}  {event.actor:<12} {event.kind:<22} {said(event)}")

    def state(self, state: RunState, node: str = "") -> None:
        """What each node knows; of a single one everything."""
        if self._as_json:
            self._line({"state": state})
            return
        for view in state.nodes:
            if node and view.name == node:
                self._whole(view)
            elif not node:
                print(f"  {view.name}: {view.phase or '–'}, {_open(view)}{_changed(view)}")
        if state.held is not None:
            print(f"  next: {state.held.actor} → {_cut(_plain(state.held.payload))}")

    def note(self, **fields: Any) -> None:
        """What came of a command: `text=` for people."""
        if self._as_json:
            self._line({name: value for name, value in fields.items() if name != "text"} or fields)
        else:
            print(fields.get("text", ""))

    def error(self, error: Exception) -> None:
        """A command that could not be carried out."""
        if self._as_json:
            self._line({"error": str(error)})
        else:
            print(f"  {error}")

    def end(self, record: RunRecord) -> None:
        """The run's last word."""
        if self._as_json:
            self._line(record)
        else:
            print(f"Run {record.run_id} {record.status}: {record.answer or record.error}")

    def _whole(self, view: NodeView) -> None:
        print(f"  {view.name} ({view.node_type}): {view.phase or '–'}, {_open(view)}")
        for message in view.messages:
            calls = _plain(message.tool_calls) if message.tool_calls else ""
            mark = " (edited)" if message.edited else ""
            print(f"    {message.seq:>5}  {message.role:<9} {_cut(message.content + calls)}{mark}")
        for name, value in view.state.items():
            mark = "*" if name in view.changed else " "
            print(f"   {mark}{name} = {_cut(_plain(value))}")

    def _line(self, value: Any) -> None:
        print(msgspec.json.encode(value).decode(), flush=True)


def said(event: Event) -> str:
    """An event's payload in one line."""
    fields = {k: v for k, v in msgspec.to_builtins(event.payload).items() if k != "kind"}
    for name in ("text", "content", "error", "answer", "question", "note"):
        if isinstance(fields.get(name), str) and fields[name]:
            return _cut(" ".join(fields[name].split()))
    return _cut(_plain(fields)) if fields else ""


def _stops(event: Event) -> bool:
    return isinstance(event.payload, BreakpointHit) and event.payload.stop


def _open(view: NodeView) -> str:
    calls = ", ".join(f"{call.what} (step {call.span})" for call in view.open_calls)
    return f"{view.messages_total} messages" + (f", waits for {calls}" if calls else "")


def _changed(view: NodeView) -> str:
    return f"; changed: {', '.join(view.changed)}" if view.changed else ""


def _plain(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
