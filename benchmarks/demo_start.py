"""How soon the demo's page is there, and how much memory everything takes while its team works.

Starts `aworld up --demo` twice on a fresh data folder. Memory is the sum of PSS (each shared page
counted once) of the parent and all that it started, at its highest; Linux only.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from aworld.config import Config
from aworld.storage.open import open_store
from aworld_web.processes.ports import free_port

GOAL_SECOND_START_S = 10.0
GOAL_FIRST_START_S = 180.0
GOAL_PEAK_GB = 6.0
PATIENCE_S = 600.0


class Start(NamedTuple):
    """One start, until the demo's runs have ended or patience has."""

    page_s: float
    """Seconds from the command to the page's first answer."""
    peak_bytes: int
    """Highest sum of PSS seen."""


def measure(home: Path, *, until_demo_ended: bool) -> Start:
    """Start, wait for the page (and the demo's runs), end."""
    port = free_port()
    command = [sys.executable, "-m", "aworld.command_line.main", "up", "--demo"]
    begun = time.monotonic()
    parent = subprocess.Popen(
        [*command, "--port", str(port)],
        env=_environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    ended = threading.Event()
    peaks: list[int] = [0]

    def watch() -> None:
        while not ended.wait(0.5):
            peaks[0] = max(peaks[0], tree_pss(parent.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        _until(lambda: _answers(port), parent)
        page_s = time.monotonic() - begun
        if until_demo_ended:
            _until(lambda: _demo_ended(home), parent)
    finally:
        parent.send_signal(signal.SIGINT)
        parent.wait(60)
        ended.set()
        watcher.join()
    return Start(page_s, peaks[0])


def tree_pss(root: int) -> int:
    """Sum of PSS of a process and its descendants, bytes; 0 where the system does not tell."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
            children.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(folder.name))
    total, left = 0, [root]
    while left:
        pid = left.pop()
        left += children.get(pid, [])
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total


def _environment(home: Path) -> dict[str, str]:
    ours = {"AWORLD_HOME": str(home)}
    return {key: value for key, value in os.environ.items() if not key.startswith("AWORLD_")} | ours


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/session", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _demo_ended(home: Path) -> bool:
    """Whether the demo's runs were queued and none is under way any more."""
    steps = json.loads((home / "processes.json").read_text(encoding="utf-8"))["setup"]["steps"]
    state = next(step["state"] for step in steps if step["name"] == "Demo run")
    if state == "failed":
        raise SystemExit("The demo's runs could not be started; see aworld up --demo.")
    if state != "done":
        return False
    store = open_store(Config(home=home, mongodb_uri="", redis_url=""))
    try:
        counts = store.count_by_status()
    finally:
        store.close()
    return not any(counts.get(status) for status in ("queued", "running", "lost"))


def _until(holds: Callable[[], bool], parent: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if parent.poll() is not None or time.monotonic() > end:
            raise SystemExit("aworld up --demo ended, or took longer than ten minutes.")
        time.sleep(0.05)


def main() -> None:
    """Two starts; prints the figures."""
    with tempfile.TemporaryDirectory(prefix="aworld-bench-") as folder:
        home = Path(folder) / "home"
        first = measure(home, until_demo_ended=True)
        second = measure(home, until_demo_ended=False)
    for name, value, unit, goal in (
        ("demo_first_start_page_s", first.page_s, "s", GOAL_FIRST_START_S),
        ("demo_second_start_page_s", second.page_s, "s", GOAL_SECOND_START_S),
        ("demo_peak_pss_gb", first.peak_bytes / 1e9, "GB", GOAL_PEAK_GB),
    ):
        line = {"name": name, "value": round(value, 3), "unit": unit, "goal": goal}
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
