"""Run the tests: `quick` is what a submission must pass, `long` what takes minutes each.

The checks and the front end's unit tests come first and pytest last, so that the last line is
pytest's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.system_packages import browser  # noqa: E402

NO_TEST_RAN = 5
"""pytest's exit status where nothing was collected."""


def main(arguments: list[str]) -> int:
    """Run the tests named by the first argument, the rest goes to pytest; the exit status."""
    if not arguments or arguments[0] not in {"quick", "long"}:
        print("usage: run_tests.py quick | long [pytest arguments]", file=sys.stderr)
        return 2
    checks_status = _checks() if arguments[0] == "quick" else 0
    if checks_status:
        print("A check failed (above); the Python tests follow.", file=sys.stderr)
    status = _python_tests(arguments[0], arguments[1:])
    return status or checks_status


def _checks() -> int:
    """Style, types, import rules and the front end's unit tests."""
    command = [sys.executable, "scripts/run_checks.py", "--without-pytest"]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, "CI": "true"}, check=False
    ).returncode


def _python_tests(which: str, extra: list[str]) -> int:
    command = [sys.executable, "-m", "pytest", "--color=yes" if sys.stdout.isatty() else "-q"]
    # Files, not single tests, are dealt out: a file's servers are started once. In the order of
    # tests/conftest.py; by the number of its tests the file that takes longest would come last.
    command += ["-n", str(min(os.cpu_count() or 1, 4)), "--dist", "loadfile"]
    command += ["--no-loadscope-reorder"]
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
