"""Run the tests: `quick` is what a submission must pass, `long` what takes minutes each.

The front end's unit tests come first and pytest last, so that the last line is pytest's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import front_end  # noqa: E402
from scripts.system_packages import browser  # noqa: E402

NO_TEST_RAN = 5
"""pytest's exit status where nothing was collected."""


def main(arguments: list[str]) -> int:
    """Run the tests named by the first argument, the rest goes to pytest; the exit status."""
    if not arguments or arguments[0] not in {"quick", "long"}:
        print("usage: run_tests.py quick | long [pytest arguments]", file=sys.stderr)
        return 2
    front_end_status = _front_end_tests() if arguments[0] == "quick" else 0
    if front_end_status:
        print("The front end's tests failed; the Python tests follow.", file=sys.stderr)
    status = _python_tests(arguments[0], arguments[1:])
    return status or front_end_status


def _front_end_tests() -> int:
    manifest = front_end.FRONT_END / "package.json"
    if not manifest.is_file():
        return 0
    scripts = json.loads(manifest.read_text(encoding="utf-8")).get("scripts", {})
    if "test" not in scripts:
        return 0
    command, environment = front_end.npm_command()
    environment["CI"] = "true"
    return subprocess.run(
        [*command, "run", "test"], cwd=front_end.FRONT_END, env=environment, check=False
    ).returncode


def _python_tests(which: str, extra: list[str]) -> int:
    command = [sys.executable, "-m", "pytest", "--color=yes" if sys.stdout.isatty() else "-q"]
    # Files, not single tests, are dealt out: a file's servers are started once.
    command += ["-n", str(min(os.cpu_count() or 1, 4)), "--dist", "loadfile"]
    command += ["-m", "long", "--timeout", "3000"] if which == "long" else []
    with tempfile.TemporaryDirectory(prefix="aworld-tests-") as home:
        environment = {**os.environ, "AWORLD_HOME": home}
        found = browser()
        if found:
            environment.setdefault("AWORLD_BROWSER", found)
        status = subprocess.run(
            [*command, *extra], cwd=ROOT, env=environment, check=False
        ).returncode
    if status == NO_TEST_RAN:
        print("No test was found, which is a fault: tests/ should hold some.", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
