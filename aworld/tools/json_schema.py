"""Checks a call's arguments against a tool's JSON Schema, and says in one sentence what is wrong.

The keywords that tools use are checked; others are let through. A full validator's messages are
made for programmers, these are read by a model that must act on them.
"""

from __future__ import annotations

import difflib
import json
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aworld.tools.pattern_cost import is_quick

Schema = Mapping[str, Any]

_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool))
        or (isinstance(value, float) and value.is_integer())
    ),
}
_ARTICLES = {"array": "a list", "object": "an object", "integer": "a whole number", "null": "null"}
_LIMITS: tuple[tuple[str, Callable[[Any, Any], bool], str], ...] = (
    ("minimum", operator.ge, "at least"),
    ("maximum", operator.le, "at most"),
    ("exclusiveMinimum", operator.gt, "more than"),
    ("exclusiveMaximum", operator.lt, "less than"),
)
_DEEPEST = 50


def first_problem(schema: Schema, value: Any, where: str = "the arguments") -> str | None:
    """What is wrong with the value, or None where nothing is."""
    return _Checker(schema).problem(schema, value, where, 0)


def with_whole_numbers(schema: Schema, value: Any) -> Any:
    """The value with `3.0` as `3` wherever the schema wants a whole number: to JSON they are the
    same, to Python they are not."""
    kind = schema.get("type")
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        return {
            name: with_whole_numbers(properties[name], item)
            if isinstance(properties.get(name), Mapping)
            else item
            for name, item in value.items()
        }
    if isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        return [with_whole_numbers(schema["items"], item) for item in value]
    return value


class _Checker:
    def __init__(self, root: Schema) -> None:
        self._root = root

    def problem(self, schema: Any, value: Any, where: str, depth: int) -> str | None:
        """The first problem."""
        if schema is True or schema == {}:
            return None
        if schema is False:
            return f"{where} may not be given"
        if depth > _DEEPEST:
            return f"{where}: this nests too deeply"
        if "$ref" in schema:
            schema = self._resolve(schema["$ref"])
        checks = (self._type, self._choices, self._bounds, self._object, self._array, self._either)
        for check in checks:
            found = check(schema, value, where, depth + 1)
            if found is not None:
                return found
        return None

    def _resolve(self, reference: str) -> Any:
        """A local reference, `#/$defs/Point`; one that leads nowhere checks nothing."""
        target: Any = self._root
        for step in reference.removeprefix("#/").split("/"):
            target = target.get(step, {}) if isinstance(target, Mapping) else {}
        return target

    def _type(self, schema: Schema, value: Any, where: str, depth: int) -> str | None:
        wanted = schema.get("type")
        if wanted is None:
            return None
        kinds = [wanted] if isinstance(wanted, str) else list(wanted)
        if any(_TYPES.get(kind, lambda _: True)(value) for kind in kinds):
            return None
        names = " or ".join(_ARTICLES.get(kind, f"a {kind}") for kind in kinds)
        return f"{where} must be {names}, not {_shown(value)}"

    def _choices(self, schema: Schema, value: Any, where: str, depth: int) -> str | None:
        choices = schema.get("enum", [schema["const"]] if "const" in schema else None)
        if choices is None or any(_same(value, choice) for choice in choices):
            return None
        return f"{where} must be one of {', '.join(map(_shown, choices))}, not {_shown(value)}"

    def _bounds(self, schema: Schema, value: Any, where: str, depth: int) -> str | None:
        if isinstance(value, str):
            pattern = schema.get("pattern")
            if pattern is not None and not _matches(pattern, value):
                return f"{where} must match {pattern!r}, not {_shown(value)}"
            return _length(schema, len(value), where, ("minLength", "maxLength"), "characters")
        if not _TYPES["number"](value):
            return None
        for keyword, holds, words in _LIMITS:
            if keyword in schema and not holds(value, schema[keyword]):
                return f"{where} must be {words} {schema[keyword]}, not {value}"
        return None

    def _object(self, schema: Schema, value: Any, where: str, depth: int) -> str | None:
        if not isinstance(value, dict):
            return None
        properties: Schema = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        missing = [name for name in schema.get("required", ()) if name not in value]
        for name in value:
            if name not in properties and others is False:
                return _unknown(name, properties, missing)
        if missing:
            verb = "lack" if depth == 1 else "lacks"
            return f"{where} {verb} {missing[0]!r}"
        for name, item in value.items():
            found = self.problem(properties.get(name, others), item, f"{name!r}", depth)
            if found is not None:
                return found
        return None

    def _array(self, schema: Schema, value: Any, where: str, depth: int) -> str | None:
        if not isinstance(value, list):
            return None
        found = _length(schema, len(value), where, ("minItems", "maxItems"), "items")
        items = schema.get("items", True)
        for number, item in enumerate(value):
            found = found or self.problem(items, item, f"item {number} of {where}", depth)
        return found

    def _either(self, schema: Schema, value: Any, where: str, depth: int) -> str | None:
        for part in schema.get("allOf", ()):
            found = self.problem(part, value, where, depth)
            if found is not None:
                return found
        choices = schema.get("anyOf", schema.get("oneOf"))
        if not choices:
            return None
        problems = [self.problem(choice, value, where, depth) for choice in choices]
        if None in problems:
            return None
        return "; or ".join(problem for problem in problems if problem is not None)


def _matches(pattern: str, value: str) -> bool:
    try:
        return not is_quick(pattern, len(value)) or re.search(pattern, value) is not None
    except re.error:
        # Written for another language's expressions: the tool itself will look. So it will where
        # trying the pattern could take for ever.
        return True


def _unknown(name: str, properties: Schema, missing: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, properties, n=1) or list(missing[:1])
    hint = f"; did you mean {near[0]!r}" if near else ""
    known = ", ".join(properties) or "none"
    return f"there is no parameter {name!r}{hint} (known: {known})"


def _length(
    schema: Schema, length: int, where: str, keywords: tuple[str, str], things: str
) -> str | None:
    fewest, most = schema.get(keywords[0]), schema.get(keywords[1])
    if fewest is not None and length < fewest:
        return f"{where} must have at least {fewest} {things}, not {length}"
    if most is not None and length > most:
        return f"{where} must have at most {most} {things}, not {length}"
    return None


def _same(value: Any, choice: Any) -> bool:
    # In Python True equals 1, in JSON it does not.
    return bool(value == choice) and isinstance(value, bool) == isinstance(choice, bool)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"
