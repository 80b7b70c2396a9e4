"""Answers requests from outside the jail: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from aworld.tools.desktop.inside import accessibility, programs
from aworld.tools.desktop.inside.odd_keys import OddKeys
from aworld.tools.desktop.inside.session import HOME, Desktop, DesktopDown

Request = dict[str, Any]
_MOST_FILE = 64 * 1024 * 1024


class Driver:
    """One method for each kind of request."""

    def __init__(self, width: int, height: int) -> None:
        self._desktop = Desktop(width, height)
        self._odd_keys = OddKeys(self._desktop.environment)

    def answer(self, request: Request) -> Any:
        """Carry out a request. Raises whatever went wrong."""
        handlers: dict[str, Callable[[Request], Any]] = {
            "screenshot": self._screenshot,
            "settle": self._settle,
            "input": self._input,
            "tree": self._tree,
            "run": self._run,
            "launch": self._launch,
            "read": lambda r: programs.read_file(r["path"], r.get("most", _MOST_FILE)),
            "write": lambda r: programs.write_file(
                r["path"], r["data"], r.get("executable", False)
            ),
            "list": lambda r: programs.tree(r["path"]),
            "windows": self._windows,
            "http": self._http,
        }
        self._desktop.check()
        return handlers[request["do"]](request)

    def _screenshot(self, request: Request) -> str:
        return base64.b64encode(self._desktop.screen.png()).decode("ascii")

    def _settle(self, request: Request) -> bool:
        return self._desktop.screen.settle(request["quiet_s"], request["limit_s"])

    def _input(self, request: Request) -> None:
        """Mouse and keyboard, until all is done or the time is over."""
        end = time.monotonic() + request["limit_s"]
        for piece in request["pieces"]:
            self._odd_keys.lay("".join(piece))
            left = end - time.monotonic()
            if left <= 0:
                raise RuntimeError(
                    f"The action took more than {request['limit_s']:g} s; the rest was left out."
                )
            if piece[0] == "sleep":
                time.sleep(min(float(piece[1]), left))
                continue
            done = subprocess.run(
                ["xdotool", *piece],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=self._desktop.environment,
                timeout=max(left, 1.0),
                check=False,
            )
            if done.returncode:
                said = done.stderr.decode("utf-8", "replace").strip()
                raise RuntimeError(f"xdotool {piece[0]}: {said or done.returncode}")

    def _tree(self, request: Request) -> str:
        return accessibility.tree(
            showing=request["showing"],
            most=request["most"],
            limit_s=request["limit_s"],
            environment=self._desktop.environment,
        )

    def _run(self, request: Request) -> Any:
        return programs.run(
            request["command"],
            shell=request["shell"],
            timeout_s=request["limit_s"],
            environment={**self._desktop.environment, **request["environment"]},
            cwd=HOME,
        )

    def _launch(self, request: Request) -> int:
        return programs.launch(
            request["command"],
            shell=request["shell"],
            environment=self._desktop.environment,
            cwd=HOME,
        )

    def _windows(self, request: Request) -> Any:
        said = subprocess.run(
            ["wmctrl", "-lGx"], capture_output=True, env=self._desktop.environment, check=False
        )
        active = subprocess.run(
            ["xdotool", "getactivewindow"],
            capture_output=True,
            env=self._desktop.environment,
            check=False,
        )
        return {
            "lines": said.stdout.decode("utf-8", "replace").splitlines(),
            "active": active.stdout.decode("ascii", "replace").strip(),
        }

    def _http(self, request: Request) -> Any:
        """Ask the browser's debugging port, which only the jail can reach."""
        url = f"http://127.0.0.1:{request['port']}{request['path']}"
        asked = urllib.request.Request(url, method=request.get("method", "GET"))
        try:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(asked, timeout=10) as answer:
                return {"text": answer.read(4 * 1024 * 1024).decode("utf-8", "replace")}
        except (urllib.error.URLError, OSError, ValueError) as error:
            return {"problem": str(error)}


def main(width: int, height: int) -> None:
    """Bring the desktop up, say so, and answer until the input ends."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull, "r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)

    def say(reply: Request) -> None:
        replies.write(json.dumps(reply) + "\n")
        replies.flush()

    try:
        driver = Driver(width, height)
    except DesktopDown as fault:
        say({"error": str(fault), "down": True})
        return
    say({"ok": True})
    for line in requests:
        request = json.loads(line)
        say({"number": request["number"], **_answer(driver, request)})


def _answer(driver: Driver, request: Request) -> Request:
    try:
        return {"ok": driver.answer(request)}
    except DesktopDown as fault:
        return {"error": str(fault), "down": True}
    except subprocess.TimeoutExpired as fault:
        return {"error": f"it took more than {fault.timeout:g} s"}
    except Exception as fault:  # whatever it is, the caller is told and decides
        return {"error": str(fault) or type(fault).__name__}
