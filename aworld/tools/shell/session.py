"""One bash process, as the host talks to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
from pathlib import Path

import msgspec

from aworld.errors import ToolError
from aworld.sandbox import Sandbox, SandboxLimits, SandboxProcess, Surroundings
from aworld.sandbox.process_tree import descendants
from aworld.sandbox.reasons import hints
from aworld.tools.shell.output import CutOutput

LIMITS = SandboxLimits()
_MOST_BYTES = 64 * 1024 * 1024
"""A command that writes more is stopped."""
_MOST_COMMAND = 200_000
"""Bytes; bash reads them one at a time."""
_PATIENCE_S = 2.0
"""Time that bash has to come back once its children were killed."""

# Commands come in as two fields that end with a zero byte: a word, and the command. After each, the
# word, the exit status and the folder go out between zero bytes. Children get neither descriptor.
_DRIVER = r"""
exec 3<&0 5>&1 2>&1 </dev/null
while IFS= read -r -d '' __word <&3 && IFS= read -r -d '' __command <&3; do
  eval "$__command" 3<&- 5>&- </dev/null
  builtin printf '\0%s %s %s\0' "$__word" "$?" "$PWD" >&5
done
"""
_VARIABLES = {
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "EDITOR": "false",
    "VISUAL": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "DEBIAN_FRONTEND": "noninteractive",
    "COLUMNS": "120",
}


class Finished(msgspec.Struct, frozen=True):
    """How a command in a shell ended."""

    exit_code: int | None
    """None where the shell itself ended."""
    output: str
    """Standard output and error, in the order in which they came."""
    folder: str = ""
    """The shell's current folder."""
    total_bytes: int = 0
    """Written by the command; more than `output` where it was cut."""
    stopped: str = ""
    """Why the command was stopped, in words; "" where it ended by itself."""
    lost: bool = False
    """Whether the shell is gone, with its variables and background processes."""
    denied: tuple[str, ...] = ()
    """What the sandbox refused, each with its reason."""


class ShellSession:
    """A shell in the sandbox. It starts with the first command, and again after it ended."""

    def __init__(
        self,
        sandbox: Sandbox,
        workspace: Path,
        *,
        limits: SandboxLimits = LIMITS,
        around: Surroundings = Surroundings(),
    ) -> None:
        self._sandbox = sandbox
        self._workspace = workspace
        self._limits = limits
        self.around = msgspec.structs.replace(around, environment=_VARIABLES | around.environment)
        self._process: SandboxProcess | None = None
        self.lock = asyncio.Lock()
        """Held while a command runs: a shell does one thing at a time."""

    async def execute(self, command: str, timeout_s: float) -> Finished:
        """Run a command; after `timeout_s` it is stopped, with what it started.

        Raises:
            ToolError: the command holds a zero byte, or is too long.
            SandboxError: the sandbox could not be made.
        """
        if "\0" in command:
            raise ToolError("A command may not hold a zero byte. Write \\0 with printf instead.")
        if len(command.encode("utf-8", "replace")) > _MOST_COMMAND:
            raise ToolError(
                f"A command may have {_MOST_COMMAND} bytes. Write long texts with the files tool."
            )
        async with self.lock:
            try:
                return await self._execute(command, timeout_s)
            except asyncio.CancelledError:
                await self.close()
                raise

    async def close(self) -> None:
        """End the shell and everything that it started."""
        process, self._process = self._process, None
        if process is not None:
            await process.kill()

    async def _execute(self, command: str, timeout_s: float) -> Finished:
        process = await self._running()
        self._sandbox.admit(self._workspace)
        before = set(descendants(process.pid))
        reply = _Reply(process)
        stopped = ""
        try:
            await reply.ask(command)
            try:
                async with asyncio.timeout(timeout_s):
                    await reply.read(most=_MOST_BYTES)
            except TimeoutError:
                stopped = f"it did not end within {timeout_s:g} s"
            except _Flood:
                stopped = f"it wrote more than {_MOST_BYTES // 1024 // 1024} MB"
            if stopped:
                await _kill_new(process.pid, before)
                async with asyncio.timeout(_PATIENCE_S):
                    await reply.read()
        except (TimeoutError, EOFError, ConnectionError):
            # It is gone, or bash itself is busy and cannot be talked to any more.
            await self.close()
        return self._finished(process, reply, stopped)

    def _finished(self, process: SandboxProcess, reply: _Reply, stopped: str) -> Finished:
        output = reply.output.text()
        said = hints(output, self._limits, self.around) if reply.exit_code != 0 else ()
        return Finished(
            reply.exit_code,
            output,
            reply.folder,
            reply.output.total,
            stopped or process.refused,
            lost=self._process is None,
            denied=tuple(dict.fromkeys([*process.take_denied(), *said])),
        )

    async def _running(self) -> SandboxProcess:
        if self._process is not None and not self._process.running:
            await self.close()
        if self._process is None:
            self._process = await self._sandbox.start(
                ["/bin/bash", "--noprofile", "--norc", "-c", _DRIVER],
                workspace=self._workspace,
                limits=self._limits,
                around=self.around,
            )
        return self._process


class _Flood(Exception):
    """More output than anybody wants."""


class _Reply:
    """What comes back for one command: its output, then its status behind a word that the command
    cannot know."""

    def __init__(self, process: SandboxProcess) -> None:
        self._process = process
        self._word = secrets.token_hex(16)
        self._pending = b""
        self.output = CutOutput()
        self.exit_code: int | None = None
        self.folder = ""

    async def ask(self, command: str) -> None:
        """Send the command."""
        self._process.stdin.write(f"{self._word}\0{command}\0".encode("utf-8", "replace"))
        await self._process.stdin.drain()

    async def read(self, most: int | None = None) -> None:
        """Read up to the status; may be called again after it was cancelled.

        Raises:
            EOFError: the shell ended.
            _Flood: there were more than `most` bytes.
        """
        mark = b"\0" + self._word.encode()
        while True:
            place = self._pending.find(mark)
            end = self._pending.find(b"\0", place + 1)
            if place >= 0 and end > 0:
                self.output.add(self._pending[:place])
                _, code, folder = self._pending[place + 1 : end].split(b" ", 2)
                self.exit_code, self.folder = int(code), folder.decode("utf-8", "replace")
                return
            if place < 0:
                # The mark may have come in part.
                self._take(len(self._pending) - len(mark))
            piece = await self._process.stdout.read(65536)
            if not piece:
                self._take(len(self._pending))
                raise EOFError
            self._pending += piece
            if most is not None and self.output.total > most:
                raise _Flood

    def _take(self, count: int) -> None:
        if count > 0:
            self.output.add(self._pending[:count])
            self._pending = self._pending[count:]


async def _kill_new(pid: int, before: set[int]) -> None:
    """End what the command started; what earlier ones left running goes on."""
    for _ in range(5):
        new = set(descendants(pid)) - before
        if not new:
            return
        for each in new:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)
        await asyncio.sleep(0.02)
