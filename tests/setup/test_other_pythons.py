"""The newer Pythons: the wheel installs at the pinned releases, and the page comes up."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.setup.running_up import RunningUp

ROOT = Path(__file__).resolve().parent.parent.parent


def _python(version: str) -> str | None:
    """A Python of this version on this machine, also one of a version manager's."""
    managed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [shutil.which(f"python{version}")]
    candidates += [str(path) for path in managed.glob(f"{version}.*/bin/python")]
    for path in filter(None, candidates):
        asked = [path, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
        said = subprocess.run(asked, capture_output=True, text=True, check=False)
        if said.stdout.strip() == version:
            return path
    return None


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_the_product_installs_and_starts(version: str, wheel: Path, tmp_path: Path) -> None:
    python = _python(version)
    if python is None:
        pytest.skip(f"there is no Python {version} on this machine")
    own = tmp_path / "own"
    subprocess.run([python, "-m", "venv", own], check=True)
    light = ROOT / "requirements-light.txt"
    subprocess.run([own / "bin" / "pip", "install", "-q", "-r", light, wheel], check=True)
    folder = tmp_path / "empty"
    folder.mkdir()
    environment = {**os.environ, "AWORLD_LOCAL_MODEL_URL": "http://127.0.0.1:9/v1"}
    environment.pop("AWORLD_REDIS_URL", None)
    with RunningUp([str(own / "bin" / "aworld")], folder, environment=environment) as up:
        up.until(lambda: up.report().get("setup", {}).get("ready"), "readiness")
        assert up.get("/api/session")[0] == 200
        assert up.end() == 0
