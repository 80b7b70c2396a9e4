"""Runs a plain function beside the event loop, in a thread that nobody has to wait for.

The event loop's own pool has few threads, and the loop waits for them when it ends: a tool that
hangs would take one away for good, and some of those would stop the worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from aworld.errors import ToolError

MOST_THREADS = 256
"""Calls of plain functions that may be under way, those that were given up included."""

Result = TypeVar("Result")
_under_way: set[threading.Thread] = set()


class EndedItself(Exception):
    """The function raised what would end a program: sys.exit, KeyboardInterrupt, StopIteration."""


async def in_thread(function: Callable[..., Result], *args: Any, **named: Any) -> Result:
    """Call it in a thread. When this is cancelled the function goes on and its result is dropped.

    Raises:
        ToolError: too many earlier calls have not ended.
    """
    _under_way.difference_update([thread for thread in _under_way if not thread.is_alive()])
    if len(_under_way) >= MOST_THREADS:
        raise ToolError(
            f"{MOST_THREADS} earlier calls of tools still run, so no other can begin. Wait, or "
            "restart the worker."
        )
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Result] = loop.create_future()
    work = functools.partial(contextvars.copy_context().run, function, *args, **named)

    def settle(result: Result | None, error: Exception | None) -> None:
        if outcome.done():
            return
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)  # type: ignore[arg-type]

    def main() -> None:
        result: Result | None = None
        error: Exception | None = None
        try:
            result = work()
        except StopIteration as stopped:
            error = EndedItself(f"StopIteration: {stopped}")
        except Exception as failed:
            error = failed
        except BaseException as ended:
            error = EndedItself(str(ended) or type(ended).__name__)
        # The loop may be closed by now.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, result, error)

    thread = threading.Thread(target=main, name="tool", daemon=True)
    _under_way.add(thread)
    thread.start()
    return await outcome
