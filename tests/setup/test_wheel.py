"""The wheel: holds the page, and opens it in an empty folder without Node, git or make."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
import zipfile
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from tests.setup.running_up import RunningUp


def _names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def _visitor(up: RunningUp) -> urllib.request.OpenerDirector:
    """A browser that came in by the one-time link."""
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with visitor.open(up.link(), timeout=30) as answer:
        assert answer.status == 200
    return visitor


def test_it_holds_library_site_and_built_front_end(wheel: Path) -> None:
    names = set(_names(wheel))
    assert {
        "aworld/py.typed",
        "aworld/llm/adapters/smollm2-tools.gguf",
        "aworld_web/settings.py",
        "aworld_web/_site/apps/shell/views.py",
        "aworld_web/_site/manage.py",
        "aworld_web/_site/templates/shell.html",
        "aworld_web/_site/frontend/dist/.vite/manifest.json",
    } <= names


def test_its_top_level_names_are_its_own(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in _names(wheel) if ".dist-info/" not in name}
    assert tops == {"aworld", "aworld_web"}


def test_it_opens_the_page_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    """With the packages of this environment, but nothing of the checkout."""
    target = tmp_path / "site-packages"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", target, wheel],
        check=True,
    )
    folder = tmp_path / "empty"
    folder.mkdir()
    (tmp_path / "bin").mkdir()
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("AWORLD_")},
        "PYTHONPATH": str(target),
        "PATH": str(tmp_path / "bin"),
    }
    command = [sys.executable, "-m", "aworld.command_line.main"]
    with RunningUp(command, folder, environment=environment) as up:
        visitor = _visitor(up)
        with visitor.open(f"{up.url}/runs", timeout=30) as answer:
            page = answer.read().decode()
        assert "/static/assets/" in page
        assert up.end() == 0
    assert [path.name for path in folder.iterdir()] == ["home"]


@pytest.mark.long
def test_pip_install_and_aworld_up_run_the_demo_in_an_empty_folder(
    wheel: Path, tmp_path: Path
) -> None:
    """Everything as a newcomer has it: a fresh environment, no Node, no git, no make."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "own"], check=True)
    own = tmp_path / "own" / "bin"
    subprocess.run([own / "pip", "install", "-q", wheel], check=True)
    folder = tmp_path / "empty"
    folder.mkdir()
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("AWORLD_")},
        "PATH": str(own),
    }
    with RunningUp([str(own / "aworld")], folder, "--demo", environment=environment) as up:
        _visitor(up)
        up.until(lambda: up.step("Demo run").get("state") == "done", "demo run", 600)
        assert up.end() == 0
