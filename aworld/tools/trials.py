"""Calls of tools that a person tries out, each in a scratch folder of its own.

What a tool keeps going between calls belongs to the event loop that began it, so all calls run on
one loop in a thread of its own, and the methods here may be called from any other thread. Nothing
of it is a run: what came back is kept while the scratch folder is.
"""

from __future__ import annotations

import asyncio
import shutil
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from aworld.errors import ConfigurationError, NotFound, ToolError
from aworld.tools.base import Attachment, ToolContext, ToolResult
from aworld.tools.calling import call_tool
from aworld.tools.failures import reason_of
from aworld.tools.open_things import close_all
from aworld.tools.own_loop import OwnLoop
from aworld.tools.registry import get

IDLE_S = 900.0
"""Seconds of silence after which a scratch folder goes, with what tools keep going in it."""
MOST_OPEN = 8
"""Scratch folders at once: each may hold a browser, a shell, an interpreter."""
MOST_SECONDS = 600.0
"""What one call may be given."""
CALLS_KEPT = 10
"""Calls whose files are kept, newest last."""


class Outcome(msgspec.Struct, frozen=True):
    """How a call ended."""

    number: int
    """Of the call, from 1 in each scratch folder."""
    ok: bool
    seconds: float
    text: str
    """What the model would read: the result's first page, or why there is none."""
    data: Any = None
    attachments: tuple[Attachment, ...] = ()
    reason: str = ""
    """As on `tool.failed`: `error`, `timeout`, `malformed_call`, `refused` or `cancelled`."""


class _Scratch:
    """One person's folder, and what came back there."""

    def __init__(self, id: str, by: str, folder: Path) -> None:
        self.id = id
        self.by = by
        self.folder = folder
        self.calls = 0
        self.kept: dict[int, tuple[Attachment, ...]] = {}
        self.task: asyncio.Task[ToolResult] | None = None
        self.cancelled = False
        self.used_at = time.monotonic()

    async def file_named(self, name: str) -> bytes | None:
        """What an earlier call here gave back, for tools that read on in it."""
        found = (file for files in self.kept.values() for file in files if file.name == name)
        return next((file.data for file in found), None)

    def keep(self, outcome: Outcome) -> None:
        self.kept[outcome.number] = outcome.attachments
        for old in sorted(self.kept)[:-CALLS_KEPT]:
            del self.kept[old]


