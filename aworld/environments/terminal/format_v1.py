"""Terminal-Bench 1: a folder with `task.yaml`, `run-tests.sh`, `tests/`, `Dockerfile`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from aworld.environments.base import Task
from aworld.environments.terminal.dockerfile import read_dockerfile
from aworld.environments.terminal.runner import runner_of
from aworld.environments.terminal.spec import TerminalSpec, as_data
from aworld.errors import ConfigurationError

NAME = "task.yaml"
_KNOWN_SERVICES = ("client", "main")


class _Yaml(msgspec.Struct):
    instruction: str
    difficulty: str = "unknown"
    category: str = ""
    tags: list[str] = []
    parser_name: str = "pytest"
    max_agent_timeout_sec: float = 900.0
    max_test_timeout_sec: float = 180.0
    run_tests_in_same_shell: bool = False


def read(folder: Path, suite: str) -> Task:
    """The task of a folder.

    Raises:
        ConfigurationError: `task.yaml` cannot be read.
    """
    said = _yaml(folder / NAME)
    image_file = "Dockerfile" if (folder / "Dockerfile").is_file() else ""
    image = read_dockerfile(_text(folder / image_file) if image_file else "")
    script = "run-tests.sh" if (folder / "run-tests.sh").is_file() else ""
    unsupported = [*image.unsupported, *_services(folder), *runner_of(folder, script).unsupported]
    if said.parser_name != "pytest":
        unsupported.append(f"its tests' output is in the form {said.parser_name!r}")
    if said.run_tests_in_same_shell:
        unsupported.append("its tests want the very shell that the agent used")
    spec = TerminalSpec(
        format="v1",
        context="",
        image_file=image_file,
        test_script=script,
        solution="solution.sh" if (folder / "solution.sh").is_file() else "",
        parser="pytest",
        agent_seconds=said.max_agent_timeout_sec,
        tests_seconds=said.max_test_timeout_sec,
        unsupported=tuple(unsupported),
    )
    return Task(
        id=folder.name,
        environment="terminal",
        suite=suite,
        question=said.instruction.strip(),
        level=said.difficulty,
        tags=tuple(filter(None, (said.category, *said.tags))),
        folder=str(folder),
        seconds=said.max_agent_timeout_sec,
        data=as_data(spec),
    )


def _yaml(file: Path) -> _Yaml:
    try:
        return msgspec.convert(_parsed(file), _Yaml)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{str(file)!r} is no task of Terminal-Bench: {error}.") from None


def _parsed(file: Path) -> Any:
    import yaml

    try:
        return yaml.safe_load(_text(file))
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{str(file)!r} is not YAML: {error}.") from None


def _services(folder: Path) -> list[str]:
    """Why a compose file asks for more than one plain container."""
    file = folder / "docker-compose.yaml"
    if not file.is_file():
        return []
    said = _parsed(file)
    services = list(said.get("services", {})) if isinstance(said, dict) else []
    others = [name for name in services if name not in _KNOWN_SERVICES]
    if len(services) > 1 or others:
        return [f"it needs several containers: {', '.join(map(str, services))}"]
    return []


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{str(file)!r} cannot be read: {error}.") from None
