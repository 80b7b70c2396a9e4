"""What the model is told about arguments that do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from aworld.tools.json_schema import first_problem

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1, "pattern": "^[a-z]"},
        "lines": {"type": "integer", "minimum": 1, "maximum": 9},
        "mode": {"enum": ["read", "write"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "at": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Point"}]},
        "flag": {"type": "boolean"},
    },
    "required": ["path"],
    "additionalProperties": False,
    "$defs": {"Point": {"type": "object", "required": ["x"], "properties": {"x": {"const": 1}}}},
}


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": "a"},
        {"path": "a", "lines": 3.0, "mode": "read", "tags": ["x"], "at": None, "flag": True},
        {"path": "a", "at": {"x": 1, "y": "let through"}},
    ],
)
def test_arguments_that_fit_have_no_problem(arguments: dict[str, Any]) -> None:
    assert first_problem(SCHEMA, arguments) is None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "the arguments lack 'path'"),
        ("a", 'the arguments must be an object, not "a"'),
        ({"path": 3}, "'path' must be a string, not 3"),
        ({"path": ""}, "'path' must match '^[a-z]', not \"\""),
        ({"path": "a", "lines": "3"}, "'lines' must be a whole number, not \"3\""),
        ({"path": "a", "lines": 0}, "'lines' must be at least 1, not 0"),
        ({"path": "a", "lines": 10}, "'lines' must be at most 9, not 10"),
        ({"path": "a", "lines": True}, "'lines' must be a whole number, not true"),
        ({"path": "a", "mode": "run"}, '\'mode\' must be one of "read", "write", not "run"'),
        ({"path": "a", "tags": ["x", 1]}, "item 1 of 'tags' must be a string, not 1"),
        ({"path": "a", "tags": ["x"] * 3}, "'tags' must have at most 2 items, not 3"),
        ({"path": "a", "flag": 1}, "'flag' must be a boolean, not 1"),
        (
            {"file": "a"},
            "there is no parameter 'file'; did you mean 'path' "
            "(known: path, lines, mode, tags, at, flag)",
        ),
        (
            {"path": "a", "at": {"x": True}},
            "'at' must be null, not {\"x\": true}; or 'x' must be one of 1, not true",
        ),
        ({"path": "a", "at": {}}, "'at' must be null, not {}; or 'at' lacks 'x'"),
    ],
)
def test_arguments_that_do_not_fit_have_their_problem_named(arguments: Any, problem: str) -> None:
    assert first_problem(SCHEMA, arguments) == problem


def test_a_schema_that_refers_to_itself_ends() -> None:
    loop: dict[str, Any] = {"$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}]}}, "$ref": "#/$defs/A"}
    assert first_problem(loop, {}) == "the arguments: this nests too deeply"
