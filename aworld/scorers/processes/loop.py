"""What runs in a kept process: the loop around a comparison, and its limits.

Protocol: one line `{}` when it is ready, then for each line of JSON one line of JSON.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec

MOST_BYTES = 2 * 1024**3
"""Memory a comparison may take."""
ORPHAN_S = 120
"""Processor seconds of one comparison after which it ends by itself, its parent being gone."""


def answer_lines(compare: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer questions until standard input ends."""
    _limit_memory()
    # What a library prints must not be taken for an answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    answers.write(b"{}\n")
    answers.flush()
    for line in sys.stdin.buffer:
        _limit_time()
        try:
            answer = compare(msgspec.json.decode(line))
        except (MemoryError, RecursionError) as error:
            answer = {"failure": f"it is too large or too deep ({type(error).__name__})"}
        answers.write(msgspec.json.encode(answer) + b"\n")
        answers.flush()


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        # Some systems have no such limit; the time limit holds all the same.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def _limit_time() -> None:
    """The kernel ends a process whose parent cannot any more."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = int(used.ru_utime + used.ru_stime) + ORPHAN_S
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
