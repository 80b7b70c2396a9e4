"""Checks a result by the rules it must keep, and says what to ask a second agent."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from aworld.coordination import passage, units
from aworld.coordination.dates import days, moments
from aworld.coordination.figures import Figure, comparable, figures
from aworld.coordination.lists import elements
from aworld.coordination.policy import CoordinationPolicy
from aworld.coordination.recomputation import recompute
from aworld.coordination.statement import Span, readable
from aworld.coordination.yes_no import says_yes
from aworld.errors import ConfigurationError
from aworld.tools.json_schema import first_problem

ResultType = Literal["text", "number", "integer", "boolean", "date", "time", "list", "json"]
Check = Literal["type", "schema", "unit", "range", "arithmetic"]
_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL)


class ResultRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a result must be."""

    type: ResultType = "text"
    schema: dict[str, Any] | None = None
    """JSON Schema of a result in JSON; the keywords that `aworld.tools.json_schema` knows."""
    unit: str = ""
    """`m` takes any length; `USD` takes no euros."""
    minimum: float | None = None
    """In `unit`, where one is given."""
    maximum: float | None = None
    recompute: bool = True
    """Whether the equations that stand in it are worked out again."""

    def __post_init__(self) -> None:
        if self.unit and self.unit not in units.NAMES:
            raise ConfigurationError(
                f"The unit {self.unit!r} of a result's rules is not known. Write it like m, kg, "
                "hour, km/h, % or USD."
            )


class Finding(msgspec.Struct, frozen=True):
    """One rule that a result breaks."""

    check: Check
    why: str
    span: Span
    """Where it does; the whole result where no part is to blame."""


