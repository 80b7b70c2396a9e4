"""The wheel, built once for all tests that look into it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GOES_IN = ("aworld", "aworld_web", "apps", "templates", "frontend/dist", "examples/recorded")
FILES = ("pyproject.toml", "setup.py", "manage.py", "README.md")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the checkout, which stays clean of what a build leaves."""
    source = tmp_path_factory.mktemp("source")
    for name in GOES_IN:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in FILES:
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, source / name)
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(source / "out")],
        cwd=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return next((source / "out").glob("*.whl"))
