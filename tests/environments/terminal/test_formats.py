"""Terminal-Bench's two formats, as they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.environments.base import Task
from aworld.environments.terminal.kind import KIND, SUITE
from aworld.environments.terminal.spec import spec_of
from aworld.errors import ConfigurationError
from tests.environments.terminal.task_folder import unsupported, version_one, version_two, write

FULL_TOML = """
schema_version = "1.4"
[task]
name = "org/t"
keywords = ["k"]
[metadata]
difficulty = "hard"
category = "data"
tags = ["csv", "data"]
[verifier]
timeout_sec = 45
env = { MODE = "strict" }
[agent]
timeout_sec = 600.0
[environment]
build_timeout_sec = 90
memory_mb = 2048
storage_mb = 4096
workdir = "/srv/work"
network_mode = "allowlist"
allowed_hosts = ["pypi.org"]
env = { LANG = "C" }
"""


def test_a_task_of_format_two(tmp_path: Path) -> None:
    task = version_two(tmp_path, "exit 0", task_dot_toml=FULL_TOML, solution__solve_dot_sh="true")
    spec = spec_of(task)
    assert (task.id, task.suite, task.question) == ("t", tmp_path.name, "Do it.")
    assert (task.level, task.tags, task.seconds) == ("hard", ("data", "csv", "k"), 600.0)
    assert task.network == ("pypi.org",)
    assert (spec.folder, spec.memory_mb, spec.disk_mb) == ("/srv/work", 2048, 4096)
    assert (spec.tests_seconds, spec.build_seconds) == (45.0, 90.0)
    assert (spec.environment, spec.tests_environment) == ({"LANG": "C"}, {"MODE": "strict"})
    assert (spec.test_script, spec.solution) == ("tests/test.sh", "solution/solve.sh")
    assert spec.unsupported == ()


def test_a_task_of_format_one(tmp_path: Path) -> None:
    yaml = (
        "difficulty: medium\ncategory: security\ntags: [keys]\nparser_name: pytest\n"
        "max_agent_timeout_sec: 360\nmax_test_timeout_sec: 60\nauthor_name: A\n"
        "estimated_duration_sec: null\n"
    )
    task = version_one(tmp_path, "def test_x(): pass", yaml, solution_dot_sh="true")
    spec = spec_of(task)
    assert (task.level, task.tags, task.seconds) == ("medium", ("security", "keys"), 360.0)
    assert (spec.parser, spec.tests_seconds, spec.solution) == ("pytest", 60.0, "solution.sh")
    assert (spec.test_script, spec.context, spec.unsupported) == ("", "", ())


def test_a_task_without_a_word_about_the_network_gets_none(tmp_path: Path) -> None:
    assert version_two(tmp_path, "true").network == ()
    toml = '[environment]\nnetwork_mode = "public"\n'
    assert version_two(tmp_path, "true", task_dot_toml=toml).network == ("*",)


def test_a_folder_of_tasks_is_read_in_order_and_other_folders_are_passed_over(
    tmp_path: Path,
) -> None:
    for name in ("b", "a"):
        version_two(tmp_path / name, "true")
        (tmp_path / name / "t").rename(tmp_path / f"task-{name}")
    write(tmp_path, {"notes/readme.md": "no task"})
    assert [task.id for task in KIND.read(tmp_path)] == ["task-a", "task-b"]


def test_what_is_no_task_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="has no folder with a task.toml or a task.yaml"):
        KIND.read(tmp_path)
    with pytest.raises(ConfigurationError, match="is not a folder with tasks"):
        KIND.read(tmp_path / "nowhere")
    with pytest.raises(ConfigurationError, match="has no suite 'other'"):
        KIND.tasks("other")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"task.toml": "a = "}, "is no task of Terminal-Bench"),
        ({"task.toml": "[agent]\ntimeout_sec = 'x'"}, "Expected `float | null`, got `str`"),
        ({"task.toml": ""}, "instruction.md' cannot be read"),
        ({"task.yaml": "a: [1"}, "is not YAML"),
        ({"task.yaml": "difficulty: easy"}, "missing required field `instruction`"),
        ({"task.yaml": "- a"}, "is no task of Terminal-Bench"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_its_fault(
    files: dict[str, str], why: str, tmp_path: Path
) -> None:
    write(tmp_path / "t", files)
    with pytest.raises(ConfigurationError, match=why):
        list(KIND.read(tmp_path / "t"))


def of_image(tmp_path: Path, lines: str) -> Task:
    return version_two(tmp_path, "true", environment__Dockerfile=lines)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("FROM nginx:1.27", "its image 'nginx:1.27' has software of its own"),
        ("FROM debian\nFROM debian AS b", "its Dockerfile has several stages"),
        ("FROM debian\nRUN apt-get update && apt-get install -y nosuchpkg", "installs nosuchpkg"),
        ("FROM python:3.12\nRUN pip install nosuchpkg==1", "line 2 of its Dockerfile installs"),
        ("FROM debian\nRUN curl -O https://x.org/y", "installs something by 'curl -O"),
        ("FROM debian\nCOPY --from=other /a /b", "copies what is not in its folder"),
        ("FROM debian\nADD https://x.org/y /app/", "copies what is not in its folder"),
        ("FROM debian\nCOPY a /usr/bin/a", "a folder of the system's"),
        ("FROM debian\nWORKDIR /usr/src", "its folder '/usr/src' is one of the system's"),
        ("FROM debian\nRUN cat <<EOF\nx\nEOF", "has a text within a command"),
        ("FROM debian\nONBUILD RUN x", "line 2 of its Dockerfile: ONBUILD is not known"),
    ],
)
def test_what_a_dockerfile_needs_and_is_not_here_is_named(
    lines: str, reason: str, tmp_path: Path
) -> None:
    assert reason in "; ".join(unsupported(of_image(tmp_path, lines)))


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ("[environment]\ngpus = 1", "it needs 1 GPU"),
        ('[environment]\nos = "windows"', "it needs windows"),
        ("[[steps]]\nname = 'a'", "it has several steps"),
    ],
)
def test_what_a_task_needs_and_is_not_here_is_named(toml: str, reason: str, tmp_path: Path) -> None:
    assert reason in unsupported(version_two(tmp_path, "true", task_dot_toml=toml))


def test_what_format_one_needs_and_is_not_here_is_named(tmp_path: Path) -> None:
    task = version_one(
        tmp_path,
        "def test_x(): pass",
        "parser_name: swebench\nrun_tests_in_same_shell: true\n",
        docker_compose="",
        run_tests="",
    )
    assert len(unsupported(task)) == 2
    write(tmp_path / "t", {"docker-compose.yaml": "services: {client: {}, db: {}}"})
    (task,) = KIND.read(tmp_path / "t")
    assert "it needs several containers: client, db" in unsupported(task)


DOWNLOADS = """#!/bin/bash
apt-get update
apt-get install -y curl
curl -LsSf https://astral.sh/uv/0.7.13/install.sh | sh
source $HOME/.local/bin/env
uv init
uv add pytest==8.4.1
uv run pytest $TEST_DIR/test_outputs.py -rA
"""
UVX = """#!/bin/bash
apt-get update
curl -LsSf https://astral.sh/uv/0.9.5/install.sh | sh
uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 \\
  pytest --ctrf /logs/verifier/ctrf.json /tests/test_outputs.py -rA
