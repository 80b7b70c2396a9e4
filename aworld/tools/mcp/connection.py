"""One connection with a server: a task that owns its session, opened anew after it broke."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aworld.errors import AWorldError, ConfigurationError, ToolError
from aworld.tools.base import ToolResult
from aworld.tools.mcp.failures import ConnectionFailed, ConnectionLost
from aworld.tools.mcp.listing import Listing
from aworld.tools.mcp.server_spec import ServerSpec

if TYPE_CHECKING:
    from aworld.tools.mcp_client import ServerSession

TRIES = 3
"""Times that one call tries to open a connection."""
FIRST_PAUSE_S = 0.25
"""Before the second try; doubled before each further one."""
LONGEST_PAUSE_S = 30.0
"""After repeated failures calls are refused at once for at most this long."""
CLOSING_S = 8.0
"""Seconds a server has to end; the SDK kills it after four."""

log = logging.getLogger(__name__)

OnListed = Callable[[Listing], None]


class Connection:
    """A server as one event loop uses it. `open` before each call; it may be opened again."""

    def __init__(self, spec: ServerSpec, workspace: str, on_listed: OnListed) -> None:
        self.spec = spec
        self.workspace = workspace
        self.busy = 0
        """Calls under way."""
        self._on_listed = on_listed
        self._life: _Life | None = None
        self._lock = asyncio.Lock()
        self._failures = 0
        self._refused_until = 0.0
        self._refusal = ""

    @property
    def is_open(self) -> bool:
        """Whether a server is there to be called."""
        return self._life is not None and self._life.usable

    async def listing(self) -> Listing:
        """What the server offers, as it said last.

        Raises:
            ConnectionFailed: it cannot be opened.
        """
        return (await self._opened()).listing

    async def call(self, tool: str, arguments: dict[str, Any], *, repeatable: bool) -> ToolResult:
        """Call a tool by its own name; opens the connection where it is not open.

        A call that the server surely did not get, or that is `repeatable`, is made again once
        after the connection broke.

        Raises:
            ToolError: it could not be done.
        """
        self.busy += 1
        try:
            try:
                return await self._call(tool, arguments)
            except ConnectionLost as lost:
                if not lost.unsent and not repeatable:
                    raise ConnectionLost(
                        f"{lost} Whether {tool!r} was carried out is not known; look before you "
                        "call it again.",
                        unsent=False,
                    ) from lost
                log.info("MCP server %s: calling %s again", self.spec.name, tool)
            return await self._call(tool, arguments)
        finally:
            self.busy -= 1

    async def close(self) -> None:
        """End it; it can be opened again."""
        async with self._lock:
            life, self._life = self._life, None
            if life is not None:
                await life.end()

    async def _call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        life = await self._opened()
        try:
            return await life.session.call(tool, arguments)
        except ConnectionLost as lost:
            if self._life is life:
                self._life = None
            await life.end()
            raise life.explained(lost) from lost

    async def _opened(self) -> _Life:
        """The open session, opened now where it is not.

        Raises:
            ConnectionFailed: it cannot be, or it failed so often that it is not tried yet.
        """
        async with self._lock:
            if self._life is not None and self._life.usable:
                return self._life
            if self._life is not None:
                await self._life.end()
                self._life = None
            wait = self._refused_until - time.monotonic()
            if wait > 0:
                raise ConnectionFailed(f"{self._refusal} It is tried again in {wait:.0f} s.")
            self._life = await self._tried()
            return self._life

    async def _tried(self) -> _Life:
        # The SDK takes most of a second to load, which the loop's other runs need not wait.
        await asyncio.to_thread(importlib.import_module, "mcp")
        pause = FIRST_PAUSE_S
        for attempt in range(1, TRIES + 1):
            life = _Life(self.spec, self.workspace, self._on_listed)
            try:
                await life.begin()
            except ConnectionFailed as error:
                if error.lasting or attempt == TRIES:
                    self._failed(error)
                    raise
                await asyncio.sleep(pause)
                pause *= 2
            else:
                self._failures = 0
                return life
        raise AssertionError("The last try returns or raises.")

    def _failed(self, error: ConnectionFailed) -> None:
        self._failures += 1
        self._refusal = str(error)
        pause = min(LONGEST_PAUSE_S, 2.0 ** (self._failures - 1))
        self._refused_until = time.monotonic() + pause


class _Life:
    """From one opening to its end. The SDK wants both in one task, so a task is all of it."""

    def __init__(self, spec: ServerSpec, workspace: str, on_listed: OnListed) -> None:
        from aworld.tools.mcp_transports import Surroundings

        self.listing = Listing()
        self.session: ServerSession
        self._spec = spec
        self._workspace = workspace
        self._on_listed = on_listed
        self._around = Surroundings()
        self._ready = asyncio.Event()
        self._ending = asyncio.Event()
        self._changed = asyncio.Event()
        self._failure: BaseException | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def usable(self) -> bool:
        """Whether calls can be made."""
        alive = self._task is not None and not self._task.done()
        return alive and self._ready.is_set() and not self._around.gone.is_set()

    async def begin(self) -> None:
        """Open the session and read what the server offers.

        Raises:
            ConnectionFailed: it cannot be opened, or says nothing within `start_s`.
        """
        self._task = asyncio.create_task(self._run(), name=f"mcp {self._spec.name}")
        ready = asyncio.create_task(self._ready.wait())
        try:
            await asyncio.wait(
                {self._task, ready}, timeout=self._spec.start_s, return_when="FIRST_COMPLETED"
            )
            if self._ready.is_set():
                return
            silent = not self._task.done()
            await self.end()
            raise self._refusal(silent)
        except asyncio.CancelledError:
            await self.end()
            raise
        finally:
            ready.cancel()

    def _refusal(self, silent: bool) -> ConnectionFailed:
        from aworld.tools.mcp_client import explain_failure

        if silent:
            words = self._around.words()
            return ConnectionFailed(
                f"MCP server {self._spec.name!r} ({self._spec.address}) said nothing within "
                f"{self._spec.start_s:g} s.{' ' + words if words else ''}",
                lasting=True,
            )
        failure = self._failure or ConnectionFailed("Connection closed")
        if isinstance(failure, ConnectionFailed):
            return failure
        # A server that refuses what it is asked will do so again.
        refused = 400 <= self._around.status < 500 and self._around.status not in (408, 429)
        lasting = isinstance(failure, ConfigurationError) or refused
        said = str(failure) if isinstance(failure, AWorldError) else ""
        said = said or explain_failure(self._spec, failure, self._around)
        return ConnectionFailed(said, lasting=lasting)

    def explained(self, lost: ConnectionLost) -> ConnectionLost:
        """Why the session was lost, once it has ended."""
        from aworld.tools.mcp_client import was_unsent

        if lost.unsent:
            return lost
        words = self._around.words()
        return ConnectionLost(
            f"MCP server {self._spec.name!r} ended during the call.{' ' + words if words else ''}",
            unsent=self._failure is not None and was_unsent(self._failure),
        )

    async def end(self) -> None:
        """Leave the session, and see the server end."""
        self._ending.set()
        if self._task is None:
            return
        if not self._ready.is_set():
            self._task.cancel()
        _, left = await asyncio.wait({self._task}, timeout=CLOSING_S)
        if left:
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=CLOSING_S)

    async def _run(self) -> None:
        from aworld.tools.mcp_client import open_session

        try:
            async with open_session(
                self._spec, self._workspace, self._around, self._changed.set
            ) as session:
                self.session = session
                await self._read_listing()
                self._ready.set()
                await self._until_ending()
        except asyncio.CancelledError:
            if self._ending.is_set():
                return
            raise
        except BaseException as error:  # Told to whoever waits; the loop must not see it.
            self._failure = error
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
        finally:
            self._around.gone.set()

    async def _read_listing(self) -> None:
        self.listing = await self.session.list_tools()
        await asyncio.to_thread(self._on_listed, self.listing)

    async def _until_ending(self) -> None:
        """Wait for the end; reads the tools again whenever the server says they changed."""
        while not self._ending.is_set() and not self._around.gone.is_set():
            waits = {
                asyncio.ensure_future(event.wait())
                for event in (self._ending, self._around.gone, self._changed)
            }
            try:
                await asyncio.wait(waits, return_when="FIRST_COMPLETED")
            finally:
                for wait in waits:
                    wait.cancel()
            if self._changed.is_set() and not self._around.gone.is_set():
                self._changed.clear()
                # What it said before still holds where it does not say it again.
                with contextlib.suppress(ToolError, TimeoutError):
                    async with asyncio.timeout(self._spec.start_s):
                        await self._read_listing()
