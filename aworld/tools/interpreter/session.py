"""One interpreter process, as the host talks to it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from pathlib import Path
from typing import Any

import msgspec

from aworld.errors import ToolError
from aworld.sandbox import Sandbox, SandboxLimits, SandboxProcess
from aworld.tools.failures import ToolTimeout

_SHOWN_BYTES = 40_000
LIMITS = SandboxLimits(memory_mb=1024, processes=64, file_mb=64)


class Outcome(msgspec.Struct, frozen=True):
    """What a cell did."""

    stdout: str = ""
    stderr: str = ""
    stdout_cut: int = 0
    stderr_cut: int = 0
    value: str | None = None
    """repr of the last expression."""
    error: str | None = None
    """The traceback."""
    plots: list[str] = []
    """PNG pictures in base64."""


class Session:
    """An interpreter in the sandbox. It starts with the first cell, and again after it ended."""

    def __init__(self, sandbox: Sandbox, workspace: Path) -> None:
        self._sandbox = sandbox
        self._workspace = workspace
        self._process: SandboxProcess | None = None
        self._cells = 0
        self.lock = asyncio.Lock()
        """Held while a cell runs: an interpreter does one thing at a time."""

    async def execute(self, code: str, timeout_s: float) -> Outcome:
        """Run a cell.

        Raises:
            ToolTimeout: it took too long; the process was killed.
            ToolError: the process died, by a limit or by itself.
        """
        process = await self._running()
        self._sandbox.admit(self._workspace)
        self._cells += 1
        try:
            async with asyncio.timeout(timeout_s):
                return await _ask(process, code)
        except TimeoutError:
            await self.close()
            raise ToolTimeout(
                f"The code did not end within {timeout_s:g} s and was stopped. Its variables are "
                "lost, files in the workspace are kept."
            ) from None
        except asyncio.CancelledError:
            await self.close()
            raise
        except (ConnectionError, EOFError, ValueError, msgspec.DecodeError):
            # ValueError: a reply longer than any real one.
            refused = process.refused
            await self.close()
            why = f"because {refused}" if refused else "by its own code"
            raise ToolError(
                f"The interpreter was ended {why}. Its variables are lost, files in the workspace "
                "are kept."
            ) from None

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            await process.kill()

    async def _running(self) -> SandboxProcess:
        if self._process is not None and not self._process.running:
            await self.close()
        if self._process is None:
            command = [self._sandbox.python(), "-I", "-X", "utf8", "-c", _driver()]
            self._process = await self._sandbox.start(
                [*command, str(_SHOWN_BYTES)], workspace=self._workspace, limits=LIMITS
            )
        return self._process


async def _ask(process: SandboxProcess, code: str) -> Outcome:
    process.stdin.write(msgspec.json.encode({"code": code}) + b"\n")
    await process.stdin.drain()
    line = await process.stdout.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    reply: dict[str, Any] = msgspec.json.decode(line)
    return msgspec.convert(reply, Outcome)


@functools.cache
def _driver() -> str:
    return Path(__file__).with_name("driver.py").read_text(encoding="utf-8")


async def close_quietly(session: Session) -> None:
    """Close a session whose loop is about to end."""
    with contextlib.suppress(ProcessLookupError, RuntimeError):
        await session.close()
