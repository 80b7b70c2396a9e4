"""Suites that somebody brings: read in their format, kept whole or not at all, found by name."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from aworld.environments import terminal
from aworld.environments.imported import import_suite, imported_suites, remove_suite
from aworld.environments.registry import find_task, suites, tasks_of
from aworld.errors import ConfigurationError

PROBLEMS = (
    b'{"id": "sum", "problem": "How much is 1+1?", "answer": "2"}\n'
    b'{"id": "product", "problem": "How much is 2*3?", "answer": "6"}\n'
)


def archive(files: dict[str, bytes], link: str = "") -> bytes:
    """A .zip with these members, and a symbolic link of that name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for name, data in files.items():
            made.writestr(name, data)
        if link:
            member = zipfile.ZipInfo(link)
            member.external_attr = 0o120777 << 16
            made.writestr(member, "/etc/passwd")
    return packed.getvalue()


PACKERS = (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def spoilt(packer: int) -> bytes:
    """An archive by that packer, damaged where its packed data is."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", packer) as made:
        made.writestr("sums.jsonl", PROBLEMS * 50)
    damaged = bytearray(packed.getvalue())
    damaged[50:70] = bytes(20)
    return bytes(damaged)


def test_a_file_of_problems_becomes_a_suite_that_is_found_by_name(home: Path) -> None:
    suite = import_suite("math", "sums", {"sums.jsonl": PROBLEMS}, by="ada")
    assert (suite.tasks, suite.environment, suite.by) == (2, "math", "ada")
    assert [(task.suite, task.id) for task in tasks_of("sums")] == [
        ("sums", "sum"),
        ("sums", "product"),
    ]
    assert find_task("sums/sum").question.startswith("How much is 1+1?")
    assert ("math", "sums", "2 tasks, imported") in set(suites())


def test_an_archive_of_task_folders_is_unpacked_with_what_may_be_run(home: Path) -> None:
    shipped = Path(terminal.__file__).parent / "tasks" / "apply-patch-by-hand"
    files = {
        f"mine/fix/{path.relative_to(shipped).as_posix()}": path.read_bytes()
        for path in shipped.rglob("*")
        if path.is_file()
    }
    import_suite("terminal", "mine", {"mine.zip": archive({**files, "__MACOSX/._x": b""})})
    task = find_task("mine/fix")
    assert Path(task.folder).is_relative_to(home / "suites" / "mine")
    assert (Path(task.folder) / "run-tests.sh").is_file()


def test_what_is_brought_again_takes_the_place_of_what_was_there(home: Path) -> None:
    import_suite("math", "sums", {"sums.jsonl": PROBLEMS})
    assert len(list(tasks_of("sums"))) == 2
    import_suite("math", "sums", {"sums.jsonl": PROBLEMS.splitlines()[0]})
    assert [task.id for task in tasks_of("sums")] == ["sum"]
    remove_suite("sums")
    with pytest.raises(ConfigurationError, match="no suite 'sums'"):
        tasks_of("sums")


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        ("gaia-own", {"a.jsonl": PROBLEMS}, "ships already"),
        ("../up", {"a.jsonl": PROBLEMS}, "is no name for a suite"),
        ("a", {}, "There is no file in it"),
        ("a", {"a.jsonl": b"{"}, "No task of Mathematics can be read there: a.jsonl, line 1"),
        ("a", {"a.jsonl": PROBLEMS + PROBLEMS}, "'sum'"),
        ("a", {"a.zip": b"no archive"}, "cannot be unpacked"),
        ("a", {"a.zip": archive({"../../out.jsonl": PROBLEMS})}, "leads out of the suite"),
        ("a", {"a.zip": archive({"b.jsonl": PROBLEMS}, link="c")}, "has a link, 'c'"),
        *[("a", {"a.zip": spoilt(how)}, "'a.zip' cannot be unpacked") for how in PACKERS],
        ("a", {"/etc/x.jsonl": PROBLEMS}, "leads out of the suite"),
        ("a", {"a.jsonl/b": b"", "a.jsonl": PROBLEMS}, "cannot be kept"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words_and_leaves_nothing(
    home: Path, name: str, files: dict[str, bytes], said: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        import_suite("math", name, files)
    assert said in str(refused.value)
    assert str(home) not in str(refused.value)
    assert imported_suites() == {}
    assert list((home / "suites").glob("*") if (home / "suites").exists() else ()) == []


def test_a_name_belongs_to_one_environment(home: Path) -> None:
    import_suite("math", "sums", {"sums.jsonl": PROBLEMS})
    with pytest.raises(ConfigurationError, match="was imported for 'math' already"):
        import_suite("terminal", "sums", {"sums.zip": archive({"a/task.toml": b""})})


def test_a_suite_that_was_spoilt_by_hand_is_left_out(home: Path) -> None:
    import_suite("math", "sums", {"sums.jsonl": PROBLEMS})
    (home / "suites" / "sums" / "suite.json").write_text("{", encoding="utf-8")
    assert imported_suites() == {}
    with pytest.raises(ConfigurationError, match="What ships cannot be removed"):
        remove_suite("aime-style")
