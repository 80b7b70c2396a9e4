"""Settings of the desktop's programs, and the names under which OSWorld's tasks start them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_GTK3 = """[Settings]
gtk-cursor-blink=0
gtk-enable-animations=0
gtk-font-name=DejaVu Sans 10
gtk-recent-files-enabled=0
"""
_GTK2 = 'gtk-cursor-blink = 0\ngtk-font-name = "DejaVu Sans 10"\n'
_DESKTOP = """[*]
wallpaper_mode=color
desktop_bg=#3b5168
desktop_fg=#ffffff
desktop_shadow=#000000
desktop_font=DejaVu Sans 10
show_wm_menu=1
show_documents=0
show_trash=0
show_mounts=0
"""
_FILE_MANAGER = """[config]
bm_open_method=0

[ui]
always_show_tabs=0
max_tab_chars=32
win_width=760
win_height=480
"""
_TERMINAL = """[general]
fontname=DejaVu Sans Mono 10
cursorblinks=false
hidemenubar=false
hidescrollbar=true
geometry_columns=90
geometry_rows=26
"""
_WINDOW_MANAGER = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme><name>Clearlooks</name><titleLayout>NLIMC</titleLayout></theme>
  <desktops><number>1</number></desktops>
  <keyboard>
    <keybind key="A-F4"><action name="Close"/></keybind>
    <keybind key="A-Tab"><action name="NextWindow"/></keybind>
    <keybind key="A-S-Tab"><action name="PreviousWindow"/></keybind>
    <keybind key="W-d"><action name="ToggleShowDesktop"/></keybind>
    <keybind key="W-Up"><action name="MaximizeFull"/></keybind>
    <keybind key="C-A-t"><action name="Execute"><command>gnome-terminal</command></action></keybind>
  </keyboard>
  <menu><file>{folder}/openbox/menu.xml</file></menu>
</openbox_config>
"""
_MENU_ITEMS = (
    ("Terminal", "gnome-terminal"),
    ("Files", "pcmanfm /home/user"),
    ("Text Editor", "mousepad"),
    ("Spreadsheet", "gnumeric"),
    ("Web Browser", "google-chrome"),
)
_BROWSER_FLAGS = (
    # Chromium's own sandbox needs namespaces, which this jail does not give; the jail is the wall.
    "--no-sandbox --test-type --disable-gpu --disable-quic --no-first-run "
    "--no-default-browser-check --disable-background-networking --disable-component-update "
    "--disable-sync --password-store=basic --force-renderer-accessibility --disable-infobars "
    "--disable-dev-shm-usage --hide-crash-restore-bubble --disable-features=Translate "
    "--user-data-dir=/home/user/.config/google-chrome --remote-debugging-port={port}"
)
BROWSER_PORT = 1337
"""Where the browser inside answers the debugging protocol, as in OSWorld's tasks."""
_BROWSERS = (
    "/usr/lib/chromium/chromium",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
)
_STAND_INS = {
    "gnome-terminal": ("lxterminal", "exec /usr/bin/lxterminal --no-remote"),
    "x-terminal-emulator": ("lxterminal", "exec /usr/bin/lxterminal --no-remote"),
    "nautilus": ("pcmanfm", "exec /usr/bin/pcmanfm"),
    "gedit": ("mousepad", "exec /usr/bin/mousepad"),
    "gnome-text-editor": ("mousepad", "exec /usr/bin/mousepad"),
}


def write_settings(folder: Path) -> None:
    """The settings, below a folder that is named in XDG_CONFIG_DIRS."""
    items = "".join(
        f'<item label="{label}"><action name="Execute"><command>{command}</command></action></item>'
        for label, command in _MENU_ITEMS
    )
    menu = f'<menu id="root-menu" label="Applications">{items}</menu>'
    files = {
        "gtk-3.0/settings.ini": _GTK3,
        "gtkrc-2.0": _GTK2,
        "openbox/rc.xml": _WINDOW_MANAGER.format(folder=folder),
        "openbox/menu.xml": f'<openbox_menu xmlns="http://openbox.org/3.4/menu">{menu}</openbox_menu>',
    }
    for name, text in files.items():
        _write(folder / name, text)


def write_user_settings(home: Path) -> None:
    """Those that a program reads from the home folder only, unless a task brought its own."""
    files = {
        "pcmanfm/default/desktop-items-0.conf": _DESKTOP,
        "pcmanfm/default/pcmanfm.conf": _FILE_MANAGER,
        "lxterminal/lxterminal.conf": _TERMINAL,
    }
    for name, text in files.items():
        path = home / ".config" / name
        if not path.exists():
            _write(path, text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_programs(folder: Path) -> None:
    """Programs under their names on OSWorld's machine, where that one is not installed here."""
    folder.mkdir(parents=True, exist_ok=True)
    browser = next((path for path in _BROWSERS if os.access(path, os.X_OK)), None)
    if browser:
        flags = _BROWSER_FLAGS.format(port=BROWSER_PORT)
        # Whatever the task says of the port comes last and so wins.
        for name in ("google-chrome", "google-chrome-stable", "chromium", "chromium-browser"):
            _script(folder / name, f'exec {browser} {flags} "$@"')
    for name, (needed, command) in _STAND_INS.items():
        if shutil.which(needed, path="/usr/bin:/bin") and not Path("/usr/bin", name).exists():
            _script(folder / name, f'{command} "$@"')


def _script(path: Path, line: str) -> None:
    _write(path, f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
