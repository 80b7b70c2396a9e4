"""The local model's server as a child of this process, for scripts that run without `aworld up`."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from aworld.errors import ProviderError

START_S = 60.0


@contextmanager
def serve_local_model() -> Iterator[str]:
    """Serve on a free port while the block runs; gives the base URL.

    Raises:
        ProviderError: it does not come up; the server's own words are in the message.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # A file, not a pipe: nobody reads the log while the server runs, and a full pipe would stop it.
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "aworld.llm.llama_server", "--port", str(port), "--slots", "2"],
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
        try:
            _wait_until_up(server, port, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            try:
                server.wait(timeout=5)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait_until_up(server: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            log.seek(0)
            words = log.read().decode("utf-8", "replace").strip()
            raise ProviderError(f"The local model did not start: {words[-500:]}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise ProviderError(f"The local model was not up after {START_S:g} seconds.")
