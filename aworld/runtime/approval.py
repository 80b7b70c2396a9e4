"""Which calls of a team need a person's approval, and what a person may answer.

An answer is a line of text, the same from the browser, the terminal and the API:

    allow                       this call
    allow always                this call and, for the rest of the run, all that the rules name
    allow with {"path": "b"}    this call, with these arguments in the place of its own
    deny                        or `deny: REASON`; the model is told
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal

import msgspec

from aworld.errors import ConfigurationError
from aworld.runtime.call_patterns import CallPattern, call_words, read_pattern

Mode = Literal["never", "always", "pattern"]

ALLOW, ALWAYS, DENY = "allow", "allow always", "deny"
CHANGED = "allow with"


class ApprovalPolicy(msgspec.Struct, frozen=True, omit_defaults=True):
    """When a team's calls wait for a person."""

    mode: Mode = "never"
    """`always`: every call that is not read only, and what a pattern names. `pattern`: only what a
    pattern names."""
    patterns: tuple[str, ...] = ()
    """Such as `shell` or `files(write *)`; `call_patterns` has the rules."""
    timeout_s: float | None = None
    """Seconds after which a call that nobody allowed is refused; None waits for ever."""

    def rules_for(
        self, tool: str, arguments: Mapping[str, Any], schema: Mapping[str, Any], effect: str
    ) -> tuple[str, ...]:
        """The rules by which a call needs approval, a tool's bare name where the mode alone says
        so; empty where it needs none."""
        if self.mode == "never":
            return ()
        words = call_words(arguments, schema)
        found = tuple(one.text for one in _read(self.patterns) if one.fits(tool, words))
        if not found and self.mode == "always" and effect != "read_only":
            return (tool,)
        return found


@functools.lru_cache(maxsize=256)
def _read(patterns: tuple[str, ...]) -> tuple[CallPattern, ...]:
    return tuple(read_pattern(text) for text in patterns)


def policy_of_team(team: Mapping[str, Any]) -> ApprovalPolicy:
    """The policy in a run's copy of its team.

    Raises:
        ConfigurationError: it cannot be read.
    """
    try:
        policy = msgspec.convert(team.get("approval") or {}, ApprovalPolicy)
    except msgspec.ValidationError as error:
        name = team.get("name", "")
        raise ConfigurationError(
            f"The approval of team {name!r} cannot be read: {error}."
        ) from None
    _read(policy.patterns)
    return policy


def problems_of(policy: ApprovalPolicy, tools: Collection[str]) -> Iterator[tuple[str, str]]:
    """`(where, message)` of what cannot be meant. A pattern may name what is none of `tools`, such
    as an environment's action, but no slip of the pen."""
    for i, text in enumerate(policy.patterns):
        where = f"patterns[{i}]"
        try:
            pattern = read_pattern(text)
        except ConfigurationError as error:
            yield where, str(error)
            continue
        known = [name.casefold() for name in tools]
        near = difflib.get_close_matches(pattern.tool, known, n=1, cutoff=0.75)
        if "*" not in pattern.tool and pattern.tool not in known and near:
            yield where, f"There is no tool {pattern.tool!r}. Did you mean {near[0]!r}?"
    if policy.mode == "pattern" and not policy.patterns:
        yield "patterns", "No pattern is given, so no call would wait. Add one, or choose never."
    if policy.timeout_s is not None and not policy.timeout_s > 0:
        yield "timeout_s", f"timeout_s is {policy.timeout_s:g}; it must be more than 0."


class Answer(msgspec.Struct, frozen=True):
    """What a person decided."""

    decision: Literal["allow", "always", "change", "deny"]
    arguments: dict[str, Any] = {}
    """For `change`: all the arguments."""
    reason: str = ""


def read_answer(text: str) -> Answer:
    """A person's answer.

    Raises:
        ConfigurationError: it is none of those an approval takes.
    """
    said = text.strip()
    word = said.casefold()
    if word in {ALLOW, "yes", "y"}:
        return Answer("allow")
    if word == ALWAYS:
        return Answer("always")
    if word in {DENY, "no", "n"}:
        return Answer("deny")
    if word.startswith(f"{DENY}:"):
        return Answer("deny", reason=said[len(DENY) + 1 :].strip())
    if word.startswith(CHANGED):
        return Answer("change", arguments=_arguments(said[len(CHANGED) :]))
    raise ConfigurationError(
        f"{text[:200]!r} neither allows nor denies. Answer 'allow', 'allow always', "
        "'allow with {…}', 'deny', or 'deny: REASON'."
    )


def _arguments(text: str) -> dict[str, Any]:
    try:
        arguments = msgspec.json.decode(text, type=dict[str, Any])
        msgspec.msgpack.encode(arguments)  # Else no log could keep them.
    except (ValueError, OverflowError, RecursionError) as error:
        raise ConfigurationError(
            f"The arguments {text.strip()[:200]!r} are no JSON object ({error}). Write "
            'allow with {"name": "value"}.'
        ) from None
    return arguments
