"""Tasks in WebArena's format, read from files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aworld.environments.web.kind import KIND
from aworld.errors import ConfigurationError

GOOD: dict[str, Any] = {
    "sites": ["shop"],
    "task_id": 7,
    "start_url": "__SHOP__",
    "intent": "What does the Dune tote cost?",
    "eval": {
        "eval_types": ["string_match"],
        "reference_answers": {"must_include": ["24"]},
        "reference_url": "",
        "program_html": [],
    },
}


def write(path: Path, *tasks: Any) -> Path:
    path.write_text(json.dumps(tasks[0] if len(tasks) == 1 else tasks), encoding="utf-8")
    return path


def test_a_file_has_one_task_or_a_list_and_a_folder_has_files(tmp_path: Path) -> None:
    write(tmp_path / "a.json", GOOD)
    write(tmp_path / "b.json", {**GOOD, "task_id": 8}, {**GOOD, "task_id": 9})
    (first, *_, last) = KIND.read(tmp_path)
    assert (first.id, last.id, first.suite) == ("7", "9", tmp_path.name)
    assert first.question.startswith("What does the Dune tote cost?") and first.graded
    assert [task.id for task in KIND.read(tmp_path / "b.json")] == ["8", "9"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sites": ["gitlab"]}, "the site 'gitlab' is not served here"),
        ({"eval": {"eval_types": ["vibes"]}}, r"not \['vibes'\]"),
        ({"eval": {"eval_types": []}}, "eval_types must name some"),
        (
            {
                "eval": {
                    "eval_types": ["program_html"],
                    "program_html": [{"url": "func:last()", "locator": ""}],
                }
            },
            "'func:' calls WebArena's own Python",
        ),
    ],
)
def test_what_cannot_be_judged_here_is_refused_with_its_place(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    file = write(tmp_path / "tasks.json", {**GOOD, **change})
    with pytest.raises(ConfigurationError, match=f"tasks.json, task 1: .*{said}"):
        list(KIND.read(file))


def test_a_missing_field_a_broken_file_and_an_empty_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="has no JSON files"):
        list(KIND.read(tmp_path))
    file = write(tmp_path / "tasks.json", {"intent": "?"})
    with pytest.raises(ConfigurationError, match="the field 'task_id' is missing"):
        list(KIND.read(file))
    file.write_text("{", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"tasks.json' cannot be read"):
        list(KIND.read(file))
    file.write_text("[1]", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="a task is an object, not int"):
        list(KIND.read(file))


def test_an_answer_that_needs_a_judge_is_not_graded(tmp_path: Path) -> None:
    evaluation = {"eval_types": ["string_match"], "reference_answers": {"fuzzy_match": ["cheap"]}}
    file = write(tmp_path / "tasks.json", {**GOOD, "eval": evaluation})
    (task,) = KIND.read(file)
    assert not task.graded


@pytest.mark.parametrize(
    "change", [{"sites": None}, {"eval": []}, {"intent": 5}, {"metadata": {"max_steps": "many"}}]
)
def test_a_field_of_another_type_is_named_with_its_task(
    change: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=r"a\.json, task 1: a field is not as WebArena"):
        list(KIND.read(write(tmp_path / "a.json", {**GOOD, **change})))


def test_a_file_that_is_nested_without_end_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        list(KIND.read(tmp_path / "a.json"))
