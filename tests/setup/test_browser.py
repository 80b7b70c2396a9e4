"""The front end's Playwright tests, driven against a real `aworld up --demo` on the local model.

They get AWORLD_URL (the page), AWORLD_LINK (the one-time link, not used yet), AWORLD_HOME and
CHROMIUM (the browser's path).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.front_end import FRONT_END, npm_command
from scripts.system_packages import browser
from tests.setup.running_up import RunningUp

SPECS = sorted((FRONT_END / "e2e").glob("*.spec.ts"))


@pytest.mark.browser
@pytest.mark.timeout(900)
@pytest.mark.skipif(not SPECS, reason="the front end has no browser tests yet")
def test_a_team_is_run_and_watched_in_the_browser(tmp_path: Path) -> None:
    _drive(tmp_path, {})


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_same_on_mongodb_and_redis(tmp_path: Path, mongodb_uri: str, valkey_url: str) -> None:
    _drive(tmp_path, {"AWORLD_MONGODB_URI": mongodb_uri, "AWORLD_REDIS_URL": valkey_url})


def _drive(folder: Path, backends: dict[str, str]) -> None:
    """Run every browser test against an installation of its own."""
    chromium = os.environ.get("AWORLD_BROWSER") or browser()
    assert chromium, "no browser; aworld doctor tells how to get one"
    environment = {key: value for key, value in os.environ.items() if "AWORLD_" not in key}
    command = [sys.executable, "-m", "aworld.command_line.main"]
    with RunningUp(command, folder, "--demo", environment={**environment, **backends}) as up:
        link = up.link()
        up.until(lambda: up.step("Demo run").get("state") == "done", "demo run", 300)
        npm, npm_environment = npm_command()
        done = subprocess.run(
            [*npm, "run", "e2e"],
            cwd=FRONT_END,
            env={
                **npm_environment,
                "AWORLD_URL": up.url,
                "AWORLD_LINK": link,
                "AWORLD_HOME": str(up.home),
                "CHROMIUM": chromium,
                "CI": "true",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout[-8000:]}\n{chr(10).join(up.lines[-40:])}"
        assert up.end() == 0
    shutil.rmtree(FRONT_END / "test-results", ignore_errors=True)
