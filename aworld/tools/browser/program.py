"""The browser's program and how it is called."""

from __future__ import annotations

import os
import shutil

from aworld.tools.failures import ToolRefused

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Names are looked up by the proxy; a name that Chromium looked up itself would tell it outside.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # The same picture on every machine.
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
)
_DEBIAN = ("/usr/bin/chromium", "/usr/lib/chromium/chromium")
_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def find_browser() -> str:
    """Path of the browser: CHROMIUM where it is set, else the first that is installed.

    Raises:
        ToolRefused: there is none.
    """
    wanted = os.environ.get("CHROMIUM", "")
    found = next((path for path in map(shutil.which, PROGRAMS) if path), "")
    path = wanted or found or (_MAC if os.path.exists(_MAC) else "")
    if not path or not os.path.exists(path):
        raise ToolRefused(
            "No browser is installed on this machine. Debian, Ubuntu: 'apt-get install chromium'; "
            "elsewhere install Chrome or Chromium, or name its program in CHROMIUM."
        )
    script, program = _DEBIAN
    # Debian's script reads settings of the desktop; the program behind it needs none.
    return program if path == script and os.path.exists(program) else path
