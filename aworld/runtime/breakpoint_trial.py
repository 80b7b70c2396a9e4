"""Where breakpoints would have stopped runs of the past, before they are armed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from aworld.errors import NotFound
from aworld.events.envelope import UNSEQUENCED
from aworld.events.traits import severity
from aworld.events.union import KINDS, Event, Unknown
from aworld.runtime.breakpoints import Breakpoint, Breakpoints, Hit, comes_from_a_draft
from aworld.runtime.run_facts import kind_fits
from aworld.storage.base import EVERY_RUN, RunFilter, Store

MAX_PLACES: Final = 1_000
"""Places that are listed; further ones are only counted."""
_PAGE: Final = 1_000
_RUNS: Final = 50


class Place(NamedTuple):
    """One stop, or one note of a logpoint, that there would have been."""

    run_id: str
    seq: int
    """The event after which, or before which, the run would have stopped."""
    breakpoint_id: str
    note: str
    stop: bool
    before: bool
    """Whether before the event was recorded; else after it."""


class Trial(NamedTuple):
    """What breakpoints would have done. `str` is a sentence."""

    stops: int
    """Stops in all. Several breakpoints at the same place are one."""
    notes: int
    """Notes that logpoints would have left."""
    runs_stopped: int
    runs_looked_at: int
    runs_there: int
    """Runs that the filter fits; more than looked at where a limit or a wish to stop cut it."""
    places: list[Place]
    """The first `MAX_PLACES` of them, newest run first, in order of seq."""
    places_left_out: int

    def __str__(self) -> str:
        times = "once" if self.stops == 1 else f"{self.stops} times"
        said = f"would have stopped {times} in {self.runs_stopped} of {self.runs_looked_at} runs"
        if not self.stops:
            said = f"would not have stopped in any of {self.runs_looked_at} runs"
        if not self.notes:
            return said
        return f"{said}, and left {self.notes} {'note' if self.notes == 1 else 'notes'}"


def try_on_history(
    store: Store,
    breakpoints: Sequence[Breakpoint],
    where: RunFilter = EVERY_RUN,
    *,
    limit_runs: int = 200,
    should_stop: Callable[[], bool] = lambda: False,
) -> Trial:
    """Follow the newest runs as if the breakpoints had been armed and nobody had changed a thing.

    Logs are read page by page, and of a run only events of the kinds and agents that the
    breakpoints name, unless one asks about the run so far. What a fork shares with its parent is
    counted, but nothing stops there. `should_stop` is asked at each page.

    Raises:
        ConfigurationError: a condition or a message cannot be used.
    """
    Breakpoints(breakpoints)  # A fault is told even where there are no runs.
    runs, there = _newest(store, where, limit_runs)
    stops = notes = runs_stopped = looked_at = left_out = 0
    places: list[Place] = []
    for run_id, parent_seq in runs.items():
        if should_stop():
            break
        try:
            events = _events(store, run_id, breakpoints, should_stop)
            in_run = list(_places(store, run_id, parent_seq, breakpoints, events))
        except NotFound:
            continue  # It was deleted meanwhile.
        looked_at += 1
        stops_in_run = len({(place.seq, place.before) for place in in_run if place.stop})
        stops += stops_in_run
        runs_stopped += stops_in_run > 0
        notes += sum(not place.stop for place in in_run)
        room = MAX_PLACES - len(places)
        places += in_run[:room]
        left_out += max(0, len(in_run) - room)
    return Trial(stops, notes, runs_stopped, looked_at, there, places, left_out)


def _newest(store: Store, where: RunFilter, limit: int) -> tuple[dict[str, int], int]:
    """The newest runs, each with the last seq of a fork's shared prefix, and how many there are."""
    found: dict[str, int] = {}
    offset = there = 0
    while len(found) < limit:
        page = store.list_runs(where, limit=min(_RUNS, limit - len(found)), offset=offset)
        there = page.total
        if not page.runs:
            break
        offset += len(page.runs)
        # New runs push older ones on to the next page, where they are seen again.
        found.update((record.run_id, record.parent_seq) for record in page.runs)
    return found, there


def _places(
    store: Store,
    run_id: str,
    parent_seq: int,
    breakpoints: Sequence[Breakpoint],
    events: Iterable[Event],
) -> Iterator[Place]:
    """Where one run would have stopped."""
    follower = Breakpoints(breakpoints, resolve=store.resolve)
    for event in events:
        if event.kind == "breakpoint.hit":
            continue  # What stopped it then says nothing about what would stop it now.
        own = event.seq > parent_seq
        if own and comes_from_a_draft(event):
            hit = follower.before(msgspec.structs.replace(event, seq=UNSEQUENCED))
            yield from _listed(run_id, event.seq, hit, before=True)
        follower.feed(event)
        if own:
            yield from _listed(run_id, event.seq, follower.after(event), before=False)


def _listed(run_id: str, seq: int, hit: Hit | None, *, before: bool) -> Iterator[Place]:
    for one in () if hit is None else (hit, *hit.others):
        yield Place(run_id, seq, one.breakpoint_id, one.note, one.stop, before)


def _events(
    store: Store,
    run_id: str,
    breakpoints: Sequence[Breakpoint],
    should_stop: Callable[[], bool],
) -> Iterator[Event]:
    """The events that matter, in order: all of them only where they must be counted."""
    enabled = [one for one in breakpoints if one.enabled]
    if not enabled:
        return
    kinds, actors = _named(enabled)
    every = Breakpoints(enabled).of_run or not (kinds or actors)
    after = -1
    while True:
        if every:
            page = store.read(run_id, after=after, limit=_PAGE)
        else:
            page = store.query(run_id, kinds=kinds, actors=actors, after=after, limit=_PAGE)
        yield from page
        if len(page) < _PAGE or should_stop():
            return
        after = page[-1].seq


def _named(breakpoints: Sequence[Breakpoint]) -> tuple[list[str], list[str]]:
    """The kinds and actors outside which none of them fires; empty where one names none."""
    kinds: set[str] | None = set()
    actors: set[str] | None = set()
    for one in breakpoints:
        fitting = _kinds_of(one)
        kinds = None if kinds is None or fitting is None else kinds | fitting
        actors = None if actors is None or not one.agents else actors | set(one.agents)
    return sorted(kinds or ()), sorted(actors or ())


def _kinds_of(breakpoint: Breakpoint) -> set[str] | None:
    if breakpoint.kinds:
        return {k for k in KINDS if any(kind_fits(glob, k) for glob in breakpoint.kinds)}
    if breakpoint.stop_on == "error":
        return {k for k in KINDS if severity(_stand_in(k)) == 2}
    return {"conflict.detected"} if breakpoint.stop_on == "conflict" else None


def _stand_in(kind: str) -> Event:
    return Event("", 0, 0, "", Unknown(of=kind, data={}))
