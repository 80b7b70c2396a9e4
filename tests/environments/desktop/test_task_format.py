"""OSWorld's task files: read whole, and refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aworld.environments import registry
from aworld.environments.desktop.task_files import TaskFiles
from aworld.environments.desktop.task_format import Check, parse, read_all
from aworld.errors import ConfigurationError

RULE = {"type": "rule", "rules": {"expected": "a"}}
FILE = {"type": "vm_file", "path": "/home/user/a", "dest": "a"}
TASK: dict[str, Any] = {
    "id": "0a",
    "snapshot": "os",
    "instruction": "Do it.",
    "source": "https://example.org/1",
    "config": [{"type": "sleep", "parameters": {"seconds": 1}}],
    "trajectory": "trajectories/0a",
    "related_apps": ["os"],
    "evaluator": {"func": "exact_match", "result": FILE, "expected": RULE},
    "proxy": False,
    "fixed_ip": False,
    "possibility_of_env_change": "low",
}


def write(path: Path, data: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_task_keeps_its_fields_and_hides_its_answers_in_data(tmp_path: Path) -> None:
    (task,) = registry.kind("osworld").read(write(tmp_path / "0a.json", TASK))
    assert (task.id, task.question, task.tags) == ("0a", "Do it.", ("os",))
    assert task.data == TASK
    assert task.folder == str(tmp_path)


def test_an_index_names_the_tasks_of_a_folder(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write(tmp_path / "examples" / "os" / f"{name}.json", {**TASK, "id": name})
    small = write(tmp_path / "test_small.json", {"os": ["y"]})
    write(tmp_path / "test_all.json", {"os": ["y", "x"]})
    assert [task.id for task in read_all(small, "small")] == ["y"]
    assert [task.id for task in read_all(tmp_path, "all")] == ["y", "x"]
    write(small, {"os": ["z"]})
    with pytest.raises(ConfigurationError, match=r"names 1 tasks that are not there.*z\.json"):
        list(read_all(small, "small"))


def test_lists_of_metrics_take_one_getter_each() -> None:
    judge = {
        "func": ["a", "b"],
        "conj": "or",
        "result": [FILE, FILE],
        "expected": [RULE, None],
        "options": [{}, {"x": 1}],
    }
    checks = parse({**TASK, "evaluator": judge}, "it").checks()
    assert checks == [Check("a", FILE, RULE, {}), Check("b", FILE, None, {"x": 1})]
    with pytest.raises(ConfigurationError, match="has 2 in 'func' and 1 in 'result'"):
        parse({**TASK, "evaluator": {**judge, "result": [FILE]}}, "it")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[1]", "holds no task"),
        ("{", "cannot be read"),
        ("{}", "is no task of OSWorld: Object missing required field"),
        ('{"id": 1, "instruction": "", "evaluator": {}}', r"Expected `str`, got `int`"),
        ("[" * 100_000, "cannot be read"),
    ],
)
def test_what_is_no_task_is_refused_by_name(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=words) as refusal:
        list(read_all(tmp_path, "s"))
    assert "t.json" in str(refusal.value)


def test_a_screen_of_any_size_is_not_made() -> None:
    with pytest.raises(ConfigurationError, match="100000 x 100000 pixels is not made"):
        parse({**TASK, "screen": [100_000, 100_000]}, "it")


def test_files_come_from_beside_the_task_or_from_a_cache_and_from_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "examples" / "os"
    write(folder / "gold.json", 1)
    (tmp_path / "secret").write_text("s", encoding="utf-8")
    (folder / "way_out").symlink_to(tmp_path / "secret")
    files = TaskFiles(str(folder), "0a")
    assert files.downloaded("gold.json", "x") == folder / "gold.json"
    for outside in ("../../secret", str(tmp_path / "secret"), "way_out"):
        with pytest.raises(ConfigurationError, match="outside the task's folder"):
            files.local(outside)
    url = "https://example.org/gold.xlsx"
    with pytest.raises(ConfigurationError, match="is not downloaded: put it as"):
        files.downloaded(url, "gold.xlsx")
    cached = write(tmp_path / "cache" / "0a" / "gold.xlsx", 1)
    assert files.downloaded(url, "/home/user/gold.xlsx") == cached
    monkeypatch.setenv("AWORLD_OSWORLD_CACHE", str(tmp_path / "mine"))
    first = write(tmp_path / "mine" / "gold.xlsx", 1)
    assert files.downloaded(url, "gold.xlsx") == first


@pytest.mark.parametrize("task_id", ["../../secrets", "/etc", "..", ""])
def test_an_id_does_not_lead_to_other_files_than_downloads(task_id: str, tmp_path: Path) -> None:
    (tmp_path / "tasks" / "cache").mkdir(parents=True)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "key").write_text("x", encoding="utf-8")
    files = TaskFiles(str(tmp_path / "tasks"), task_id)
    with pytest.raises(ConfigurationError, match="is no name for a folder"):
        files.downloaded("https://example.org/key", "key")