class ToolTrials:
    """The scratch folders of this process. Thread-safe; `shut_down` ends them all."""

    def __init__(self, folder: Path, *, idle_s: float = IDLE_S, most: int = MOST_OPEN) -> None:
        """`folder` is where scratch folders are made, and removed again."""
        self._folder = folder
        self._idle_s = idle_s
        self._most = most
        self._open: dict[str, _Scratch] = {}
        self._loop = OwnLoop(
            "tool-trials", tidy=self._end_idle, every_s=idle_s / 10, end=self._end_all
        )

    def open(self, *, by: str = "") -> str:
        """Make a scratch folder; its id.

        Raises:
            ConfigurationError: too many are open.
        """
        return self._loop.wait(self._begin(by))

    def call(
        self,
        id: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        by: str = "",
        timeout_s: float | None = None,
        network: Sequence[str] = (),
    ) -> Outcome:
        """Call a tool and wait for it; `timeout_s` None means the tool's own limit.

        Raises:
            NotFound: that person has no such scratch folder.
            ConfigurationError: there is no such tool, or a call goes on there already.
        """
        return self._loop.wait(self._call(id, by, tool, arguments, timeout_s, tuple(network)))

    def cancel(self, id: str, *, by: str = "") -> None:
        """End the call that goes on; nothing happens where there is none. Raises NotFound."""
        self._loop.wait(self._cancel(id, by))

    def file(self, id: str, call: int, number: int, *, by: str = "") -> Attachment:
        """A file that one of the last calls gave back.

        Raises:
            NotFound: there is none, or it has gone.
        """
        files = self._of(id, by).kept.get(call, ())
        if not 0 <= number < len(files):
            raise NotFound(f"Call {call} has no file {number} any more. Call the tool again.")
        return files[number]

    def close(self, id: str, *, by: str = "") -> None:
        """End one with all that goes on in it. Raises NotFound."""
        self._of(id, by)
        self._loop.wait(self._end(id))

    def shut_down(self) -> None:
        """End them all, and the thread."""
        self._loop.shut_down()

    # -- on the loop -----------------------------------------------------------------------------

    async def _begin(self, by: str) -> str:
        if len(self._open) >= self._most:
            raise ConfigurationError(
                f"{self._most} tools are being tried out already. Wait until one of those pages "
                "is left."
            )
        id = uuid.uuid4().hex
        one = self._open[id] = _Scratch(id, by, self._folder / id)
        await asyncio.to_thread(one.folder.mkdir, parents=True)
        return id

    async def _call(
        self,
        id: str,
        by: str,
        name: str,
        arguments: Mapping[str, Any],
        timeout_s: float | None,
        network: tuple[str, ...],
    ) -> Outcome:
        one = self._of(id, by)
        tool = await asyncio.to_thread(get, name)
        if one.task is not None:
            raise ConfigurationError("A call goes on here already. Cancel it, or wait for it.")
        limit = tool.timeout_s if timeout_s is None else timeout_s
        context = ToolContext(
            agent=by,
            workspace=str(one.folder),
            network=network,
            recorded_file=one.file_named,
        )
        one.calls += 1
        one.cancelled = False
        started = time.monotonic()
        work = call_tool(tool, context, arguments, timeout_s=min(limit, MOST_SECONDS))
        one.task = asyncio.ensure_future(work)
        try:
            outcome = await _ended(one, started)
        finally:
            one.task = None
            one.used_at = time.monotonic()
        one.keep(outcome)
        return outcome

    async def _cancel(self, id: str, by: str) -> None:
        one = self._of(id, by)
        # Again where it is asked again: a tool that was just starting something may go on after the
        # first time.
        if one.task is not None:
            one.cancelled = True
            one.task.cancel()

    async def _end(self, id: str) -> None:
        one = self._open.pop(id, None)
        if one is None:
            return
        if one.task is not None:
            one.cancelled = True
            one.task.cancel()
            await asyncio.wait([one.task], timeout=10)
        from aworld.tools.interpreter.sessions import close_interpreter

        await close_interpreter(str(one.folder))
        await close_all(str(one.folder))
        await asyncio.to_thread(shutil.rmtree, one.folder, ignore_errors=True)

    async def _end_all(self) -> None:
        await asyncio.gather(*(self._end(id) for id in list(self._open)))

    async def _end_idle(self) -> None:
        """End what nobody has used for long."""
        long_ago = time.monotonic() - self._idle_s
        for one in list(self._open.values()):
            if one.task is None and one.used_at < long_ago:
                await self._end(one.id)

    def _of(self, id: str, by: str) -> _Scratch:
        one = self._open.get(id)
        if one is None or one.by != by:
            raise NotFound(
                f"The scratch folder {id!r} is gone, perhaps after {self._idle_s / 60:g} minutes "
                "without a call. Call the tool again in a new one."
            )
        return one


async def _ended(one: _Scratch, started: float) -> Outcome:
    """How the call that goes on ends."""
    assert one.task is not None
    number = one.calls
    try:
        result = await one.task
    except ToolError as error:
        return Outcome(number, False, _since(started), str(error), reason=reason_of(error))
    except asyncio.CancelledError:
        if not one.cancelled:
            raise
        text = "The call was cancelled."
        return Outcome(number, False, _since(started), text, reason="cancelled")
    return Outcome(number, True, _since(started), result.text, result.data, result.attachments)


def _since(started: float) -> float:
    return time.monotonic() - started
