"""Metrics on files of text: lines, CSV, JSON, YAML, SQLite."""

from __future__ import annotations

import csv
import difflib
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

from aworld.environments.desktop.metrics.registry import metric
from aworld.environments.desktop.metrics.value_rules import fits

Rules = dict[str, Any]
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)")


def read(path: str) -> str:
    """A file of text."""
    return Path(path).read_text(encoding="utf-8", errors="replace")


@metric
def diff_text_file(result: str | None, expect: str) -> float:
    """How alike the lines are."""
    if result is None:
        return 0.0
    lines = [read(path).splitlines() for path in (result, expect)]
    return difflib.SequenceMatcher(a=lines[0], b=lines[1]).ratio()


@metric
def compare_text_file(actual: str | None, expected: str, **options: Any) -> float:
    """The same text; `ignore_blanks` and `ignore_case` are options."""
    if not actual:
        return 0.0
    texts = [read(path) for path in (actual, expected)]
    if options.get("ignore_blanks", False):
        texts = [re.sub(r"\s+", " ", re.sub(r"[\t\n]", " ", text).strip()) for text in texts]
    if options.get("ignore_case", False):
        texts = [text.lower() for text in texts]
    return float(texts[0] == texts[1])


@metric
def compare_config(actual: str | None, rules: Rules, **options: Any) -> float:
    """The file's text is `expected`."""
    return float(bool(actual) and read(str(actual)) == rules["expected"])


@metric
def file_contains(file_path: str | None, config: Rules) -> float:
    """All of `expected` are in the file."""
    if not file_path:
        return 0.0
    text = read(file_path)
    return float(all(part in text for part in config["expected"]))


@metric
def check_line_number(file_path: str | None, line_number: Rules) -> float:
    """As many lines have a time of day as `expected` says."""
    if not file_path:
        return 0.0
    count = sum(_CLOCK.search(line) is not None for line in read(file_path).splitlines())
    return float(count == int(line_number["expected"]))


@metric
def compare_terminal_and_txt(txt_file_path: str | None, terminal_output: str | None) -> float:
    """The file holds what the terminal shows."""
    if not txt_file_path or not terminal_output:
        return 0.0
    return float(read(txt_file_path) == terminal_output)


@metric
def compare_python_pure_text(py_file_path: str | None, gold_file_path: str | None) -> float:
    """The same lines without blank ones, trailing blanks, tabs, and a first `#!` or coding line."""
    if not py_file_path or not gold_file_path:
        return 0.0
    return float(_bare_lines(read(py_file_path)) == _bare_lines(read(gold_file_path)))


def _bare_lines(text: str) -> list[str]:
    lines = text.splitlines()
    heads = ("#!", "# -*- coding:", "# coding:", "# coding=")
    start = 0
    while start < min(3, len(lines)) and lines[start].strip().startswith(heads):
        start += 1
    return [line.expandtabs(4).rstrip() for line in lines[start:] if line.strip()]


@metric
def check_csv(result: str | None, rules: Rules) -> float:
    """Each record of `expect` is a row's part, none of `unexpect` is."""
    if result is None:
        return 0.0
    with open(result, encoding="utf-8", errors="replace", newline="") as file:
        rows = list(csv.DictReader(file))

    def found(record: dict[str, str]) -> bool:
        return any(all(row.get(k) == v and k in row for k, v in record.items()) for row in rows)

    wanted = all(found(record) for record in rules.get("expect", []))
    return float(wanted and not any(found(record) for record in rules.get("unexpect", [])))


@metric
def check_list(result: str | None, rules: Rules) -> float:
    """Each pattern of `expect` is found in a line, none of `unexpect` is."""
    if result is None:
        return 0.0
    lines = read(result).splitlines(keepends=True)

    def found(pattern: str) -> bool:
        return any(re.search(pattern, line) for line in lines)

    wanted = all(found(pattern) for pattern in rules.get("expect", []))
    return float(wanted and not any(found(pattern) for pattern in rules.get("unexpect", [])))


@metric
def check_json(result: str | None, rules: Rules, is_yaml: bool = False) -> float:
    """Each rule of `expect` fits the value at its `key`, none of `unexpect` does."""
    if result is None:
        return 0.0
    content = _load(result, is_yaml)
    if content is None:
        return 0.0
    for rule in rules.get("expect", []):
        there, value = _at(content, rule["key"])
        if not there or not _fits(value, rule):
            return 0.0
    for rule in rules.get("unexpect", []):
        _, value = _at(content, rule["key"])
        try:
            if fits(value, rule):
                return 0.0
        except TypeError:
            # A value of another kind fits nothing; OSWorld counts it as a failure.
            return 0.0
    return 1.0


def _load(path: str, is_yaml: bool) -> Any:
    try:
        if is_yaml:
            import yaml

            return yaml.safe_load(read(path))
        return json.loads(read(path))
    except Exception:  # whichever error of its reader: what cannot be read fits no rule
        return None


def _at(content: Any, keys: list[Any]) -> tuple[bool, Any]:
    for key in keys:
        try:
            content = content[key]
        except (KeyError, TypeError, IndexError):
            return False, None
    return True, content


def _fits(value: Any, rule: Rules) -> bool:
    try:
        return fits(value, rule)
    except TypeError:
        return False


@metric
def check_json_settings(actual: str | None, expected: Rules, **options: Any) -> float:
    """The settings of `expected` are among the file's."""
    content = _load(actual, False) if actual else None
    if not isinstance(content, dict):
        return 0.0
    wanted = expected["expected"]
    return float({**content, **wanted} == content)


@metric
def check_json_keybindings(actual: str | None, expected: Rules, **options: Any) -> float:
    """The binding of `expected` is among the file's; a first line of comment is passed over."""
    if not actual:
        return 0.0
    text = read(actual)
    for candidate in (text, text.split("\n", 1)[-1]):
        try:
            content = json.loads(candidate)
        except ValueError:
            continue
        if isinstance(content, list):
            return float(expected["expected"] in content)
    return 0.0


@metric
def is_included_all_json_objects(gold: str | None, result: str | None) -> float:
    """The second file has every key of the first, with its value."""
    if not gold or not result:
        return 0.0
    wanted, content = json.loads(read(gold)), json.loads(read(result))
    return float(all(key in content and content[key] == wanted[key] for key in wanted))


@metric
def run_sqlite3(result: str, rules: Rules) -> float:
    """The first number that the query `sql` gives."""
    with sqlite3.connect(f"file:{result}?mode=ro", uri=True) as connection:
        row = connection.execute(rules["sql"]).fetchone()
    return float(row[0] or 0)