if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; fi
"""


def test_tests_that_download_pytest_alone_are_run_without_the_download(tmp_path: Path) -> None:
    task = version_one(tmp_path, "def test_x(): pass")
    write(tmp_path / "t", {"run-tests.sh": DOWNLOADS})
    assert unsupported(task) == ()
    two = version_two(tmp_path / "two", UVX, tests__test_outputs_dot_py="def test_x(): pass")
    assert unsupported(two) == ()


def test_tests_that_download_more_are_named(tmp_path: Path) -> None:
    more = UVX.replace("-w pytest-json", "-w nosuchpkg==2 -w pytest-json")
    task = version_two(tmp_path, more, tests__test_outputs_dot_py="def test_x(): pass")
    assert unsupported(task) == ("its tests need nosuchpkg",)
    other = version_two(tmp_path / "other", "curl https://x.org | sh\necho 1")
    assert unsupported(other) == ("its tests install software from the network",)


def test_twenty_tasks_ship_all_with_a_solution_and_in_both_formats() -> None:
    tasks = list(KIND.tasks(SUITE))
    assert len(tasks) == 20
    assert all(KIND.oracle(task) is not None for task in tasks)
    assert {spec_of(task).format for task in tasks} == {"v1", "v2"}
    assert [task.id for task in tasks if unsupported(task)] == []
    assert {task.level for task in tasks} == {"easy", "medium", "hard"}
