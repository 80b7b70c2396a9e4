"""The packages that training needs, installed behind when training is first used.

State lies in `<AWORLD_HOME>/training.json`, so that whoever asks (the page, a command) sees one
installation and its progress, and only one runs at a time.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import msgspec

from aworld.errors import ConfigurationError
from aworld_web.processes.report import Step

__all__ = ["STEP", "install", "is_installed", "read_step", "requirements"]

STEP = "Training packages"
FILE = "training.json"
NOT_YET = "PyTorch and transformers are installed when training is first used"
THERE = "PyTorch and transformers are installed"
_NEEDED = ("torch", "transformers", "peft", "accelerate")


def is_installed() -> bool:
    """Whether training can begin, without importing anything heavy."""
    return all(importlib.util.find_spec(name) is not None for name in _NEEDED)


def requirements() -> list[str]:
    """What pip is asked for: exact in a checkout, else what the wheel's metadata names."""
    pinned = Path(__file__).resolve().parent.parent.parent / "requirements-training.txt"
    if pinned.is_file():
        lines = pinned.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.strip() and not line.startswith("#")]
    try:
        named = requires("aworld") or []
    except PackageNotFoundError:
        named = []
    marker = re.compile(r"""extra == ["']training["']""")
    return [line.split(";")[0].strip() for line in named if marker.search(line)]


def read_step(home: Path) -> Step:
    """How far it is, as a step of the set-up."""
    if is_installed():
        return Step(name=STEP, state="done", detail=THERE)
    try:
        step = msgspec.json.decode((home / FILE).read_bytes(), type=Step)
    except (OSError, msgspec.DecodeError):
        return Step(name=STEP, state="waiting", detail=NOT_YET)
    if step.state == "done":  # they were removed since
        return Step(name=STEP, state="waiting", detail=NOT_YET)
    return step


def install(home: Path, on_line: Callable[[str], None]) -> None:
    """Install what is missing, telling each of pip's lines.

    Raises:
        ConfigurationError: pip did not succeed; its last words are in the message.
    """
    if is_installed():
        return
    wanted = requirements()
    command = [sys.executable, "-m", "pip", "install", "--no-input", "--progress-bar", "off"]
    last, collected = "", 0
    with subprocess.Popen(
        [*command, "--disable-pip-version-check", *wanted],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as pip:
        assert pip.stdout is not None
        for line in filter(None, map(str.strip, pip.stdout)):
            last = line
            collected += line.startswith("Collecting")
            # The last tenth is unpacking; pip tells no more of it.
            progress = min(0.9, 0.9 * collected / max(len(wanted), 1))
            _write(home, Step(name=STEP, state="running", detail=line[:160], progress=progress))
            on_line(line)
    if pip.returncode != 0:
        message = (
            f"The training packages could not be installed: {last} "
            "Mend that and run: aworld setup-training"
        )
        _write(home, Step(name=STEP, state="failed", detail=message))
        raise ConfigurationError(message)
    importlib.invalidate_caches()
    _write(home, Step(name=STEP, state="done", detail=THERE))


def _write(home: Path, step: Step) -> None:
    target = home / FILE
    home.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{FILE}.{os.getpid()}")
    fresh.write_bytes(msgspec.json.encode(step))
    fresh.replace(target)
