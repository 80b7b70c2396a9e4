"""Metrics agree with OSWorld's own, from the wheel `desktop-env`, on values and files by chance."""

from __future__ import annotations

import ast
import builtins
import csv
import difflib
import functools
import json
import logging
import operator
import os
import random
import re
import subprocess
import sys
import typing
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest

from aworld.environments.desktop.metrics.registry import find

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
WHEEL = "desktop-env==1.0.2"
ROUNDS = 300
_WORDS = ["a", "b", "A", "ab", "", "1", "2.5", "x y", "é"]

Theirs = Callable[[str], Callable[..., float]]


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Theirs:
    """OSWorld's function of a name, taken out of its file without what that file imports."""
    folder = tmp_path_factory.mktemp("wheel")
    asked = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), WHEEL]
    said = subprocess.run(asked, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        pytest.skip(f"{WHEEL} cannot be had: {said.stderr.strip()[-200:]}")
    sources: dict[str, str] = {}
    with zipfile.ZipFile(wheels[0]) as archive:
        for name in archive.namelist():
            if re.fullmatch(r"desktop_env/evaluators/metrics/\w+\.py", name):
                text = archive.read(name).decode()
                for node in ast.parse(text).body:
                    if isinstance(node, ast.FunctionDef):
                        sources.setdefault(node.name, ast.get_source_segment(text, node) or "")

    def function(name: str) -> Callable[..., float]:
        space: dict[str, Any] = {**vars(typing), "csv": csv, "difflib": difflib, "json": json}
        space |= {"os": os, "re": re, "Document": docx.Document, "print": lambda *_: None}
        space |= {"builtins": builtins, "functools": functools, "operator": operator}
        space |= {"Number": float, "V": object, "logger": logging.getLogger("peer")}
        for helper in ("_match_record", "_match_value_to_rule", "compare_docx_files"):
            exec(sources[helper], space)
        exec(sources[name], space)
        return typing.cast(Callable[..., float], space[name])

    return function


def outcome(function: Callable[..., float], *arguments: Any, **options: Any) -> float | str:
    """The score, or that there is none: what breaks a metric is a 0 for whoever judges."""
    try:
        return float(function(*arguments, **options))
    except Exception:
        return "none"


def agree(ours: float | str, other: float | str) -> bool:
    return ours == other or {ours, other} <= {"none", 0.0}


def value(chance: random.Random) -> Any:
    kind = chance.randrange(4)
    if kind == 0:
        return chance.choice(_WORDS)
    if kind == 1:
        return [chance.choice(_WORDS) for _ in range(chance.randrange(4))]
    if kind == 2:
        return {chance.choice(_WORDS): chance.choice(_WORDS) for _ in range(2)}
    return chance.randrange(3)


@pytest.mark.parametrize(
    "name",
    ["exact_match", "match_in_list", "is_in_list", "literal_match", "check_direct_json_object"],
)
def test_on_values(name: str, theirs: Theirs) -> None:
    chance, other = random.Random(name), theirs(name)
    for _ in range(ROUNDS):
        result, wanted = value(chance), value(chance)
        rules = wanted if name == "literal_match" else {"expected": wanted}
        if name == "check_direct_json_object":
            rules["expect_in_result"] = chance.random() < 0.5
        assert agree(outcome(find(name), result, rules), outcome(other, result, rules)), (
            result,
            rules,
        )


@pytest.mark.parametrize("name", ["check_csv", "check_list", "check_include_exclude"])
def test_on_expected_and_unexpected_parts(name: str, theirs: Theirs, tmp_path: Path) -> None:
    chance, other = random.Random(name), theirs(name)
    path = tmp_path / "file"
    for _ in range(ROUNDS):
        rows = [[chance.choice("123") for _ in "ab"] for _ in range(3)]
        text = "a,b\n" + "".join(",".join(row) + "\n" for row in rows)
        path.write_text(text, encoding="utf-8")

        def part() -> Any:
            if name == "check_csv":
                return {chance.choice("abc"): chance.choice("123")}
            return chance.choice(["1", "2", "^3", "a", "x"])

        keys = ("include", "exclude") if name == "check_include_exclude" else ("expect", "unexpect")
        rules = {key: [part() for _ in range(chance.randrange(2))] for key in keys}
        result = text if name == "check_include_exclude" else str(path)
        assert find(name)(result, rules) == other(result, rules), (text, rules)


def test_on_rules_over_json(theirs: Theirs, tmp_path: Path) -> None:
    chance, other, path = random.Random(3), theirs("check_json"), tmp_path / "a.json"
    methods = ["eq", "ne", "lt", "ge", "re", "re.I", "approx:1", "range.te", "str_set_eq"]
    for _ in range(ROUNDS):
        path.write_text(json.dumps({"a": {"b": value(chance)}}), encoding="utf-8")

        def rule() -> dict[str, Any]:
            method = chance.choice(methods)
            reference: Any = value(chance)
            if method.startswith("range"):
                reference = [0, 2]
            elif method.startswith("approx"):
                reference = 1
            return {"key": ["a", chance.choice("bc")], "method": method, "ref": reference}

        rules = {k: [rule() for _ in range(chance.randrange(2))] for k in ("expect", "unexpect")}
        assert agree(
            outcome(find("check_json"), str(path), rules), outcome(other, str(path), rules)
        ), (path.read_text(encoding="utf-8"), rules)


@pytest.mark.parametrize("name", ["diff_text_file", "compare_text_file"])
def test_on_two_files_of_text(name: str, theirs: Theirs, tmp_path: Path) -> None:
    chance, other = random.Random(name), theirs(name)
    paths = [str(tmp_path / key) for key in "ab"]
    for _ in range(ROUNDS):
        for path in paths:
            lines = [chance.choice(["x", "X", " x", "y\t", ""]) for _ in range(chance.randrange(4))]
            Path(path).write_text("\n".join(lines), encoding="utf-8")
        options = (
            {}
            if name == "diff_text_file"
            else {key: chance.random() < 0.5 for key in ("ignore_blanks", "ignore_case")}
        )
        assert find(name)(*paths, **options) == other(*paths, **options)


def test_on_documents(theirs: Theirs, tmp_path: Path) -> None:
    chance, other = random.Random(5), theirs("compare_docx_files")
    paths = [str(tmp_path / f"{key}.docx") for key in "ab"]
    switches = ("ignore_blanks", "ignore_case", "ignore_order", "delete_empty_lines")
    for _ in range(60):
        for path in paths:
            made = docx.Document()
            for _ in range(chance.randrange(1, 4)):
                made.add_paragraph(chance.choice(["One", "one", "two  three", "two three", ""]))
            made.save(path)
        options = {key: chance.random() < 0.5 for key in switches}
        assert find("compare_docx_files")(*paths, **options) == other(*paths, **options)
