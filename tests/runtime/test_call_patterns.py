"""Patterns that name calls."""

from __future__ import annotations

from typing import Any

import pytest

from aworld.errors import ConfigurationError
from aworld.runtime.approval import Answer, ApprovalPolicy, problems_of, read_answer
from aworld.runtime.call_patterns import call_words, read_pattern

FILES = {"properties": {"action": {}, "path": {}, "content": {}, "count": {"default": 3}}}
SITES = "browser(navigate https://*.example.com/*)"


@pytest.mark.parametrize(
    ("pattern", "tool", "arguments", "meant"),
    [
        ("shell", "shell", {"command": "ls"}, True),
        ("shell", "shell2", {}, False),
        ("mcp__*", "mcp__github__merge", {}, True),
        ("files(write *)", "files", {"path": "a.txt", "action": "write"}, True),
        ("files(write *)", "files", {"action": " WRITE", "path": "a"}, True),
        ("files(write *)", "files", {"action": "write"}, True),
        ("files(write *)", "files", {"action": "read", "path": "write a"}, False),
        ("files(write)", "files", {"action": "write", "path": "a"}, True),
        ("files(*.env)", "files", {"action": "read", "path": "x/.env", "content": "z"}, True),
        (SITES, "browser", {"action": "navigate", "url": "HTTPS://shop.EXAMPLE.com/x?y"}, True),
        (SITES, "browser", {"action": "navigate", "url": "https://example.com/"}, False),
        (SITES, "browser", {"action": "click", "url": "https://a.example.com/"}, False),
    ],
)
def test_a_pattern_names_calls(
    pattern: str, tool: str, arguments: dict[str, Any], meant: bool
) -> None:
    schema: dict[str, Any] = FILES if tool == "files" else {}
    assert read_pattern(pattern).fits(tool, call_words(arguments, schema)) is meant


@pytest.mark.parametrize("text", ["", "files(", "rm -rf", "(write)", "a b(c)"])
def test_what_names_no_calls_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="names no calls"):
        read_pattern(text)


@pytest.mark.timeout(5)
def test_a_long_text_is_compared_in_no_time() -> None:
    words = call_words({"text": "ab" * 1_000_000}, {})
    assert not read_pattern("t(*a*b*a*b*a*b*c*)").fits("t", words)


def test_a_slip_in_a_tools_name_is_a_problem() -> None:
    policy = ApprovalPolicy("pattern", ("shel", "click(*)", "files("))
    found = dict(problems_of(policy, ["shell", "files"]))
    assert list(found) == ["patterns[0]", "patterns[2]"]
    assert "Did you mean 'shell'?" in found["patterns[0]"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("allow", Answer("allow")),
        (" Allow always ", Answer("always")),
        ("deny: Not: now", Answer("deny", reason="Not: now")),
        ('allow with {"a": "Allow"}', Answer("change", arguments={"a": "Allow"})),
        ("n", Answer("deny")),
    ],
)
def test_an_answer_is_read(text: str, meant: Answer) -> None:
    assert read_answer(text) == meant
