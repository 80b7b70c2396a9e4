"""An event loop in a thread of its own, for what outlives the call that began it.

Web requests come on threads and loops that end with them; a browser or a shell that the next
request goes on with needs a loop that stays.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class OwnLoop:
    """Starts with the first work, ends with `shut_down` or the process. Thread-safe."""

    def __init__(
        self,
        name: str,
        *,
        tidy: Callable[[], Awaitable[None]],
        every_s: float,
        end: Callable[[], Coroutine[Any, Any, None]],
    ) -> None:
        """`tidy` is awaited every so many seconds, `end` before the loop ends; both on the loop."""
        self._name = name
        self._tidy = tidy
        self._every_s = every_s
        self._end = end
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._tidying: Future[None] | None = None

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something on the loop; its result, or what it raised."""
        return asyncio.run_coroutine_threadsafe(work, self._running()).result()

    def shut_down(self) -> None:
        """End what is open, and the thread. It starts again with the next work."""
        with self._starting:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        atexit.unregister(self.shut_down)
        if self._tidying is not None:
            self._tidying.cancel()
        asyncio.run_coroutine_threadsafe(self._end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=loop.run_forever, name=self._name, daemon=True
                )
                self._thread.start()
                self._tidying = asyncio.run_coroutine_threadsafe(self._tidy_for_ever(), loop)
                atexit.register(self.shut_down)
                self._loop = loop
            return self._loop

    async def _tidy_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            await self._tidy()
