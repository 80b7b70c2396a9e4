"""A started command: its output up to a limit, its memory watched, its whole tree killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from aworld.errors import SandboxError
from aworld.sandbox.base import SandboxLimits, SandboxResult
from aworld.sandbox.disk_usage import WorkspaceLimit
from aworld.sandbox.egress.proxy import EgressProxy
from aworld.sandbox.usage_watch import first_refusal

_LONGEST_LINE = 32 * 1024 * 1024
_FLOOD = 64
"""How often its limit a command may write before it is ended."""


class RunningCommand:
    """A process and its descendants."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        limits: SandboxLimits,
        disk: WorkspaceLimit | None,
        proxy: EgressProxy | None,
    ) -> None:
        self._process = process
        self._limits = limits
        self._disk = disk
        self._proxy = proxy
        self._refused = ""
        self._watch = asyncio.create_task(self._watch_usage())

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        limits: SandboxLimits,
        *,
        cwd: Path,
        env: Mapping[str, str],
        disk: WorkspaceLimit | None = None,
        proxy: EgressProxy | None = None,
        descriptors: Sequence[int] = (),
    ) -> RunningCommand:
        """Start it in a process group of its own; it keeps `descriptors`. From here on the proxy
        is its own, and closed with it."""
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=cwd,
                env=env,
                limit=_LONGEST_LINE,
                start_new_session=True,
                pass_fds=tuple(descriptors),
            )
        except OSError as error:
            raise SandboxError(
                f"The command {argv[0]!r} could not be started in {str(cwd)!r}: {error.strerror}."
            ) from error
        return cls(process, limits, disk, proxy)

    @property
    def pid(self) -> int:
        """The machine's number of its first process."""
        return self._process.pid

    @property
    def stdin(self) -> asyncio.StreamWriter:
        """Its standard input."""
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def stdout(self) -> asyncio.StreamReader:
        """Its standard output."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def stderr(self) -> asyncio.StreamReader:
        """Its standard error."""
        assert self._process.stderr is not None
        return self._process.stderr

    @property
    def refused(self) -> str:
        """Which limit killed it."""
        return self._refused

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self._process.returncode is None

    def take_denied(self) -> tuple[str, ...]:
        """What the proxy refused since the last time."""
        return self._proxy.take_denied() if self._proxy is not None else ()

    async def kill(self) -> None:
        """End the whole tree; the first process takes its namespace with it."""
        self._watch.cancel()
        _kill_group(self._process.pid)
        await self._process.wait()
        if self._proxy is not None:
            await self._proxy.close()
        # What is left in the pipes is read, so that their transports close.
        for stream in (self.stdout, self.stderr):
            with contextlib.suppress(Exception):
                async with asyncio.timeout(1):
                    while await stream.read(65536):
                        pass
        self.stdin.close()
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await self._watch

    async def result(self, stdin: bytes) -> SandboxResult:
        """Feed it, wait for its end, and kill what is left of it."""
        keep = self._limits.output_kb * 1024
        timed_out = False
        reads = [asyncio.create_task(self._read(s, keep)) for s in (self.stdout, self.stderr)]
        try:
            async with asyncio.timeout(self._limits.seconds):
                await self._feed(stdin)
                await self._process.wait()
        except TimeoutError:
            timed_out = True
        finally:
            self._watch.cancel()
            _kill_group(self._process.pid)
            exit_code = await self._process.wait()
            (out, cut_out), (err, cut_err) = await asyncio.gather(*reads)
            denied = self.take_denied()
            if self._proxy is not None:
                await self._proxy.close()
        if self._disk is not None and not self._refused:
            self._refused = await asyncio.to_thread(self._disk.grown)
        return SandboxResult(
            exit_code=_signal_as_negative(exit_code),
            stdout=out.decode("utf-8", "replace"),
            stderr=err.decode("utf-8", "replace"),
            timed_out=timed_out,
            refused=self._refused,
            cut_bytes=cut_out + cut_err,
            denied=denied,
        )

    async def _read(self, stream: asyncio.StreamReader, keep: int) -> tuple[bytes, int]:
        """The first bytes of a stream, and how many came after them. A flood ends the command."""
        kept = bytearray()
        dropped = 0
        while piece := await stream.read(65536):
            room = keep - len(kept)
            kept += piece[:room]
            dropped += max(0, len(piece) - room)
            if dropped > _FLOOD * keep and not self._refused:
                self._refused = f"it wrote more than {_FLOOD} times {keep // 1024} KB of output"
                _kill_group(self._process.pid)
        return bytes(kept), dropped

    async def _feed(self, stdin: bytes) -> None:
        with contextlib.suppress(ConnectionError):
            self.stdin.write(stdin)
            await self.stdin.drain()
        self.stdin.close()

    async def _watch_usage(self) -> None:
        refusal = await first_refusal(self._process.pid, self._limits, self._disk)
        if self._process.returncode is None and not self._refused:
            self._refused = refusal
            _kill_group(self._process.pid)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


def _signal_as_negative(exit_code: int) -> int:
    """A shell, and bubblewrap, give 128 + n for signal n."""
    return 128 - exit_code if 128 < exit_code < 160 else exit_code
