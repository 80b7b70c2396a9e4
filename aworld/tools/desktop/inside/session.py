"""Brings the desktop up: X server, message bus, accessibility, window manager, icons."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from aworld.tools.desktop.inside import desktop_files
from aworld.tools.desktop.inside.screen import Screen

HOME = "/home/user"
DISPLAY = ":0"
"""The jail has a network and a `/tmp` of its own, so the number is always free."""
_OWN = Path("/tmp/.aworld-desktop")
_WAIT_S = 20.0


class DesktopDown(Exception):
    """A part of the desktop did not start, or ended."""


class Desktop:
    """The parts that make the desktop. All of them end with the jail."""

    def __init__(self, width: int, height: int) -> None:
        self.environment = _environment()
        self._parts: dict[str, subprocess.Popen[bytes]] = {}
        desktop_files.write_settings(_OWN / "xdg")
        desktop_files.write_user_settings(Path(HOME))
        desktop_files.write_programs(_OWN / "bin")
        for folder in ("Desktop", "Documents", "Downloads"):
            Path(HOME, folder).mkdir(exist_ok=True)
        self.screen = self._start_screen(width, height)
        self._start_buses()
        self._start("openbox", ["openbox", "--config-file", str(_OWN / "xdg/openbox/rc.xml")])
        # A window that comes while the manager starts may escape it for good.
        self._wait("the window manager", lambda: self._says(["wmctrl", "-m"], b"Name:"))
        self._wait("its desktop", lambda: self._says(["wmctrl", "-d"], b"* DG"))
        self._start("pcmanfm", ["pcmanfm", "--desktop"])
        self._wait("the desktop's icons", lambda: self._says(["wmctrl", "-lx"], b"pcmanfm"))

    def check(self) -> None:
        """Raise DesktopDown where a part has ended."""
        for name, part in self._parts.items():
            if part.poll() is not None and name != "pcmanfm":
                raise DesktopDown(f"{name} has ended with status {part.returncode}.")

    def _start_screen(self, width: int, height: int) -> Screen:
        frames = _OWN / "frames"
        frames.mkdir(parents=True, exist_ok=True)
        size = f"{width}x{height}x24"
        options = ["-screen", "0", size, "-nolisten", "tcp", "-noreset", "-fbdir", str(frames)]
        # The keyboard has the layout that xdotool's key names are looked up in.
        self._start("Xvfb", ["Xvfb", DISPLAY, *options])
        socket = Path("/tmp/.X11-unix/X0")
        picture = frames / "Xvfb_screen0"
        self._wait(
            "the X server",
            lambda: socket.exists() and Screen.is_there(str(picture), width, height),
        )
        return Screen(str(picture))

    def _start_buses(self) -> None:
        runtime = Path(self.environment["XDG_RUNTIME_DIR"])
        runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        address = self.environment["DBUS_SESSION_BUS_ADDRESS"]
        self._start("dbus-daemon", ["dbus-daemon", "--session", "--nofork", "--address", address])
        bus = runtime / "bus"
        self._wait("the message bus", bus.exists)
        launcher = "/usr/libexec/at-spi-bus-launcher"
        if os.access(launcher, os.X_OK):
            self._start("at-spi", [launcher, "--launch-immediately", "--a11y=1"])

    def _start(self, name: str, command: list[str]) -> None:
        log = (_OWN / f"{name}.log").open("ab")
        try:
            self._parts[name] = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment,
                cwd=HOME,
                start_new_session=True,
            )
        except OSError as error:
            raise DesktopDown(f"{command[0]!r} does not start: {error.strerror}.") from error
        finally:
            log.close()

    def _wait(self, what: str, ready: object) -> None:
        assert callable(ready)
        end = time.monotonic() + _WAIT_S
        while not ready():
            self.check()
            if time.monotonic() > end:
                raise DesktopDown(f"{what} did not come up within {_WAIT_S:g} s.")
            time.sleep(0.03)

    def _says(self, command: list[str], wanted: bytes) -> bool:
        said = subprocess.run(command, capture_output=True, env=self.environment, check=False)
        return wanted in said.stdout


def _environment() -> dict[str, str]:
    runtime = "/tmp/.aworld-desktop/runtime"
    return {
        "HOME": HOME,
        "USER": "user",
        "LOGNAME": "user",
        "SHELL": "/bin/bash",
        "PATH": f"{_OWN}/bin:/usr/local/bin:/usr/bin:/bin:/usr/games",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "DISPLAY": DISPLAY,
        "XDG_RUNTIME_DIR": runtime,
        "XDG_CONFIG_DIRS": f"{_OWN}/xdg:/etc/xdg",
        "XDG_CACHE_HOME": "/tmp/.cache",
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime}/bus",
        "GTK2_RC_FILES": f"{_OWN}/xdg/gtkrc-2.0",
        "GTK_MODULES": "gail:atk-bridge",
        "ACCESSIBILITY_ENABLED": "1",
        "GNOME_ACCESSIBILITY": "1",
        "QT_ACCESSIBILITY": "1",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    }
