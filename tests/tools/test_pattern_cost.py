"""Patterns of strangers' schemas: what is tried on an argument, and what would never end."""

from __future__ import annotations

import time

import pytest

from aworld.tools.json_schema import first_problem
from aworld.tools.pattern_cost import is_quick


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^(a+)+$", "a" * 40 + "!"),
        (r"^(a|a)*$", "a" * 40 + "!"),
        (r"^(a|aa)+$", "a" * 60 + "!"),
        (r"(.*a){20}", "a" * 60),
        (r"^(\w+\s?)*$", "a" * 40 + "!"),
        ("a?" * 40 + "a" * 40, "a" * 40),
        (r".*.*.*.*.*=.*", "x" * 1000),
        (r"^(?=(a+)+$)", "a" * 40 + "!"),
        (r"^(?:(a{1,60}){1,60})$", "a" * 60 + "!"),
        (r"x*y", "x" * 200_000),
    ],
)
def test_what_could_take_for_ever_is_left_to_the_tool(pattern: str, text: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}
    began = time.process_time()
    assert first_problem(schema, {"a": text}) is None
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "pattern",
    [
        r"^[a-z]",
        r"^[A-Za-z0-9_-]{1,64}$",
        r"^\d{4}-\d{2}-\d{2}$",
        r"^https?://[^/]+/.*$",
        r"^(GET|POST|PUT)$",
        r"^#?([0-9a-f]{6}|[0-9a-f]{3})$",
        r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$",
        r"^([01]\d|2[0-3]):[0-5]\d$",
        r"^(?!.*secret)[a-z]+$",
        r"^(\d{1,3}\.){3}\d{1,3}$",
    ],
)
def test_usual_patterns_are_checked(pattern: str) -> None:
    assert is_quick(pattern, 60)
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}
    assert first_problem(schema, {"a": "\x00"}) is not None
