"""The index by itself: its passages, what it forgets."""

from __future__ import annotations

from pathlib import Path

from aworld.tools.search.local_index import Found, LocalIndex, passages_of
from aworld.tools.search.workspace_files import FileState


def test_passages_are_some_lines_each_and_know_where_they_begin() -> None:
    lines = ["", "a", *(str(n) for n in range(12)), "", "end"]
    assert list(passages_of([("page 1", lines)])) == [
        ("page 1", 2, "\n".join(["a", *(str(n) for n in range(11))])),
        ("page 1", 14, "11\n\nend"),
    ]


def test_a_text_that_repeats_itself_is_shown_once_a_file(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path / "index.sqlite3")
    index.add("a", FileState(1, 1), [("", ["tide"] * 50)])
    index.add("b", FileState(1, 1), [("", ["tide"])])
    assert sorted(index.find("tide", "", 10)) == [
        Found("a", "", 1, "tide"),
        Found("b", "", 1, "tide"),
    ]
    index.forget(["a", "b"])
    assert index.find("tide", "", 10) == [] and index.files() == {}


def test_what_was_replaced_is_not_found_any_more(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path / "index.sqlite3")
    index.add("a", FileState(1, 1), [("", ["ebb and flood"])])
    index.add("a", FileState(2, 2), [("page 2", ["", "spring tide"])], "half of it")
    assert index.find("ebb", "", 10) == []
    assert index.find("springs", "", 10) == []
    assert index.find("spring", "", 10) == [Found("a", "page 2", 2, "spring tide")]
    assert index.files() == {"a": FileState(2, 2)} and index.problems() == {"a": "half of it"}


def test_a_word_finds_longer_ones(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path / "index.sqlite3")
    index.add("a", FileState(1, 1), [("", ["harbours"])])
    assert [found.path for found in index.find("harbour", "", 10)] == ["a"]
