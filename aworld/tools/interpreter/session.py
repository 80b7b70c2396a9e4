"""One interpreter process, as the host talks to it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
from pathlib import Path
from typing import Any

import msgspec

from aworld.errors import ToolError
from aworld.sandbox import Sandbox, SandboxLimits, SandboxProcess, Surroundings
from aworld.sandbox.reasons import hints
from aworld.tools.failures import ToolTimeout

_SHOWN_BYTES = 40_000
LIMITS = SandboxLimits(memory_mb=1024, processes=64, file_mb=64)
PREPARE_S = 90.0
"""Seconds that Python and the libraries a cell names may take to load, before its time begins."""
_LIBRARIES = {
    "matplotlib": "matplotlib.pyplot",
    "PIL": "PIL.Image",
    **{name: name for name in ("numpy", "pandas", "pyarrow", "scipy", "sklearn", "sympy")},
}
"""Slow to load: top-level name to what is imported of it."""
_VARIABLES = {"XDG_CACHE_HOME": "/tmp/cache"}
"""What libraries keep for themselves is not for the workspace."""
_IMPORTED = re.compile(rf"^\s*(?:import|from)\s.*?\b({'|'.join(_LIBRARIES)})\b", re.M)


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
    plots_left_out: int = 0
    """Pictures that were too many or too large."""
    denied: tuple[str, ...] = ()
    """What the sandbox refused, each with its reason."""


class Session:
    """An interpreter in the sandbox. It starts with the first cell, and again after it ended."""

    def __init__(
        self, sandbox: Sandbox, workspace: Path, around: Surroundings = Surroundings()
    ) -> None:
        self._sandbox = sandbox
        self._workspace = workspace
        self.around = around
        self._process: SandboxProcess | None = None
        self.lock = asyncio.Lock()
        """Held while a cell runs: an interpreter does one thing at a time."""

    async def execute(self, code: str, timeout_s: float) -> Outcome:
        """Run a cell. Its time begins once the libraries that it names are loaded.

        Raises:
            ToolTimeout: it took too long; the process was killed.
            ToolError: the process died, by a limit or by itself.
        """
        process = await self._running()
        self._sandbox.admit(self._workspace)
        what, limit = "The libraries were not loaded", PREPARE_S
        try:
            async with asyncio.timeout(limit):
                await _prepare(process, code)
            what, limit = "The code did not end", timeout_s
            async with asyncio.timeout(limit):
                outcome = msgspec.convert(await _answer(process), Outcome)
        except TimeoutError:
            await self.close()
            raise ToolTimeout(
                f"{what} within {limit:g} s and was stopped. Its variables are lost, files in the "
                "workspace are kept."
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
        said = hints(outcome.error, LIMITS, self.around) if outcome.error else ()
        denied = dict.fromkeys([*process.take_denied(), *said])
        return msgspec.structs.replace(outcome, denied=tuple(denied))

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
                [*command, str(_SHOWN_BYTES)],
                workspace=self._workspace,
                limits=LIMITS,
                around=msgspec.structs.replace(self.around, environment=_VARIABLES),
            )
        return self._process


async def _prepare(process: SandboxProcess, code: str) -> None:
    """Hand the cell over, and wait until it begins."""
    libraries = sorted({_LIBRARIES[name] for name in _IMPORTED.findall(code)})
    process.stdin.write(msgspec.json.encode({"code": code, "libraries": libraries}) + b"\n")
    await process.stdin.drain()
    if "ready" not in await _answer(process):
        raise EOFError


async def _answer(process: SandboxProcess) -> dict[str, Any]:
    line = await process.stdout.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    return msgspec.json.decode(line, type=dict[str, Any])


@functools.cache
def _driver() -> str:
    return Path(__file__).with_name("driver.py").read_text(encoding="utf-8")


async def close_quietly(session: Session) -> None:
    """Close a session whose loop is about to end."""
    with contextlib.suppress(ProcessLookupError, RuntimeError):
        await session.close()
