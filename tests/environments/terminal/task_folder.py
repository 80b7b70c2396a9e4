"""Small tasks, written down where a test wants them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from aworld.environments.base import Action, Environment, Place, Task, Verdict
from aworld.environments.terminal.kind import KIND
from aworld.environments.terminal.spec import spec_of

DOCKERFILE = "FROM debian:bookworm-slim\nWORKDIR /app\n"
REWARD = 'echo "$reward" > /logs/verifier/reward.txt\n'


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Lay files out below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def version_two(folder: Path, test: str, **more: str) -> Task:
    """A task of format 2 whose `tests/test.sh` is `test`; `more` are further files, with `__` for
    `/` and `_dot_` for `.`."""
    files = {
        "task.toml": "",
        "instruction.md": "Do it.",
        "environment/Dockerfile": DOCKERFILE,
        "tests/test.sh": test,
    }
    files |= {name.replace("__", "/").replace("_dot_", "."): text for name, text in more.items()}
    write(folder / "t", files)
    (task,) = KIND.read(folder / "t")
    return task


def version_one(folder: Path, test: str = "", yaml: str = "", **more: str) -> Task:
    """A task of format 1 whose `tests/test_outputs.py` is `test`."""
    files = {
        "task.yaml": f"instruction: Do it.\n{yaml}",
        "Dockerfile": DOCKERFILE,
        "tests/test_outputs.py": test,
    }
    files |= {name.replace("__", "/").replace("_dot_", "."): text for name, text in more.items()}
    write(folder / "t", files)
    (task,) = KIND.read(folder / "t")
    return task


def place(folder: Path) -> Place:
    """Where an episode of a test works."""
    return Place(folder / "workspace", folder / "private")


async def verdict_after(task: Task, folder: Path, *commands: str) -> Verdict:
    """What the tests say after some commands."""
    environment = KIND.make(task, place(folder))
    try:
        await environment.reset()
        await act(environment, *commands)
        return await environment.verify("")
    finally:
        await environment.close()


async def act(environment: Environment, *commands: str) -> str:
    """Run commands; what the last one said."""
    text = ""
    for command in commands:
        text = (await environment.step(Action("shell", {"command": command}))).text
    return text


def unsupported(task: Task) -> tuple[str, ...]:
    """What a task needs that is not here."""
    return spec_of(task).unsupported
