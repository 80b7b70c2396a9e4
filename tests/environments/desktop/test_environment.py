"""An episode: set up by the task's steps, acted on, judged by its getters and metrics."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest

from aworld.environments import registry
from aworld.environments.base import Action, Environment, Place, Task
from aworld.errors import EnvironmentFault, ToolError
from aworld.tools.desktop import programs

pytestmark = pytest.mark.skipif(
    bool(programs.missing()), reason=f"Not installed: {[p.package for p in programs.missing()]}"
)
HOME = "/home/user"


def execute(script: str, **fields: Any) -> dict[str, Any]:
    return {"type": "execute", "parameters": {"command": ["bash", "-c", script], **fields}}


def rule(expected: Any) -> dict[str, Any]:
    return {"type": "rule", "rules": {"expected": expected}}


def episode(folder: Path, **fields: Any) -> Environment:
    data = {"id": "t", "instruction": "x", **fields}
    task = Task(
        id="t", environment="osworld", suite="s", question="x", folder=str(folder), data=data
    )
    return registry.kind("osworld").make(task, Place(folder / "home", folder / "private"))


async def test_steps_set_the_desktop_up_and_getters_read_it(tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text("b\n", encoding="utf-8")
    file = {"path": f"{HOME}/deep/down/a.txt"}
    listing = {
        "type": "directory",
        "name": "deep",
        "children": [
            {
                "type": "directory",
                "name": "down",
                "children": [{"type": "file", "name": "a.txt"}],
            }
        ],
    }
    pairs: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("exact_match", {"type": "list_directory", "path": f"{HOME}/deep"}, rule(listing)),
        ("exact_match", {"type": "vm_screen_size"}, rule({"width": 1024, "height": 600})),
        (
            "compare_text_file",
            {"type": "vm_file", "dest": "a.txt", **file},
            {"type": "cloud_file", "path": "gold.txt", "dest": "gold.txt"},
        ),
        (
            "exact_match",
            {"type": "vm_command_line", "command": "echo $HOME; id -un", "shell": True},
            rule(f"{HOME}\nuser\n"),
        ),
        (
            "check_include_exclude",
            {"type": "vm_command_error", "command": ["ls", "/nowhere"]},
            {"type": "rule", "rules": {"include": ["/nowhere"], "exclude": ["Killed"]}},
        ),
        ("file_contains", {"type": "cache_file", "path": "said.txt"}, rule(["1024x600 512"])),
    ]
    environment = episode(
        tmp_path,
        screen=[1024, 600],
        config=[
            {
                "type": "upload_file",
                "parameters": {"files": [{"local_path": "gold.txt", **file}]},
            },
            execute("echo {SCREEN_WIDTH}x{SCREEN_HEIGHT} {SCREEN_WIDTH_HALF}", stdout="said.txt"),
            execute("n=$(cat ~/n 2>/dev/null); echo x$n > ~/n; cat ~/n", until={"stdout": "xxx"}),
            {"type": "open", "parameters": file},
            {"type": "activate_window", "parameters": {"window_name": "a.txt"}},
        ],
        evaluator={
            "func": [func for func, _, _ in pairs],
            "result": [result for _, result, _ in pairs],
            "expected": [expected for _, _, expected in pairs],
            "postconfig": [
                {"type": "close_window", "parameters": {"window_name": "mousepad"}},
                {"type": "sleep", "parameters": {"seconds": 0.1}},
            ],
        },
    )
    try:
        first = await environment.reset()
        assert first.data == {"windows": ["~/deep/down/a.txt - Mousepad"], "screen": [1024, 600]}
        assert (tmp_path / "home" / "n").read_text(encoding="utf-8") == "xxx\n"
        verdict = await environment.verify("")
        assert verdict.score == 1.0, verdict
        assert (await environment.observe()).data["windows"] == []
    finally:
        await environment.close()
        await environment.close()


async def test_signals_end_an_episode_and_decide_what_cannot_be_done(tmp_path: Path) -> None:
    feasible = {"func": "exact_match", "result": {"type": "vm_screen_size"}, "expected": rule(1)}
    impossible = episode(tmp_path / "a", evaluator={"func": "infeasible"})
    possible = episode(tmp_path / "b", evaluator=feasible)
    try:
        await asyncio.gather(impossible.reset(), possible.reset())
        assert (await impossible.verify("")).score == 0.0
        assert (await impossible.verify("FAIL")).score == 1.0
        said = Action("computer", {"action_type": "FAIL"})
        assert (await impossible.step(said)).done
        assert (await impossible.verify("")).score == 1.0
        with pytest.raises(ToolError, match="has ended with FAIL"):
            await impossible.step(Action("computer", {"action_type": "MOVE_TO", "x": 1, "y": 1}))
        await possible.step(Action("pyautogui", {"code": "FAIL"}))
        verdict = await possible.verify("")
        assert (verdict.score, "the task can be done" in verdict.why) == (0.0, True)
    finally:
        await asyncio.gather(impossible.close(), possible.close())


async def test_what_a_team_left_cannot_fool_or_break_the_judge(tmp_path: Path) -> None:
    """A broken workbook scores 0 with a reason; programs that the team planted are not run."""
    bomb = base64.b64encode(b"PK\x03\x04 no workbook").decode()
    plant = (
        f"echo {bomb} | base64 -d > ~/t.xlsx; "
        "for d in /tmp/.aworld-desktop/bin ~/bin; do mkdir -p $d; "
        "printf '#!/bin/sh\\necho right\\n' > $d/cat; chmod +x $d/cat; done; "
        "echo 'cat() { echo right; }' > ~/.bashrc; echo wrong > ~/f; ln -s /etc/passwd ~/link"
    )
    workbook = {"type": "vm_file", "path": f"{HOME}/t.xlsx", "dest": "t.xlsx"}
    shown = {"type": "vm_command_line", "command": ["bash", "-c", "cat ~/f"]}
    environment = episode(
        tmp_path,
        config=[execute(plant)],
        evaluator={
            "func": ["compare_table", "exact_match"],
            "conj": "or",
            "result": [workbook, shown],
            "expected": [None, rule("right\n")],
            "options": [{"rules": []}, {}],
        },
    )
    try:
        await environment.reset()
        verdict = await environment.verify("")
    finally:
        await environment.close()
    assert verdict.score == 0.0
    table, shell = verdict.details["metrics"]
    assert "zip" in table["problem"]
    assert shell == {"func": "exact_match", "score": 0.0, "problem": ""}


async def test_a_step_that_fails_is_a_fault_of_the_task(tmp_path: Path) -> None:
    nothing = {"func": "infeasible"}
    upload = {
        "type": "upload_file",
        "parameters": {"files": [{"local_path": "/etc/hostname", "path": "/home/user/h"}]},
    }
    environment = episode(tmp_path, config=[upload], evaluator=nothing)
    try:
        with pytest.raises(EnvironmentFault, match="step 1 of 't' .upload_file. failed.*outside"):
            await environment.reset()
    finally:
        await environment.close()
    with pytest.raises(EnvironmentFault, match="'login' is not carried out here"):
        await episode(tmp_path, config=[{"type": "login"}], evaluator=nothing).reset()
