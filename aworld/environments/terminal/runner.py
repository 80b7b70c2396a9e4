"""How a task's tests are run: by their own script, or by our call of pytest in its place.

Most scripts of Terminal-Bench download uv and pytest first and then call pytest. There is no
network here, so where a script does no more than that, pytest is called directly.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from aworld.environments.terminal.installed import has_python_package, missing_packages

_PREPARES = re.compile(
    r"\b(apt-get|apt|curl|wget|uvx?|pip3?|git\s+clone|npm|cargo)\b|setup-uv-pytest\.sh"
)
_PYTEST = re.compile(r"\bpytest\b")
_PART_OF_PYTEST = {"pytest", "pytest-json-ctrf", "curl", "uv", "pip", "ca-certificates"}
_WITH = re.compile(r"(?:-w|--with)\s+(\S+)")


class Runner(NamedTuple):
    """What runs the tests."""

    script: str
    """Relative to the task's folder; "" where pytest is called."""
    unsupported: tuple[str, ...] = ()


def runner_of(folder: Path, script: str) -> Runner:
    """How the tests of a task's folder are run."""
    text = ""
    if script:
        text = (folder / script).read_text(encoding="utf-8", errors="replace")
        if not any(_PREPARES.search(line) for line in _commands(text)):
            # Its own script is enough, and may call pytest itself.
            return Runner(script, _without_pytest() if _calls_pytest(text) else ())
    if script and not _PYTEST.search(text):
        return Runner(script, ("its tests install software from the network",))
    if not any((folder / "tests").glob("test_*.py")):
        return Runner("", ("it has no tests that pytest could run",))
    missing = [name for name in _wanted(text) if name not in _PART_OF_PYTEST]
    missing = [name for name in missing if not has_python_package(name)]
    reasons = [f"its tests need {', '.join(missing)}"] if missing else []
    return Runner("", (*reasons, *_without_pytest()))


def _calls_pytest(text: str) -> bool:
    return any(re.match(r"(python3?\s.*-m\s+)?pytest\b", line) for line in _commands(text))


def _without_pytest() -> tuple[str, ...]:
    if has_python_package("pytest"):
        return ()
    return ("its tests need pytest: 'pip install pytest'",)


def _commands(text: str) -> list[str]:
    lines = [line.strip() for line in text.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line and not line.startswith(("#", "echo "))]


def _wanted(text: str) -> list[str]:
    """Names of Python packages that a script fetches for its tests."""
    wanted: list[str] = []
    for line in _commands(text):
        wanted += [re.split(r"[=<>~!\[]", word)[0] for word in _WITH.findall(line)]
        if not line.startswith("apt"):
            found = missing_packages(line)
            wanted += [name for name in found or [] if re.fullmatch(r"[\w.-]+", name)]
    return wanted
