"""What the tests need beside Python and Node, from the system: a browser, bubblewrap, a desktop."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NamedTuple

from scripts.steps import SetupError, call, say

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class SystemPackage(NamedTuple):
    """A program that comes with the system, and the package it is in."""

    package: str
    commands: tuple[str, ...]
    """Names, or whole paths of what is no command; one of them is enough."""
    purpose: str

    def is_there(self) -> bool:
        """Whether it is installed."""
        return any(
            os.path.exists(name) if name.startswith("/") else shutil.which(name) is not None
            for name in self.commands
        )


_PYATSPI = "/usr/lib/python3/dist-packages/pyatspi/__init__.py"
WANTED = (
    SystemPackage("chromium", BROWSERS, "the browser tests"),
    SystemPackage("bubblewrap", ("bwrap",), "the sandbox in which agents' code runs"),
    SystemPackage("xvfb", ("Xvfb",), "the desktop's screen"),
    SystemPackage("openbox", ("openbox",), "the desktop's windows"),
    SystemPackage("xdotool", ("xdotool",), "the desktop's mouse and keyboard"),
    SystemPackage("x11-xserver-utils", ("xmodmap",), "keys for other scripts on the desktop"),
    SystemPackage("wmctrl", ("wmctrl",), "the desktop's list of windows"),
    SystemPackage("dbus-daemon", ("dbus-daemon",), "the desktop's message bus"),
    SystemPackage(
        "at-spi2-core", ("/usr/libexec/at-spi2-registryd",), "the desktop's accessibility tree"
    ),
    SystemPackage("python3-pyatspi", (_PYATSPI,), "reading the desktop's accessibility tree"),
    SystemPackage("pcmanfm", ("pcmanfm",), "the desktop's files"),
    SystemPackage("mousepad", ("mousepad",), "the desktop's text editor"),
    SystemPackage("lxterminal", ("lxterminal",), "the desktop's terminal"),
    SystemPackage("gnumeric", ("gnumeric",), "the desktop's spreadsheet"),
)


def provide_for_tests() -> None:
    """Install what is missing. Raises SetupError where that is left to the reader."""
    missing = [wanted for wanted in WANTED if not wanted.is_there()]
    if not missing:
        return
    names = [wanted.package for wanted in missing]
    prefix = _administrator()
    if prefix is None or not shutil.which("apt-get"):
        purposes = "; ".join(f"{wanted.package} for {wanted.purpose}" for wanted in missing)
        raise SetupError(
            f"The tests need {purposes}, and this user cannot install them. "
            f"Debian, Ubuntu: sudo apt-get install {' '.join(names)}; then run it again."
        )
    say(f"{', '.join(names)} …")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    call([*prefix, "apt-get", "update", "-q"], what="apt-get update", environment=environment)
    call(
        [*prefix, "apt-get", "install", "-q", "-y", "--no-install-recommends", *names],
        what=f"apt-get install {' '.join(names)}",
        environment=environment,
    )


def _administrator() -> list[str] | None:
    """Words before a command that needs the administrator, or None where we cannot be one."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.call(["sudo", "-n", "true"]) == 0:
        return ["sudo", "-n"]
    return None


def browser() -> str | None:
    """Path of the browser that the tests drive, or None."""
    return next((path for path in map(shutil.which, BROWSERS) if path), None)
