"""A real `aworld up`, started by a test and ended by it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any

from aworld_web.processes.ports import free_port

PATIENCE_S = 90.0


class RunningUp:
    """`aworld up` as a context: everything that it said, and the way to its page."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *options: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.home = folder / "home"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.lines: list[str] = []
        self._command = [*command, "up", "--port", str(self.port), *options]
        self._folder = folder
        self._environment = {**(environment or os.environ), "AWORLD_HOME": str(self.home)}

    def __enter__(self) -> RunningUp:
        self.process = subprocess.Popen(
            self._command,
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.end()
        self._reader.join(20)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def end(self, number: int = signal.SIGINT) -> int:
        """Send Ctrl-C, as a terminal does; the exit status."""
        self.process.send_signal(number)
        try:
            return self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def until(self, holds: Callable[[], Any], what: str, within_s: float = PATIENCE_S) -> Any:
        """Wait for something; its value. Fails with what was said where it does not come."""
        end = monotonic() + within_s
        while not (value := holds()):
            said = "\n".join(self.lines[-60:])
            assert self.process.poll() is None, f"ended before {what}:\n{said}"
            assert monotonic() < end, f"no {what} within {within_s} s:\n{said}"
            sleep(0.02)
        return value

    def link(self) -> str:
        """The one-time link, as soon as it is printed."""
        found = self.until(
            lambda: re.search(r"Open (http://\S+)", "\n".join(self.lines)), "one-time link"
        )
        return str(found[1])

    def report(self) -> dict[str, Any]:
        """`processes.json`, empty before it is there."""
        try:
            data: dict[str, Any] = json.loads((self.home / "processes.json").read_text("utf-8"))
        except FileNotFoundError:
            return {}
        return data

    def process_named(self, name: str) -> dict[str, Any]:
        """One process of the report; empty before it is there."""
        listed: list[dict[str, Any]] = self.report().get("processes", [])
        return next((one for one in listed if one["name"] == name), {})

    def step(self, name: str) -> dict[str, Any]:
        """One step of the set-up; empty before it is there."""
        listed: list[dict[str, Any]] = self.report().get("setup", {}).get("steps", [])
        return next((one for one in listed if one["name"] == name), {})

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of a page."""
        with urllib.request.urlopen(f"{self.url}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
