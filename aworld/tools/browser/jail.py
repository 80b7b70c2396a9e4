"""Where the browser runs: bubblewrap as in the sandbox, with a loopback network of its own.

Chromium's own sandbox shuts its pages in, and needs namespaces for that; so here, other than for
code, the right to make namespaces stays. Where the kernel does not let them nest, Chromium goes
without its own, and the jail closes that door.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Literal

from aworld.sandbox.bubblewrap import NOBODY, Way, program
from aworld.sandbox.file_tree import python_arguments, system_arguments
from aworld.sandbox.ownership import user_of
from aworld.tools.browser import relay

Confinement = Literal["jail+sandbox", "jail", "sandbox", "none"]
"""bubblewrap around Chromium and its own sandbox inside, one of the two, or neither."""

_SETTINGS = ("/etc/fonts", "/var/cache/fontconfig", "/etc/ssl/certs")
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "XDG_CONFIG_HOME": "/tmp/config",
    "XDG_CACHE_HOME": "/tmp/cache",
}
_TEMPORARY_MB = 1024
_RELAY = "/run/relay.py"
_POLICIES = ("/etc/chromium/policies/managed", "/etc/opt/chrome/policies/managed")
_POLICY = {
    # What the browser would ask its maker for by itself.
    "AutofillAddressEnabled": False,
    "AutofillCreditCardEnabled": False,
    "PasswordManagerEnabled": False,
    "SafeBrowsingProtectionLevel": 0,
    "SearchSuggestEnabled": False,
    "TranslateEnabled": False,
    # Pages of the browser itself, which no web page needs.
    "URLBlocklist": ["file://*", "chrome://*", "view-source:*", "devtools://*"],
}
_START = '"$1" -I -S "$2" "$3" & shift 3; exec "$@"'


def give_to_browser(way: Way, folder: Path) -> None:
    """Let the browser write into a folder of ours."""
    if way == "root":
        os.chown(folder, user_of(folder), user_of(folder))


def write_launcher(way: Way, browser: str, folder: Path, launcher: Path, *, nested: bool) -> None:
    """A script that starts the browser in its jail, with the relay beside it, and notes its pid.

    `folder` is shared with the browser, under the same name. `nested` leaves the browser the
    right to make namespaces.
    """
    policy = Path(f"{launcher}.json")
    policy.write_text(json.dumps(_POLICY), encoding="utf-8")
    command = _jail(way, folder, policy, nested=nested)
    inside = ["/bin/sh", "-c", _START, "sh", sys.executable, _RELAY, str(folder), browser]
    script = (
        f"#!/bin/sh\necho $$ > {shlex.quote(f'{launcher}.pid')}\n"
        f'exec {shlex.join([*command, *inside])} "$@"\n'
    )
    launcher.write_text(script, encoding="utf-8")
    launcher.chmod(0o755)


def _jail(way: Way, folder: Path, policy: Path, *, nested: bool) -> list[str]:
    identity = ["--uid", str(NOBODY), "--gid", str(NOBODY)]
    identity += [] if nested else ["--disable-userns"]
    tree = _tree(folder, policy)
    if way == "user":
        return [
            *(program("bwrap"), "--unshare-all", "--unshare-user", *identity, *tree),
            *("--cap-drop", "ALL", "--chdir", "/tmp", "--"),
        ]
    user = str(user_of(folder))
    return [
        program("bwrap"),
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        "--unshare-cgroup-try",
        *("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
        *("--cap-add", "CAP_SETPCAP", *tree, "--chdir", "/", "--"),
        *("setpriv", "--reuid", user, "--regid", user, "--clear-groups"),
        *("--bounding-set=-all", "--inh-caps=-all"),
        *("bwrap", "--unshare-user", *identity, "--die-with-parent", "--dev-bind", "/", "/"),
        *("--chdir", "/tmp", "--"),
    ]


def _tree(folder: Path, policy: Path) -> list[str]:
    arguments = ["--die-with-parent", "--new-session", "--hostname", "browser", "--clearenv"]
    for name, value in _ENVIRONMENT.items():
        arguments += ["--setenv", name, value]
    arguments += system_arguments()
    for setting in _SETTINGS:
        arguments += ["--ro-bind-try", setting, setting]
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    size = str(_TEMPORARY_MB * 1024 * 1024)
    for place in ("/tmp", "/dev/shm"):
        arguments += ["--perms", "1777", "--size", size, "--tmpfs", place]
    arguments += python_arguments()
    arguments += _place(folder, folder, "--bind")
    arguments += _place(Path(str(relay.__file__)), Path(_RELAY), "--ro-bind")
    for place in _POLICIES:
        arguments += _place(policy, Path(place, "aworld.json"), "--ro-bind")
    return [*arguments, "--remount-ro", "/"]


def _place(source: Path, target: Path, how: str) -> list[str]:
    """Mount something, with the folders above it: those bubblewrap makes itself are root's."""
    arguments: list[str] = []
    for parent in reversed(target.parents[:-1]):
        if str(parent) not in ("/tmp", "/etc"):
            arguments += ["--perms", "0755", "--dir", str(parent)]
    return [*arguments, how, str(source), str(target)]
