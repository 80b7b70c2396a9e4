"""Everything that can be told without running the product: style, types, import rules, freshness.

All checks run, also after one failed; the exit status is 0 only where every one passed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import front_end  # noqa: E402


class Check(NamedTuple):
    """One command that must exit with 0."""

    name: str
    command: list[str]
    folder: Path = ROOT
    environment: dict[str, str] = {}


def main(arguments: list[str]) -> int:
    """Run every check and say which failed; the exit status.

    `--without-pytest` leaves out those that the tests run anyhow.
    """
    failed: list[str] = []
    for check in (*_python_checks(), *_front_end_checks()):
        if "--without-pytest" in arguments and "pytest" in check.command:
            continue
        started = time.monotonic()
        done = subprocess.run(
            check.command,
            cwd=check.folder,
            env={**os.environ, **check.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        verdict = "ok" if done.returncode == 0 else "FAILED"
        print(f"{check.name:<32} {verdict}  {time.monotonic() - started:.1f} s", flush=True)
        if done.returncode:
            print(done.stdout)
            failed.append(check.name)
    if failed:
        print(f"\nFailed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


def _python_checks() -> Iterator[Check]:
    tools = Path(sys.executable).parent
    yield Check("ruff", [str(tools / "ruff"), "check", "."])
    yield Check("ruff format", [str(tools / "ruff"), "format", "--check", "."])
    yield Check("mypy --strict", [str(tools / "mypy")])
    yield Check("import rules", [str(tools / "lint-imports"), "--no-cache"])
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    yield Check("file and import rules", [*pytest, "tests/architecture"])
    # Against a server that speaks MongoDB's protocol: Django asks it before it compares.
    drift = ["tests/web/test_mongodb.py", "-k", "migrations"]
    yield Check("migrations, both databases", [*pytest, *drift])
    yield Check("generated types", [sys.executable, "-m", "aworld.events.typescript", "--check"])


def _front_end_checks() -> Iterator[Check]:
    manifest = json.loads((front_end.FRONT_END / "package.json").read_text(encoding="utf-8"))
    command, environment = front_end.npm_command()
    for name, script in (("eslint, tsc", "check"), ("vitest", "test")):
        if script in manifest.get("scripts", {}):
            run = [*command, "run", script]
            yield Check(name, run, front_end.FRONT_END, environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
