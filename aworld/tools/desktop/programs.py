"""Which programs the desktop needs and which its tasks may use, with their Debian packages."""

from __future__ import annotations

import os
import shutil
from typing import NamedTuple


class Program(NamedTuple):
    """A program of the system."""

    package: str
    """Debian's name."""
    paths: tuple[str, ...]
    """Commands or absolute paths; one of them must be there."""
    purpose: str


NEEDED = (
    Program("bubblewrap", ("bwrap",), "shuts the desktop in"),
    Program("xvfb", ("Xvfb",), "the screen"),
    Program("openbox", ("openbox",), "windows"),
    Program("xdotool", ("xdotool",), "mouse and keyboard"),
    Program("wmctrl", ("wmctrl",), "the list of windows"),
    Program("dbus-daemon", ("dbus-daemon",), "the message bus"),
    Program("at-spi2-core", ("/usr/libexec/at-spi2-registryd",), "the accessibility tree"),
    Program(
        "python3-pyatspi",
        ("/usr/lib/python3/dist-packages/pyatspi/__init__.py",),
        "reading the accessibility tree",
    ),
    Program("pcmanfm", ("pcmanfm",), "files and the desktop's icons"),
)
"""Without these there is no desktop."""

APPLICATIONS = {
    "text editor": Program("mousepad", ("mousepad", "gedit"), "text"),
    "spreadsheet": Program("gnumeric", ("gnumeric",), "spreadsheets"),
    "terminal": Program("lxterminal", ("lxterminal", "gnome-terminal"), "a terminal"),
    "browser": Program(
        "chromium", ("chromium", "chromium-browser", "google-chrome"), "the web browser"
    ),
    "libreoffice": Program("libreoffice", ("soffice", "libreoffice"), "LibreOffice's tasks"),
    "gimp": Program("gimp", ("gimp",), "pictures"),
    "vlc": Program("vlc", ("vlc",), "films and music"),
    "thunderbird": Program("thunderbird", ("thunderbird",), "mail"),
    "vs_code": Program("code (from Microsoft)", ("code",), "VS Code"),
}
"""What tasks start, by the name that reasons use."""

SHIPPED = ("text editor", "spreadsheet", "terminal", "browser")
"""Those that the shipped tasks use."""


def is_there(program: Program) -> bool:
    """Whether it is installed."""
    return any(
        os.path.exists(path) if path.startswith("/") else shutil.which(path) is not None
        for path in program.paths
    )


def missing() -> list[Program]:
    """What the desktop itself lacks."""
    return [program for program in NEEDED if not is_there(program)]


def install_line(programs: list[Program]) -> str:
    """The command that brings them."""
    names = " ".join(program.package for program in programs)
    return f"apt-get install --no-install-recommends {names}"