class Validation(msgspec.Struct, frozen=True):
    """What came of checking a result."""

    checked: tuple[Check, ...]
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether no rule is broken."""
        return not self.findings


class CrossCheck(msgspec.Struct, frozen=True):
    """A question to send to a second agent; its answer is then compared with the first."""

    to: str
    text: str


def validate(
    result: Any,
    rules: ResultRules = ResultRules(),
    policy: CoordinationPolicy = CoordinationPolicy(),
) -> Validation:
    """Check a result: text as an agent wrote it, or a value out of JSON.

    A result that holds may still be wrong: no rule knows the truth.
    """
    if not policy.validation:
        return Validation((), ())
    whole = result if isinstance(result, str) else _written(result)
    text = readable(whole)
    checks: dict[Check, Callable[[], list[Finding]]] = {}
    if rules.type != "text":
        checks["type"] = lambda: _type(whole if rules.type == "json" else text, rules.type)
    if rules.schema is not None:
        schema = rules.schema
        checks["schema"] = lambda: _schema(result, whole, schema)
    if rules.unit:
        checks["unit"] = lambda: _unit(text, rules.unit)
    if rules.minimum is not None or rules.maximum is not None:
        checks["range"] = lambda: _range(text, rules)
    if rules.recompute:
        checks["arithmetic"] = lambda: _arithmetic(text)
    found = [finding for check in checks.values() for finding in check()]
    return Validation(tuple(checks), tuple(found))


def cross_check(
    question: str, author: str, agents: Mapping[str, str], busy: Sequence[str] = ()
) -> CrossCheck | None:
    """Whom to ask the same question, and how; None where the author is alone.

    Args:
        agents: the role of each agent by its name. A verifier is asked before others, the
            author never, and who is busy only where nobody else is there.
        busy: agents with work under way.
    """
    others = [name for name in agents if name != author]
    if not others:
        return None
    chosen = min(
        others, key=lambda name: (name in busy, agents[name] != "verifier", others.index(name))
    )
    text = (
        "Answer this question on your own. Another agent has answered it; its answer is not shown "
        f"to you so that yours is independent. End with FINAL ANSWER: and the answer.\n\n{question}"
    )
    return CrossCheck(chosen, text)


class _Nothing:
    """What no text decodes to."""


_NOTHING = _Nothing()


def _type(text: str, wanted: ResultType) -> list[Finding]:
    if _FITS[wanted](text.strip()):
        return []
    article = "an" if wanted == "integer" else "a"
    what = "JSON" if wanted == "json" else f"{article} {wanted}"
    return [Finding("type", f"The result {text[:80]!r} is not {what}.", _whole(text))]


def _is_number(text: str) -> bool:
    found = figures(text)
    return len(found) == 1 and len(found[0].span.text) >= len(text) - 2 and not found[0].about


def _is_integer(text: str) -> bool:
    found = figures(text)
    return _is_number(text) and found[0].low.is_integer() and "." not in found[0].span.text


def _is_date(text: str) -> bool:
    found = days(text)
    return len(found) == 1 and len(found[0].span.text) >= len(text) - 2


def _is_time(text: str) -> bool:
    found = moments(text)
    return len(found) == 1 and len(found[0].span.text) >= len(text) - 2


_FITS: dict[ResultType, Callable[[str], bool]] = {
    "text": lambda text: bool(text),
    "number": _is_number,
    "integer": _is_integer,
    "boolean": lambda text: len(text.split()) <= 3 and says_yes(text) is not None,
    "date": _is_date,
    "time": _is_time,
    "list": lambda text: isinstance(_decoded(text), list) or len(elements(text)) > 1,
    "json": lambda text: _decoded(text) is not _NOTHING,
}


def _decoded(text: str) -> Any:
    fenced = _FENCE.findall(text)
    try:
        return msgspec.json.decode(fenced[-1] if fenced else text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return _NOTHING


def _schema(result: Any, text: str, schema: dict[str, Any]) -> list[Finding]:
    value = _decoded(text) if isinstance(result, str) else result
    if value is _NOTHING:
        return [Finding("schema", f"The result {text[:80]!r} is not JSON.", _whole(text))]
    problem = first_problem(schema, value, "the result")
    return [Finding("schema", f"{problem}.", _whole(text))] if problem else []


def _unit(text: str, wanted: str) -> list[Finding]:
    figure = _main_figure(text)
    if figure is None:
        return [Finding("unit", f"The result has no number in {wanted}.", _whole(text))]
    expected = msgspec.structs.replace(figure, unit=units.NAMES[wanted])
    if comparable(figure, expected):
        return []
    has = f"is in {figure.unit}" if figure.unit else "has no unit"
    return [Finding("unit", f"{figure.span.text!r} {has}; it must be in {wanted}.", figure.span)]


def _range(text: str, rules: ResultRules) -> list[Finding]:
    figure = _main_figure(text)
    if figure is None:
        return [Finding("range", "The result has no number.", _whole(text))]
    low, high = figure.low, figure.high
    if rules.unit and figure.unit and figure.unit != units.NAMES[rules.unit]:
        scale, target = units.scale(figure.unit), units.scale(units.NAMES[rules.unit])
        if scale.kind != target.kind:
            return []
        low, high = (
            (value * scale.factor + scale.offset - target.offset) / target.factor
            for value in (low, high)
        )
    if rules.minimum is not None and low < rules.minimum:
        why = f"{figure.span.text!r} is less than {rules.minimum:g}."
        return [Finding("range", why, figure.span)]
    if rules.maximum is not None and high > rules.maximum:
        why = f"{figure.span.text!r} is more than {rules.maximum:g}."
        return [Finding("range", why, figure.span)]
    return []


def _arithmetic(text: str) -> list[Finding]:
    return [
        Finding(
            "arithmetic",
            f"{found.span.text!r} does not hold: {found.expression} is {found.value}, "
            f"not {found.said}.",
            found.span,
        )
        for found in recompute(text)
        if not found.holds
    ]


def _main_figure(text: str) -> Figure | None:
    """The number of the result's answer, its place in the whole text."""
    span = passage.answer(text, "")
    found = figures(span.text) if span else []
    if span is None or not found:
        return None
    own = found[-1]
    start = span.start + own.span.start
    moved = Span(start, start + len(own.span.text), own.span.text)
    return msgspec.structs.replace(own, span=moved)


def _written(value: Any) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, UnicodeEncodeError, RecursionError):
        return str(value)


def _whole(text: str) -> Span:
    return Span(0, len(text), text[:200])
