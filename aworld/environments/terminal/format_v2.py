"""Terminal-Bench 2 (Harbor): a folder with `task.toml`, `instruction.md`, `environment/`, `tests/`,
`solution/`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from aworld.environments.base import Task
from aworld.environments.terminal.dockerfile import is_system, read_dockerfile
from aworld.environments.terminal.runner import runner_of
from aworld.environments.terminal.spec import TerminalSpec, as_data
from aworld.errors import ConfigurationError

NAME = "task.toml"
_ALL_HOSTS = ("*",)


class _Metadata(msgspec.Struct):
    difficulty: str = ""
    category: str = ""
    tags: list[str] = []


class _Named(msgspec.Struct):
    keywords: list[str] = []


class _Verifier(msgspec.Struct):
    timeout_sec: float = 600.0
    env: dict[str, str] = {}


class _Agent(msgspec.Struct):
    timeout_sec: float | None = None


class _Environment(msgspec.Struct):
    build_timeout_sec: float = 600.0
    docker_image: str | None = None
    os: str = "linux"
    memory_mb: int | None = None
    storage_mb: int | None = None
    gpus: int = 0
    env: dict[str, str] = {}
    workdir: str | None = None
    network_mode: str | None = None
    allowed_hosts: list[str] = []
    allow_internet: bool | None = None
    mcp_servers: list[Any] = []


class _Toml(msgspec.Struct):
    task: _Named = msgspec.field(default_factory=_Named)
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    verifier: _Verifier = msgspec.field(default_factory=_Verifier)
    agent: _Agent = msgspec.field(default_factory=_Agent)
    environment: _Environment = msgspec.field(default_factory=_Environment)
    steps: list[Any] = []


def read(folder: Path, suite: str) -> Task:
    """The task of a folder.

    Raises:
        ConfigurationError: `task.toml` or `instruction.md` cannot be read.
    """
    said = _toml(folder / NAME)
    image_file = "environment/Dockerfile"
    if not (folder / image_file).is_file():
        image_file = ""
    image = read_dockerfile(_text(folder / image_file) if image_file else "")
    script = "tests/test.sh" if (folder / "tests/test.sh").is_file() else ""
    around = said.environment
    spec = TerminalSpec(
        format="v2",
        image_file=image_file,
        test_script=script,
        solution="solution/solve.sh" if (folder / "solution/solve.sh").is_file() else "",
        folder=around.workdir or "",
        agent_seconds=said.agent.timeout_sec or 900.0,
        tests_seconds=said.verifier.timeout_sec,
        build_seconds=around.build_timeout_sec,
        memory_mb=around.memory_mb or 1024,
        disk_mb=around.storage_mb or 512,
        environment=around.env,
        tests_environment=said.verifier.env,
        unsupported=(
            *image.unsupported,
            *runner_of(folder, script).unsupported,
            *_unsupported(folder, said, bool(image_file)),
        ),
    )
    return Task(
        id=folder.name,
        environment="terminal",
        suite=suite,
        question=_text(folder / "instruction.md").strip(),
        level=said.metadata.difficulty,
        tags=tuple(
            dict.fromkeys(
                filter(None, (said.metadata.category, *said.metadata.tags, *said.task.keywords))
            )
        ),
        folder=str(folder),
        seconds=said.agent.timeout_sec,
        network=_network(around),
        data=as_data(spec),
    )


def _network(around: _Environment) -> tuple[str, ...]:
    """The hosts that a task asks for; one that says nothing gets none."""
    if around.network_mode == "allowlist":
        return tuple(around.allowed_hosts)
    return _ALL_HOSTS if around.network_mode == "public" or around.allow_internet else ()


def _unsupported(folder: Path, said: _Toml, has_dockerfile: bool) -> list[str]:
    around = said.environment
    reasons = []
    if said.steps:
        reasons.append("it has several steps")
    if around.workdir and is_system(around.workdir):
        reasons.append(f"its folder {around.workdir!r} is one of the system's")
    if around.gpus:
        reasons.append(f"it needs {around.gpus} GPU")
    if around.os.lower() not in ("linux", ""):
        reasons.append(f"it needs {around.os}")
    if around.mcp_servers:
        reasons.append("it brings MCP servers of its own")
    if around.docker_image and not has_dockerfile:
        reasons.append(f"its image {around.docker_image!r} has software of its own")
    if any((folder / "environment").glob("docker-compose.y*ml")):
        reasons.append("it needs several containers")
    return reasons


def _toml(file: Path) -> _Toml:
    try:
        return msgspec.convert(tomllib.loads(_text(file)), _Toml)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ConfigurationError(f"{str(file)!r} is no task of Terminal-Bench: {error}.") from None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{str(file)!r} cannot be read: {error}.") from None
