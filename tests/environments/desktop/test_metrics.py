"""Metrics on values and on files of text."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from aworld.environments.desktop.metrics.judge import judge
from aworld.environments.desktop.metrics.registry import find, modules
from aworld.environments.desktop.metrics.similarity import ratio


def expected(value: Any, **more: Any) -> dict[str, Any]:
    return {"expected": value, **more}


@pytest.mark.parametrize(
    ("func", "result", "rules", "score"),
    [
        ("exact_match", {"a": [1]}, expected({"a": [1]}), 1.0),
        ("exact_match", "1", expected(1), 0.0),
        ("match_in_list", "b", expected(["a", "b"]), 1.0),
        ("match_in_list", "c", expected(["a", "b"]), 0.0),
        ("is_in_list", ["a", "b"], expected("b"), 1.0),
        ("fuzzy_match", "kitten", expected("sitting"), 8 / 13),
        ("fuzzy_match", "", expected(""), 1.0),
        ("check_include_exclude", "alpha beta", {"include": ["alpha"], "exclude": ["x"]}, 1.0),
        ("check_include_exclude", "alpha beta", {"include": ["alpha"], "exclude": ["be"]}, 0.0),
        ("check_include_exclude", None, {"exclude": ["x"]}, 0.0),
        ("literal_match", 3, "3", 1.0),
        ("check_direct_json_object", "{'a': '1'}", expected({"a": "1"}), 1.0),
        ("check_direct_json_object", {"a": "12"}, expected({"a": "1"}), 0.0),
        ("check_direct_json_object", {"a": "12"}, expected({"a": "1"}, expect_in_result=True), 1.0),
        (
            "check_direct_json_object",
            {"a": ["x", "y"]},
            expected({"a": ["z", "y"]}, expect_in_result=True),
            1.0,
        ),
        ("check_moved_jpgs", {"children": [{"name": "a"}]}, expected(["a"]), 1.0),
        ("check_gnome_favorite_apps", "['a.desktop', 'b']", expected(["b", "a.desktop"]), 1.0),
        (
            "is_expected_active_tab",
            {"url": "https://www.example.com/"},
            {"type": "url", "url": "https://example.co.uk"},
            1.0,
        ),
        ("is_expected_active_tab", "http://a.org/x", {"type": "url", "url": "a.org/x"}, 1.0),
        ("is_expected_active_tab", "http://a.org/x", {"type": "url", "url": "a.org/y"}, 0.0),
        ("is_expected_active_tab", None, {"type": "url", "url": "a.org"}, 0.0),
        (
            "is_expected_tabs",
            [{"url": "http://a.org"}, {"url": "http://b.org/"}],
            {"type": "url", "urls": ["http://b.org", "http://a.org"]},
            1.0,
        ),
        (
            "is_expected_bookmarks",
            {"bookmark_bar": {"children": [{"type": "folder", "name": "F", "children": []}]}},
            {"type": "bookmark_bar_folders_names", "names": ["F"]},
            1.0,
        ),
        ("is_cookie_deleted", [[1, ".amazon.com"]], {"type": "domains", "domains": ["x"]}, 1.0),
        ("check_enabled_experiments", ["a@1", "b"], {"type": "names", "names": ["a", "b"]}, 1.0),
        (
            "check_font_size",
            {"default_font_size": 20},
            {"type": "range", "min": 19, "max": 21},
            1.0,
        ),
    ],
)
def test_a_value_scores(func: str, result: Any, rules: Any, score: float) -> None:
    assert find(func)(result, rules) == pytest.approx(score)


@pytest.mark.parametrize(
    ("func", "text", "rules", "score"),
    [
        ("check_csv", "a,b\n1,2\n3,4\n", {"expect": [{"a": "3"}], "unexpect": [{"a": "2"}]}, 1.0),
        ("check_csv", "a,b\n1,2\n", {"expect": [{"a": "1", "b": "3"}]}, 0.0),
        ("check_csv", "a\n1\n", {"unexpect": [{"a": "1"}]}, 0.0),
        ("check_list", "one 1\ntwo\n", {"expect": [r"\d$", "^two"], "unexpect": ["three"]}, 1.0),
        ("check_list", "one\n", {"expect": ["one", "two"]}, 0.0),
        ("file_contains", "abc", expected(["a", "bc"]), 1.0),
        ("check_line_number", "12:30:00 a\n25:00:00\n01:02:60\n", expected("2"), 1.0),
        ("compare_config", "a\n", expected("a\n"), 1.0),
        ("check_json_settings", '{"a": 1, "b": 2}', expected({"b": 2}), 1.0),
        ("check_json_settings", "{", expected({}), 0.0),
        ("check_json_keybindings", '// x\n[{"key": "a"}]', expected({"key": "a"}), 1.0),
    ],
)
def test_a_file_scores(
    func: str, text: str, rules: dict[str, Any], score: float, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    assert find(func)(str(path), rules) == score
    assert find(func)(None, rules) == 0.0


@pytest.mark.parametrize(
    ("method", "value", "reference", "fits"),
    [
        ("eq", 1, 1, True),
        ("gt", 1, 1, False),
        ("lt", "a", 1, False),
        ("re", "abc", "B", False),
        ("re.I", "abc", "B", True),
        ("approx:0.1", "1.05", 1, True),
        ("approx:0.1", "x", 1, False),
        ("range.te", 0, [0, 2], False),
        ("range.te", 2, [0, 2], True),
        ("str_set_eq", "'b,a'", ["a", "b"], True),
        ("str_list_eq", "b,a", ["a", "b"], False),
        ("spreadsheet_range", "B2:C4", ["B2:B3", "A1:D9"], True),
        ("spreadsheet_range", "B2:E4", ["B2:B3", "A1:D9"], False),
    ],
)
def test_a_value_fits_a_rule(
    method: str, value: Any, reference: Any, fits: bool, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"k": [value]}), encoding="utf-8")
    rule = {"key": ["k", 0], "method": method, "ref": reference}
    assert find("check_json")(str(path), {"expect": [rule]}) == float(fits)


def test_a_value_that_is_not_there_fits_no_rule(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: {b: 1}\n", encoding="utf-8")
    rule = {"key": ["a", "c"], "method": "eq", "ref": 1}
    check = find("check_json")
    assert check(str(path), {"expect": [rule]}, is_yaml=True) == 0.0
    assert check(str(path), {"unexpect": [rule]}, is_yaml=True) == 1.0
    assert check(str(path), {"unexpect": [{**rule, "key": ["a", "b"]}]}, is_yaml=True) == 0.0


def test_files_are_compared_line_by_line_or_whole(tmp_path: Path) -> None:
    first, second = str(tmp_path / "a"), str(tmp_path / "b")
    Path(first).write_text("#!/bin/python\nx = 1\n\n\ty\n", encoding="utf-8")
    Path(second).write_text("x = 1\n    Y  \n", encoding="utf-8")
    assert find("diff_text_file")(first, second) == pytest.approx(2 / 6)
    assert find("compare_text_file")(first, second) == 0.0
    assert find("compare_python_pure_text")(first, second) == 0.0
    Path(second).write_text("x = 1\n    y  \n", encoding="utf-8")
    assert find("compare_python_pure_text")(first, second) == 1.0
    assert find("compare_csv")(first, [second, first]) == 1.0


def test_a_query_gives_the_score_of_a_database(tmp_path: Path) -> None:
    path = str(tmp_path / "a.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (n)")
    assert find("run_sqlite3")(path, {"sql": "SELECT count(*) = 0 FROM t"}) == 1.0
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        find("run_sqlite3")(path, {"sql": "DROP TABLE t"})


TREE = (
    '<desktop-frame xmlns:st="https://accessibility.ubuntu.example.org/ns/state">'
    '<application name="editor"><entry name="Find" st:focused="true">abc</entry>'
    '<entry name="Other">xyz</entry></application></desktop-frame>'
)


@pytest.mark.parametrize(
    ("rules", "score"),
    [
        ([{"xpath": "//entry[@st:focused='true']", "text": "abc", "exact": True}], 1.0),
        (
            [{"selectors": ["[name=editor] > entry[st|focused=true]"], "text": "abc"}],
            1.0,
        ),
        ([{"selectors": ["entry[name=Other]"], "text": "xyw", "exact": False}], 2 / 3),
        ([{"xpath": "//entry"}, {"xpath": "//button"}], 0.0),
    ],
)
def test_rules_find_elements_of_the_accessibility_tree(
    rules: list[dict[str, Any]], score: float
) -> None:
    assert find("check_accessibility_tree")(TREE, rules) == pytest.approx(score)


def test_what_breaks_a_metric_is_told_and_what_it_lacks_is_no_verdict() -> None:
    request = {"func": "check_font_size", "result": {}, "options": {}}
    assert judge({**request, "expected": {"type": "value"}}) == {
        "problem": "KeyError: 'default_font_size'"
    }
    odd = {**request, "result": {"default_font_size": 1}, "expected": {"type": "odd"}}
    assert judge(odd) == {"unsupported": "check_font_size of the type 'odd'"}


def test_every_metric_is_found_in_the_file_that_the_registry_names() -> None:
    assert len(modules()) > 70
    for name in modules():
        assert find(name).__name__ == name


def test_likeness_is_symmetric_and_counts_common_subsequences() -> None:
    assert ratio("abcdef", "acf") == ratio("acf", "abcdef") == pytest.approx(6 / 9)
    assert ratio("ab" * 400, "ba" * 400) == pytest.approx(2 * 799 / 1600)
