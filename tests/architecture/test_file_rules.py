"""Small files with one reason each: their length, their functions' length, their names."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture.source_tree import ROOT, name_of, parsed, python_files

LONGEST_FILE = 400
LONGEST_TEST_FILE = 500
LONGEST_FUNCTION = 60
"""Lines, docstring included: one screen."""
BAGS = {"utils", "util", "helpers", "helper", "common", "misc", "lib"}


def _lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def test_no_file_is_longer_than_one_reason_needs() -> None:
    long = [f"{name_of(f)}: {_lines(f)}" for f in python_files() if _lines(f) > LONGEST_FILE]
    long += [
        f"{name_of(f)}: {_lines(f)}" for f in python_files("tests") if _lines(f) > LONGEST_TEST_FILE
    ]
    assert long == []


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{name_of(file)}: {node.name} has {_length(node)} lines"
        for file in python_files()
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and _length(node) > LONGEST_FUNCTION
    ]
    assert long == []


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_module_is_a_bag_of_unrelated_things() -> None:
    bags = [name_of(file) for file in python_files() if {file.stem, file.parent.name} & BAGS]
    assert bags == []


def test_every_module_with_code_says_what_it_is_for() -> None:
    silent = [
        name_of(file)
        for file in python_files()
        if parsed(file).body and ast.get_docstring(parsed(file)) is None
    ]
    assert silent == []


def test_the_front_end_has_no_bag_and_no_file_longer_than_its_limit() -> None:
    sources = ROOT / "frontend" / "src"
    faults = []
    for file in sorted(sources.rglob("*.ts*")):
        if "generated" in file.parts:
            continue
        if file.stem in BAGS - {"lib"}:
            faults.append(f"{name_of(file)} is a bag")
        if _lines(file) > LONGEST_TEST_FILE:
            faults.append(f"{name_of(file)} has {_lines(file)} lines")
    assert faults == []
