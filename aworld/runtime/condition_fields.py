"""The fields that a condition and a logpoint's message can name, and where their values lie."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

import msgspec

from aworld.events.action import ToolCalled
from aworld.events.envelope import UNSEQUENCED
from aworld.events.model import LlmResponded
from aworld.events.traits import severity
from aworld.runtime.run_facts import Facts

FieldType = Literal["text", "number", "truth", "list", "any"]
Get = Callable[[Facts], Any]
"""The value as plain JSON; None where the event has no such thing."""


class FieldInfo(NamedTuple):
    """A field, as an editor offers it."""

    name: str
    type: FieldType
    about: str
    get: Get
    unit: str = ""
    """`ms` or `s` where it is a time."""
    of_run: bool = False
    """Whether it tells of the run so far, so that the events before must be known."""
    has_path: bool = False
    """Whether a path may follow: `arguments.expression`, `payload.tool_calls[0].name`."""


def _of_payload(name: str) -> Get:
    def get(facts: Facts) -> Any:
        return getattr(facts.payload, name, None)

    return get


def _tokens(facts: Facts) -> int | None:
    payload = facts.payload
    if isinstance(payload, LlmResponded):
        return payload.input_tokens + payload.output_tokens
    return None


def _arguments(facts: Facts) -> Any:
    payload = facts.payload
    return payload.arguments if isinstance(payload, ToolCalled) else None


def _duration_ms(facts: Facts) -> float | None:
    spent = facts.run.span_us(facts.event)
    return None if spent is None else spent / 1000


def _seq(facts: Facts) -> int | None:
    return None if facts.event.seq == UNSEQUENCED else facts.event.seq


def _seconds(facts: Facts) -> float:
    return facts.run.account.seconds(facts.run.last_at)


def _limit(name: str) -> Get:
    return lambda facts: getattr(facts.run.account.limits, name)


def _left(name: str, used: Get) -> Get:
    def get(facts: Facts) -> float | None:
        allowed = getattr(facts.run.account.limits, name)
        return None if allowed is None else max(0, allowed - used(facts))

    return get


def _used_steps(facts: Facts) -> int:
    return facts.run.account.steps


def _used_tokens(facts: Facts) -> int:
    return facts.run.account.tokens


def _used_cost(facts: Facts) -> float:
    return facts.run.account.cost_usd


_ALL: Final = (
    FieldInfo("kind", "text", "kind of the event, such as tool.failed", lambda f: f.kind),
    FieldInfo("agent", "text", "who did or said it", lambda f: f.event.actor),
    FieldInfo("actor", "text", "the same as agent", lambda f: f.event.actor),
    FieldInfo("role", "text", "the agent's role", lambda f: f.event.role or None),
    FieldInfo("seq", "number", "the event's number; drafts have none", _seq),
    FieldInfo("task", "text", "the task's id", lambda f: f.event.task_id or None),
    FieldInfo("topic", "text", "the message's topic", lambda f: f.event.topic or None),
    FieldInfo("recipients", "list", "who a message is for", lambda f: f.event.recipients or None),
    FieldInfo("severity", "number", "0 well, 1 a warning, 2 an error", lambda f: severity(f.event)),
    FieldInfo("tool", "text", "the tool of a call or result", lambda f: f.tool or None),
    FieldInfo("text", "text", "all readable text of the event", lambda f: f.text),
    FieldInfo("error", "text", "what went wrong", _of_payload("error")),
    FieldInfo("purpose", "text", "a message's purpose: task, answer, …", _of_payload("purpose")),
    FieldInfo("model", "text", "the model asked or answering", _of_payload("model")),
    FieldInfo("finish_reason", "text", "why the model stopped", _of_payload("finish_reason")),
    FieldInfo("tokens", "number", "tokens of a model's answer, in and out", _tokens),
    FieldInfo("cost", "number", "US dollars of a model's answer", _of_payload("cost_usd")),
    FieldInfo("duration_ms", "number", "time of the call that ends here", _duration_ms, "ms", True),
    FieldInfo("arguments", "any", "a tool call's arguments", _arguments, has_path=True),
    FieldInfo("payload", "any", "the whole payload", lambda f: f.plain, has_path=True),
    FieldInfo("steps", "number", "model calls so far", _used_steps, of_run=True),
    FieldInfo("tool_calls", "number", "tool calls so far", lambda f: f.run.tool_calls, of_run=True),
    FieldInfo("tokens_used", "number", "tokens so far", _used_tokens, of_run=True),
    FieldInfo("cost_used", "number", "US dollars so far", _used_cost, of_run=True),
    FieldInfo("seconds", "number", "time the run has been running", _seconds, "s", True),
    FieldInfo("errors", "number", "errors so far", lambda f: f.run.errors, of_run=True),
    FieldInfo("warnings", "number", "warnings so far", lambda f: f.run.warnings, of_run=True),
    FieldInfo(
        "repeats",
        "number",
        "how often the same call or text came before",
        lambda f: f.run.repeats(f.event),
        of_run=True,
    ),
    FieldInfo("budget.steps", "number", "model calls allowed", _limit("steps"), of_run=True),
    FieldInfo("budget.tokens", "number", "tokens allowed", _limit("tokens"), of_run=True),
    FieldInfo("budget.seconds", "number", "time allowed", _limit("seconds"), "s", True),
    FieldInfo("budget.cost", "number", "US dollars allowed", _limit("cost_usd"), of_run=True),
    FieldInfo(
        "budget.steps_left", "number", "model calls left", _left("steps", _used_steps), of_run=True
    ),
    FieldInfo(
        "budget.tokens_left", "number", "tokens left", _left("tokens", _used_tokens), of_run=True
    ),
    FieldInfo("budget.seconds_left", "number", "time left", _left("seconds", _seconds), "s", True),
    FieldInfo(
        "budget.cost_left", "number", "US dollars left", _left("cost_usd", _used_cost), of_run=True
    ),
)
FIELDS: Final[dict[str, FieldInfo]] = {field.name: field for field in _ALL}
"""Every field by its name, in the order an editor lists them."""


def near(word: str, known: list[str]) -> str:
    """` Did you mean 'x'?` where one of the known words is like it, else ""."""
    found = difflib.get_close_matches(word, known, n=1)
    return f" Did you mean {found[0]!r}?" if found else ""


def getter(name: str, path: tuple[str | int, ...]) -> Get:
    """Reads a field, or what its path leads to. None where there is nothing."""
    get = FIELDS[name].get
    if not path:
        return get

    def follow(facts: Facts) -> Any:
        value = get(facts)
        for part in path:
            value = _inside(value, part)
            if value is None:
                return None
        return value

    return follow


def _inside(value: Any, part: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(part)
    if isinstance(value, list | tuple):
        index = int(part) if isinstance(part, int) or (part.isascii() and part.isdigit()) else -1
        return value[index] if 0 <= index < len(value) else None
    # Arguments may hold structs of a library of one's own; they are read as their JSON.
    if isinstance(value, msgspec.Struct):
        return _inside(msgspec.to_builtins(value), part)
    return None
