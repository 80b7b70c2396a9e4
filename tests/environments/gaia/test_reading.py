"""GAIA's folders, in both layouts, and their attachments."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.environments.base import Task
from aworld.environments.gaia import KIND
from aworld.errors import ConfigurationError
from tests.environments.gaia.data_sets import row, write_jsonl, write_parquet


def read(path: Path) -> list[Task]:
    return list(KIND.read(path))


def test_the_older_layout_is_read_with_levels_as_numbers(tmp_path: Path) -> None:
    split = tmp_path / "validation"
    write_jsonl(split, row("a", file_name="a.csv"), row("b", Level=3, **{"Final answer": 4}))
    (split / "a.csv").write_text("x", encoding="utf-8")
    assert read(split) == [
        Task(
            id="a",
            environment="gaia",
            suite="gaia-validation",
            question="What is a?",
            level="1",
            tags=("csv",),
            folder=str(split),
            files=("a.csv",),
            data={
                "answer": "17",
                "attachment": {"name": "a.csv", "source": str(split / "a.csv")},
                "annotator": {"Steps": "1. Look", "Number of steps": "1"},
            },
        ),
        Task(
            id="b",
            environment="gaia",
            suite="gaia-validation",
            question="What is b?",
            level="3",
            data={
                "answer": "4",
                "attachment": None,
                "annotator": {"Steps": "1. Look", "Number of steps": "1"},
            },
        ),
    ]


def test_the_newer_layout_is_read_with_levels_as_text_and_paths_from_the_root(
    tmp_path: Path,
) -> None:
    split = tmp_path / "2023" / "validation"
    write_parquet(
        split,
        row("a", Level="2", file_name="a.csv", file_path="2023/validation/a.csv"),
        row("b", Level="1", file_path=""),
    )
    (split / "a.csv").write_text("x", encoding="utf-8")
    first, second = read(split)
    assert (first.level, first.folder, first.files) == ("2", str(split), ("a.csv",))
    assert (second.level, second.files) == ("1", ())


def test_files_by_level_are_read_together_and_not_beside_the_whole_one(tmp_path: Path) -> None:
    for level in "123":
        write_parquet(
            tmp_path, row(f"t{level}", Level=level), name=f"metadata.level{level}.parquet"
        )
    assert [task.id for task in read(tmp_path)] == ["t1", "t2", "t3"]
    assert [task.id for task in read(tmp_path / "metadata.level2.parquet")] == ["t2"]
    write_parquet(tmp_path, row("whole", Level="1"))
    assert [task.id for task in read(tmp_path)] == ["whole"]


def test_the_root_of_the_data_set_has_its_splits_as_suites(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "2023" / "validation", row("a"))
    write_jsonl(tmp_path / "2023" / "test", row("a", **{"Final answer": "?"}))
    assert [(task.suite, task.graded) for task in read(tmp_path)] == [
        ("gaia-validation", True),
        ("gaia-test", False),
    ]


def test_the_test_split_may_have_no_annotations(tmp_path: Path) -> None:
    write_jsonl(tmp_path, row("a", **{"Final answer": None, "Annotator Metadata": None}))
    (task,) = read(tmp_path)
    assert (task.graded, task.data["annotator"]) == (False, {})


def test_an_attachment_is_found_by_path_then_by_name_then_by_the_tasks_id(tmp_path: Path) -> None:
    split = tmp_path / "2023" / "validation"
    for name in ("by_path.txt", "by_name.txt", "file-of-c.txt"):
        split.mkdir(parents=True, exist_ok=True)
        (split / name).write_text(name, encoding="utf-8")
    write_jsonl(
        split,
        row("a", file_name="by_name.txt", file_path="2023/validation/by_path.txt"),
        row("b", file_name="by_name.txt", file_path="2023/validation/gone.txt"),
        row("file-of-c", file_name="gone.txt"),
    )
    assert [task.files for task in read(split)] == [
        ("by_path.txt",),
        ("by_name.txt",),
        ("file-of-c.txt",),
    ]


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", "a/../../x", "x\0y", ".."])
@pytest.mark.parametrize("field", ["file_name", "file_path"])
def test_an_attachment_cannot_lead_out_of_the_folder(tmp_path: Path, field: str, name: str) -> None:
    write_jsonl(tmp_path, row("a", **{field: name}))
    with pytest.raises(ConfigurationError, match=r"line 1 has the file_.* leads out of the folder"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"Level": 4}, "line 2 has the level 4"),
        ({"Level": None}, "line 2 has the level None"),
        ({"Level": "1.0"}, "line 2 has the level '1.0'"),
        ({"Question": ""}, "line 2 has no 'Question'"),
        ({"task_id": 7}, "line 2 has no 'task_id'"),
        ({"task_id": "a"}, "line 2 repeats the task_id 'a' of .*line 1"),
    ],
)
def test_a_wrong_row_is_named_by_its_line(
    tmp_path: Path, fields: dict[str, object], problem: str
) -> None:
    write_jsonl(tmp_path, row("a"), row("b") | fields)
    with pytest.raises(ConfigurationError, match=problem):
        read(tmp_path)


def test_what_is_no_gaia_folder_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is no GAIA folder"):
        read(tmp_path)
    with pytest.raises(ConfigurationError, match="is no folder and no metadata file"):
        read(tmp_path / "nowhere")
    (tmp_path / "metadata.jsonl").write_bytes(b'{"task_id": "a"\n')
    with pytest.raises(ConfigurationError, match=r"metadata.jsonl, line 1 is no JSON object"):
        read(tmp_path)
    (tmp_path / "metadata.jsonl").write_bytes(b"\xff\xfe\n")
    with pytest.raises(ConfigurationError, match="line 1 is no JSON object"):
        read(tmp_path)
    (tmp_path / "metadata.parquet").write_bytes(b"PAR1 but no more")
    with pytest.raises(ConfigurationError, match="is no Parquet file"):
        read(tmp_path)


def test_a_path_never_reaches_what_lies_above_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_text("x", encoding="utf-8")
    split = tmp_path / "a" / "validation"
    write_jsonl(split, row("a", file_path="secret.key"), row("b", file_path="a/secret.key"))
    assert [task.data["attachment"]["source"] for task in read(split)] == [
        str(split / "secret.key"),
        str(split / "secret.key"),
    ]


def test_a_name_that_no_file_can_have_is_a_wrong_row(tmp_path: Path) -> None:
    write_jsonl(tmp_path, row("a", file_name="ä" * 200))
    with pytest.raises(ConfigurationError, match="line 1 has a file_name that no file can have"):
        read(tmp_path)


def test_text_that_is_no_text_in_a_parquet_file_is_named(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    offsets, broken = (
        pyarrow.py_buffer(bytes([0, 0, 0, 0, 2, 0, 0, 0])),
        pyarrow.py_buffer(b"\xff\xfe"),
    )
    column = pyarrow.Array.from_buffers(pyarrow.string(), 1, [None, offsets, broken])
    parquet.write_table(pyarrow.table({"task_id": column}), tmp_path / "metadata.parquet")
    with pytest.raises(ConfigurationError, match="metadata.parquet' is no Parquet file: 'utf-8'"):
        read(tmp_path)
