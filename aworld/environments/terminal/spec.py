"""What both of Terminal-Bench's formats say about a task, in one form."""

from __future__ import annotations

from typing import Literal

import msgspec

from aworld.environments.base import Task

Parser = Literal["reward", "pytest"]
"""`reward`: the tests write `/logs/verifier/reward.txt` or `reward.json`; `pytest`: their output is
pytest's summary."""


class TerminalSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """The format's own fields, kept in `Task.data`; paths are relative to the task's folder."""

    format: Literal["v1", "v2"]
    context: str = "environment"
    """The folder that a Dockerfile copies from."""
    image_file: str = ""
    """The Dockerfile; "" where the task has none."""
    tests: str = "tests"
    test_script: str = ""
    """What runs the tests; "" where pytest is called on the folder `tests`."""
    solution: str = ""
    """The script of the known solution."""
    parser: Parser = "reward"
    folder: str = ""
    """The current folder inside, where the task names one besides its Dockerfile."""
    agent_seconds: float = 900.0
    tests_seconds: float = 180.0
    build_seconds: float = 600.0
    memory_mb: int = 1024
    disk_mb: int = 512
    environment: dict[str, str] = {}
    tests_environment: dict[str, str] = {}
    unsupported: tuple[str, ...] = ()
    """What the task needs and this environment does not have."""


def spec_of(task: Task) -> TerminalSpec:
    """The format's fields of a task."""
    return msgspec.convert(task.data, TerminalSpec)


def as_data(spec: TerminalSpec) -> dict[str, object]:
    """The fields as `Task.data` keeps them."""
    data: dict[str, object] = msgspec.to_builtins(spec)
    return data
