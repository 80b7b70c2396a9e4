"""One breakpoint: what it says, and its counts in one run."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.control import BreakpointHit
from aworld.events.traits import severity
from aworld.runtime.conditions import Condition, parse_condition
from aworld.runtime.log_template import LogTemplate
from aworld.runtime.run_facts import Facts, kind_fits

LOOP = 3
"""So often the same call, or the same text, makes a loop."""


class Breakpoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """One breakpoint. All that it names must fit; what is empty does not restrict."""

    id: str
    enabled: bool = True
    when: Literal["before", "after"] = "after"
    """Before what a node wants is recorded and carried out, or after an event was recorded and
    before the nodes are asked about it."""
    kinds: tuple[str, ...] = ()
    """Kinds, or globs such as `tool.*`."""
    agents: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    condition: str = ""
    """See `conditions`."""
    from_hit: int = 1
    """The first match that counts, from 1."""
    every: int = 1
    """From there on each `every`-th match counts."""
    once: bool = False
    """Only the first match that counts, in each run."""
    log: str = ""
    """A message with `{field}`s. Then the run does not stop: a logpoint."""
    stop_on: Literal["", "error", "conflict", "loop"] = ""
    """`error`: an event of severity 2. `conflict`: `conflict.detected`. `loop`: the same tool call
    with equal arguments, or the same text to the same listeners, `LOOP` times by one agent."""
    note: str = ""
    """A person's own words about it."""


class Hit(NamedTuple):
    """A breakpoint that fired."""

    breakpoint_id: str
    note: str
    """The filled-in message of a logpoint; else the breakpoint's note, or what it names."""
    stop: bool
    """False for a logpoint."""
    others: tuple[Hit, ...] = ()
    """Further breakpoints that fired at the same place; those that stop come first of all."""


class Armed:
    """A breakpoint with its condition and message read, and its counts in one run."""

    def __init__(self, breakpoint: Breakpoint) -> None:
        """Raises ConfigurationError where the condition, the message or a count is wrong."""
        self.breakpoint = breakpoint
        self.condition: Condition | None = None
        if breakpoint.condition.strip():
            self.condition = parse_condition(breakpoint.condition)
        self.message = LogTemplate(breakpoint.log) if breakpoint.log else None
        for name, count in (("from_hit", breakpoint.from_hit), ("every", breakpoint.every)):
            if count < 1:
                raise ConfigurationError(
                    f"Breakpoint {breakpoint.id!r}: {name} is {count}. Use 1 or more."
                )
        self.matched = 0
        """Recorded events that matched."""
        self.hits = 0
        self._asked = 0
        """Drafts that matched and are not recorded yet."""
        self._told = 0
        """Hits that were given out and are not in the log yet."""
        self._held = 0
        """Hits in the log before a draft that was neither asked about nor recorded since: the run
        was taken up there, and must not stop at the same place again."""

    @property
    def of_run(self) -> bool:
        """Whether it must know all events of the run, not only those that fit its step."""
        return (
            self.breakpoint.stop_on == "loop"
            or (self.condition is not None and self.condition.of_run)
            or (self.message is not None and self.message.of_run)
        )

    def fits_step(self, kind: str, actor: str, tool: str) -> bool:
        """Whether the step is one it names."""
        named = self.breakpoint
        return (
            (not named.kinds or any(kind_fits(glob, kind) for glob in named.kinds))
            and (not named.agents or actor in named.agents)
            and (not named.tools or tool in named.tools)
        )

    def holds(self, facts: Facts) -> bool:
        """Whether condition and `stop_on` hold of an event whose step fits."""
        named = self.breakpoint
        if named.stop_on == "error" and severity(facts.event) < 2:
            return False
        if named.stop_on == "conflict" and facts.kind != "conflict.detected":
            return False
        if named.stop_on == "loop" and facts.run.repeats(facts.event) < LOOP - 1:
            return False
        return self.condition is None or self.condition.matches(facts)

    def draft_matched(self, facts: Facts) -> Hit | None:
        """A draft matches; the hit, if this match counts."""
        if self._held:
            self._held -= 1
            return None
        self._asked += 1
        return self._due(self.matched + self._asked, facts)

    def draft_recorded(self) -> None:
        """An event that was a draft, and matches, was recorded."""
        self.matched += 1
        self._asked = max(0, self._asked - 1)
        self._held = max(0, self._held - 1)

    def event_matched(self, facts: Facts) -> Hit | None:
        """A recorded event matches; the hit, if this match counts."""
        self.matched += 1
        return self._due(self.matched, facts)

    def hit_told(self) -> None:
        """A hit was given out."""
        self.hits += 1
        self._told += 1

    def hit_recorded(self, hit: BreakpointHit) -> None:
        """The log has a hit."""
        if self._told:
            self._told -= 1
            return
        self.hits += 1
        if hit.before:
            self._held += 1

    def edited(self) -> None:
        """A person changed something: the nodes may want something else than what was held. One
        stop too many is better than one too few."""
        self._held = 0

    def _due(self, number: int, facts: Facts) -> Hit | None:
        named = self.breakpoint
        late = number - named.from_hit
        if late < 0 or late % named.every or (named.once and self.hits):
            return None
        if self.message is not None:
            return Hit(named.id, self.message.fill(facts), stop=False)
        return Hit(named.id, named.note or describe(named), stop=True)


def describe(breakpoint: Breakpoint) -> str:
    """What a breakpoint names, in one line: `after tool.failed of solver if errors > 2`."""
    parts = [breakpoint.when, breakpoint.stop_on or " or ".join(breakpoint.kinds) or "any event"]
    if breakpoint.agents:
        parts.append(f"of {' or '.join(breakpoint.agents)}")
    if breakpoint.tools:
        parts.append(f"with {' or '.join(breakpoint.tools)}")
    if breakpoint.condition:
        parts.append(f"if {breakpoint.condition}")
    return " ".join(parts)
