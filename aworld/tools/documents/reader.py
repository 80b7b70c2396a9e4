"""The worker's side of the process that reads documents: one for each workspace, kept a while."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from aworld.errors import SandboxError, ToolError
from aworld.sandbox import SandboxLimits, open_sandbox
from aworld.sandbox.base import SandboxProcess
from aworld.sandbox.resource_limits import with_limits
from aworld.sandbox.running import RunningCommand
from aworld.tools.documents.carried_code import BOOT, carried_code
from aworld.tools.documents.model import LENGTHS, MOST_BYTES, Produced, Reply, Wanted
from aworld.tools.failures import ToolTimeout

SECONDS = 75.0
"""Time one request may take; then the process is killed."""
LIMITS = SandboxLimits(memory_mb=768, processes=32, file_mb=128)

_log = logging.getLogger(__name__)


class Reader:
    """Starts with its first request, and again after it ended."""

    def __init__(self) -> None:
        self._process: SandboxProcess | None = None
        self._folder: Path | None = None
        self._ended = False
        self.lock = asyncio.Lock()
        """Held while a request is answered: it does one thing at a time."""

    async def ask(self, wanted: Wanted, data: bytes) -> Reply:
        """The reply to a request.

        Raises:
            ToolError: it cannot be done; the text says why.
            ToolTimeout: it took too long; the process was killed.
        """
        if len(data) > MOST_BYTES:
            raise ToolError(
                f"{wanted.name!r} has {len(data)} bytes; documents of up to {MOST_BYTES} are read."
            )
        async with self.lock:
            return await self._ask(wanted, data)

    async def end(self) -> None:
        """End the process for good: a request under way does not start another."""
        self._ended = True
        await self.close()

    async def close(self) -> None:
        """End the process; the next request starts another."""
        process, self._process = self._process, None
        folder, self._folder = self._folder, None
        if process is not None:
            await process.kill()
        if folder is not None:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _ask(self, wanted: Wanted, data: bytes) -> Reply:
        kept = self._process is not None
        try:
            async with asyncio.timeout(SECONDS):
                return await self._try(wanted, data, again=kept)
        except TimeoutError:
            await self.close()
            raise ToolTimeout(
                f"{wanted.name!r} took longer than {SECONDS:g} s and was given up. Ask for fewer "
                "pages, or a range."
            ) from None
        except asyncio.CancelledError:
            await self.close()
            raise

    async def _try(self, wanted: Wanted, data: bytes, *, again: bool) -> Reply:
        """Ask; a process that was kept may have ended in between, so then a new one is asked."""
        process = await self._running()
        try:
            return await _exchange(process, wanted, data)
        except (ConnectionError, EOFError, msgspec.DecodeError, ValueError):
            why = process.refused
            await self.close()
        if again and not self._ended:
            return await self._try(wanted, data, again=False)
        raise ToolError(
            f"{wanted.name!r} cannot be read: the process that read it was ended"
            f"{', because ' + why if why else ''}. The file may be damaged, or made to do harm."
        )

    async def _running(self) -> SandboxProcess:
        if self._ended:
            raise ToolError("The run has ended, and the process that read its documents with it.")
        if self._process is not None and not self._process.running:
            await self.close()
        if self._process is None:
            self._folder = Path(tempfile.mkdtemp(prefix="aworld-documents-"))
            self._process = await _start(self._folder)
            self._process.stdin.write(carried_code())
        return self._process


async def _start(folder: Path) -> SandboxProcess:
    """In the sandbox; where there is none, as a plain process with limits: the code is our own."""
    flags = ["-I", "-B", "-X", "utf8", "-c", BOOT]
    try:
        sandbox = open_sandbox()
        return await sandbox.start([sandbox.python(), *flags], workspace=folder, limits=LIMITS)
    except SandboxError as error:
        _log.info("Documents are read in a process without a sandbox: %s", error)
    command = [sys.executable, *flags]
    if sys.platform != "win32":
        command = with_limits(command, LIMITS, cpu_seconds=10**6)
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "TMPDIR": str(folder)}
    return await RunningCommand.start(command, LIMITS, cwd=folder, env=environment)


async def _exchange(process: SandboxProcess, wanted: Wanted, data: bytes) -> Reply:
    head = msgspec.json.encode(wanted)
    process.stdin.write(LENGTHS.pack(len(head), len(data)) + head)
    process.stdin.write(data)
    await process.stdin.drain()
    head_length, body_length = LENGTHS.unpack(await process.stdout.readexactly(LENGTHS.size))
    if body_length > 2 * MOST_BYTES:
        raise ValueError("more than any real reply")
    reply: dict[str, Any] = msgspec.json.decode(await process.stdout.readexactly(head_length))
    body = await process.stdout.readexactly(body_length)
    if "error" in reply:
        raise ToolError(reply["error"])
    files: list[Produced] = []
    start = 0
    for name, media_type, size in reply["files"]:
        files.append(Produced(name, media_type, body[start : start + size]))
        start += size
    return Reply(reply["text"], reply["kind"], reply["data"], tuple(files))
