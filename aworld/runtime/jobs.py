"""How work reaches workers: a protocol, and the backend that lives in this process.

The Celery backend is `aworld_web.jobs`. Both only wake pumps; the queue itself is in the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Protocol

from aworld.runtime.pump import Pump


class Jobs(Protocol):
    """Wakes whoever can take a run."""

    def wake(self) -> None:
        """There is something in the queue. Never blocks, never raises; may be lost."""
        ...


class InProcessJobs:
    """A pump on an event loop in a thread of this process."""

    def __init__(self, make_pump: MakePump) -> None:
        self._make_pump = make_pump
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pump: Pump | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pump", daemon=True)

    def start(self) -> None:
        """Start the thread; returns when the pump runs."""
        self._thread.start()
        self._ready.wait(timeout=10)

    def wake(self) -> None:
        """Look at the queue now."""
        loop, pump = self._loop, self._pump
        if loop is not None and pump is not None:
            with contextlib.suppress(RuntimeError):  # the loop has just been closed
                loop.call_soon_threadsafe(pump.wake)

    def running(self) -> list[str]:
        """Runs the pump drives now."""
        return self._pump.running if self._pump is not None else []

    def stop(self, *, grace_s: float = 5.0) -> None:
        """Stop the pump and its thread; what does not end in time is left to be taken up."""
        loop, pump = self._loop, self._pump
        if loop is not None and pump is not None and self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(pump.stop(grace_s=grace_s), loop)
            self._thread.join(timeout=grace_s + 5)

    def _run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pump = self._make_pump()
        self._ready.set()
        await self._pump.run()


class MakePump(Protocol):
    """Makes a pump on the running loop."""

    def __call__(self) -> Pump:
        """A new pump."""
        ...
