"""Processes kept for comparisons that are heavy to load or might never end.

sympy can hang on a model's answer, and a pattern can backtrack for ever: neither can be stopped
inside a thread. Each comparison goes as one JSON line to a process of its own kind, which is killed
when its time is over and takes the next comparison when it is not.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any

import msgspec

from aworld.errors import AWorldError

LOADING_S = 60.0
"""Time a process may take until it is ready; sympy is long on a busy machine."""
MOST_PROCESSES = 2
"""Processes of one kind at once; more comparisons wait."""


class ComparisonTimeout(AWorldError):
    """A comparison did not end in its time and was stopped."""


class ComparisonFailed(AWorldError):
    """A process died at a comparison, such as for want of memory."""


class ComparisonUnavailable(AWorldError):
    """The process that compares cannot be started: no verdict on any answer."""


class ProcessPool:
    """Up to `MOST_PROCESSES` processes of `python -m module`, with these variables of the
    environment besides its own. Safe in threads."""

    def __init__(self, module: str, environment: Mapping[str, str] | None = None) -> None:
        self._module = module
        path = os.pathsep.join(path for path in sys.path if path)
        self._environment = {"PYTHONPATH": path, **(environment or {})}
        self._begin()
        atexit.register(self.close)
        # Two that talk to one process would get each other's answers.
        if sys.platform != "win32":
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._idle: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(MOST_PROCESSES)

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to one question.

        Raises:
            ComparisonTimeout: it took longer than `seconds`.
            ComparisonFailed: the process died.
            ComparisonUnavailable: there is no process to ask.
        """
        with self._free:
            process = self._take()
            try:
                answer = _exchange(process, msgspec.json.encode(question) + b"\n", seconds)
            except BaseException:
                _end(process)
                raise
            with self._lock:
                self._idle.append(process)
            return answer

    def close(self) -> None:
        """End the processes that are idle; the pool can be used again."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            _end(process)

    def _take(self) -> subprocess.Popen[bytes]:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.poll() is None:
                    return process
                _end(process)
        return self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", self._module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | self._environment,
            start_new_session=True,
        )
        try:
            _exchange(process, b"", LOADING_S)
        except (ComparisonTimeout, ComparisonFailed) as error:
            _end(process)
            raise ComparisonUnavailable(
                f"The process that compares could not be started. Try it by hand: "
                f"python -m {self._module}"
            ) from error
        except BaseException:
            _end(process)
            raise
        return process


def _exchange(process: subprocess.Popen[bytes], line: bytes, seconds: float) -> dict[str, Any]:
    """Send a line, read one; the process is killed when the time is over."""
    assert process.stdin is not None and process.stdout is not None
    over = threading.Event()

    def stop() -> None:
        over.set()
        process.kill()

    watch = threading.Timer(seconds, stop)
    watch.daemon = True
    watch.start()
    try:
        process.stdin.write(line)
        process.stdin.flush()
        reply = process.stdout.readline()
    except OSError:
        reply = b""
    finally:
        watch.cancel()
    if reply.endswith(b"\n"):
        answer: dict[str, Any] = msgspec.json.decode(reply)
        return answer
    if over.is_set():
        raise ComparisonTimeout(f"The comparison did not end within {seconds:g} s and was stopped.")
    raise ComparisonFailed("The process that compares ended in the middle of it.")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    process.wait()
