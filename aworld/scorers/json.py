"""JSON against JSON: the same, a part of it, or the value at a path; numbers within a tolerance."""

from __future__ import annotations

import math
import re
from typing import Any, ClassVar, Literal

import msgspec

from aworld.errors import ConfigurationError
from aworld.scorers.base import Scorer, Verdict, shown, verdict

LONGEST = 2_000_000
"""Characters of an answer that are read as JSON."""

_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL)
_STEP = re.compile(r"\[(\d+)\]|\.?([^.\[\]]+)")


class JsonOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How values are compared."""

    mode: Literal["exact", "subset"] = "exact"
    """`subset`: objects of the answer may have more fields; lists are compared whole."""
    path: str = ""
    """What of the answer is compared, such as `items[0].price`; "" takes the whole."""
    tolerance: float = 0.0
    """Numbers may differ by this much, absolutely."""
    relative: float = 0.0
    """Or by this part of the truth."""
    any_order: bool = False
    """Whether lists are compared as multisets."""


class JsonScorer(Scorer[JsonOptions]):
    """One answer in JSON, alone or in a fenced block, one value."""

    name: ClassVar[str] = "json"
    description: ClassVar[str] = "JSON: exact or subset, at a path, with a numeric tolerance"
    options = JsonOptions

    def judge(self, answer: Any, truth: Any, options: JsonOptions) -> Verdict:
        """Compare values; a truth that is text is read as JSON where it is JSON.

        Raises:
            ConfigurationError: the path cannot be read, or a tolerance is negative.
        """
        if not (options.tolerance >= 0 and options.relative >= 0):
            raise ConfigurationError("A tolerance must not be negative. Give 0 or more.")
        steps = path_steps(options.path)
        wanted = _read_truth(truth)
        try:
            said = _read_answer(answer)
            part = _at(said, steps)
            problem = difference(part, wanted, options, options.path or "$")
        except _Unreadable as error:
            return verdict(False, str(error))
        except RecursionError:
            return verdict(False, "The answer is nested too deeply to be compared.")
        if problem is None:
            return verdict(True, "The answer holds what the truth asks for.")
        return verdict(False, problem, _note(part, wanted, options))


class _Unreadable(Exception):
    """The answer is not what can be compared."""


def path_steps(path: str) -> list[str | int]:
    """The fields and places of a path.

    Raises:
        ConfigurationError: it cannot be read.
    """
    steps: list[str | int] = []
    place = 1 if path.startswith("$") else 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None:
            raise ConfigurationError(
                f"The path {path!r} cannot be read at {path[place:]!r}. Write it like "
                "'items[0].price'."
            )
        steps.append(int(match[1]) if match[1] is not None else match[2])
        place = match.end()
    return steps


def difference(said: Any, right: Any, options: JsonOptions, where: str) -> str | None:
    """The first place where the answer differs, as a sentence; None where it does not."""
    if isinstance(right, dict):
        return _object_difference(said, right, options, where)
    if isinstance(right, list):
        return _list_difference(said, right, options, where)
    if _is_number(right) and _is_number(said):
        if _close(said, right, options):
            return None
    elif type(said) is type(right) and said == right:
        return None
    return f"At {where}: the answer has {_brief(said)}, the truth {_brief(right)}."


def _object_difference(said: Any, right: Any, options: JsonOptions, where: str) -> str | None:
    if not isinstance(said, dict):
        return f"At {where}: the answer has {_brief(said)}, the truth an object."
    for field, value in right.items():
        if field not in said:
            return f"At {where}: the answer has no field {field!r}."
        problem = difference(said[field], value, options, f"{where}.{field}")
        if problem is not None:
            return problem
    extra = [field for field in said if field not in right]
    if extra and options.mode == "exact":
        return f"At {where}: the answer has the field {extra[0]!r}, which the truth has not."
    return None


def _list_difference(said: Any, right: Any, options: JsonOptions, where: str) -> str | None:
    if not isinstance(said, list):
        return f"At {where}: the answer has {_brief(said)}, the truth a list."
    if len(said) != len(right):
        return f"At {where}: the answer has {len(said)} elements, the truth {len(right)}."
    if options.any_order:
        return _multiset_difference(said, right, options, where)
    for place, (mine, wanted) in enumerate(zip(said, right, strict=True)):
        problem = difference(mine, wanted, options, f"{where}[{place}]")
        if problem is not None:
            return problem
    return None


def _multiset_difference(said: Any, right: Any, options: JsonOptions, where: str) -> str | None:
    """A perfect matching, since with a tolerance one element may fit several (Kuhn's way)."""
    fits = [
        [place for place, mine in enumerate(said) if difference(mine, value, options, "") is None]
        for value in right
    ]
    taken: dict[int, int] = {}

    def place_for(index: int, seen: set[int]) -> bool:
        for place in fits[index]:
            if place not in seen:
                seen.add(place)
                if place not in taken or place_for(taken[place], seen):
                    taken[place] = index
                    return True
        return False

    for index, value in enumerate(right):
        if not place_for(index, set()):
            return f"At {where}: the answer has no element for {_brief(value)}."
    return None


def _note(said: Any, right: Any, options: JsonOptions) -> str:
    looser = msgspec.structs.replace(options, any_order=True)
    if difference(said, right, looser, "") is None:
        return "Nearly right: only the order of a list differs."
    looser = msgspec.structs.replace(options, mode="subset")
    if difference(said, right, looser, "") is None:
        return "Nearly right: the answer has more fields than the truth."
    if str(said) == str(right):
        return "Nearly right: the same text, of another type."
    return ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _close(said: float, right: float, options: JsonOptions) -> bool:
    if said == right:
        return True
    try:
        return math.isclose(said, right, rel_tol=0.0, abs_tol=options.tolerance) or (
            abs(said - right) <= options.relative * abs(right)
        )
    except OverflowError:
        return False


def _at(value: Any, steps: list[str | int]) -> Any:
    for step in steps:
        if isinstance(step, int):
            if not isinstance(value, list) or step >= len(value):
                raise _Unreadable(f"The answer has no element [{step}] on the path.")
            value = value[step]
        else:
            if not isinstance(value, dict) or step not in value:
                raise _Unreadable(f"The answer has no field {step!r} on the path.")
            value = value[step]
    return value


def _read_answer(answer: Any) -> Any:
    if not isinstance(answer, str):
        return answer
    text = answer.strip()
    if len(text) > LONGEST:
        raise _Unreadable(f"The answer is longer than {LONGEST} characters.")
    fenced = _FENCE.findall(text)
    try:
        return msgspec.json.decode(fenced[-1] if fenced else text)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise _Unreadable(f"The answer {shown(text)} is no JSON: {error}.") from error


def _read_truth(truth: Any) -> Any:
    if not isinstance(truth, str):
        return truth
    try:
        return msgspec.json.decode(truth)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return truth


def _brief(value: Any) -> str:
    try:
        return shown(msgspec.json.encode(value).decode(), 60)
    except (TypeError, UnicodeEncodeError):
        return shown(value, 60)


SCORER = JsonScorer()
