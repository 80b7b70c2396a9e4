"""The terminal's debugger: reads commands and carries them out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec

from aworld.command_line._debug_output import HELP, LAST, Output
from aworld.command_line._debug_session import DebugSession
from aworld.errors import AWorldError, ConfigurationError
from aworld.runtime.breakpoint_text import read_breakpoint
from aworld.runtime.breakpoints import Breakpoint
from aworld.storage.base import RunRecord

ReadLine = Callable[[], Awaitable[str | None]]
"""The next command; None where there is none any more."""


class Console:
    """One debugging session, forks included."""

    def __init__(
        self,
        session: DebugSession,
        breakpoints: Sequence[Breakpoint],
        read_line: ReadLine,
        output: Output,
        *,
        at_end: str,
    ) -> None:
        """`at_end` is the command where there are no more: `quit`, or `continue` for a script."""
        self._session = session
        self._sessions = [session]
        self._breakpoints = list(breakpoints)
        self._read_line = read_line
        self._output = output
        self._at_end = at_end
        self._left = False

    async def run(self) -> RunRecord:
        """Until the run has ended or is left; its record."""
        await self._session.stopped()
        self._show()
        while not (self._left or self._session.ended):
            line = await self._read_line()
            if line is None:
                await self._finish()
                break
            try:
                await self._obey(line)
            except AWorldError as error:
                self._output.error(error)
        records = [await session.close() for session in reversed(self._sessions)]
        return records[self._sessions[::-1].index(self._session)]

    async def _finish(self) -> None:
        """A script is at its end: the run goes on to its own."""
        if self._at_end == "continue":
            await self._session.arm([])
            while not self._session.ended:
                await self._session.run_on()

    async def _obey(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            return
        command = _COMMANDS.get(word)
        if command is None:
            raise ConfigurationError(f"There is no command {word!r}. Commands are:\n{HELP}")
        await command(self, rest.strip())

    def _show(self) -> None:
        session = self._session
        self._output.stop(session.record, session.events(LAST), session.state())

    # -- commands --------------------------------------------------------------------------------

    async def _step(self, rest: str) -> None:
        for _ in range(_number(rest) if rest else 1):
            await self._session.step()
            if self._session.ended:
                break
        self._show()

    async def _continue(self, rest: str) -> None:
        await self._session.run_on()
        self._show()

    async def _run_to(self, rest: str) -> None:
        await self._session.run_to(_number(rest))
        self._show()

    async def _edit(self, rest: str) -> None:
        seq, _, text = rest.partition(" ")
        await self._session.edit(_number(seq), _fields(text))
        self._output.note(edited=int(seq), text=f"  step {seq} is changed")

    async def _answer(self, rest: str) -> None:
        await self._session.answer(_fields(rest) if rest.startswith("{") else rest)
        self._show()

    async def _break(self, rest: str) -> None:
        made = read_breakpoint(rest, f"b{len(self._breakpoints) + 1}")
        self._breakpoints.append(made)
        await self._session.arm(self._breakpoints)
        self._output.note(armed=made, text=f"  {made.id}: {rest}")

    async def _state(self, rest: str) -> None:
        words = rest.split()
        seq = -1
        if len(words) >= 2 and words[-2] == "at":
            seq = _number(words[-1])
            words = words[:-2]
        self._output.state(self._session.state(seq), words[0] if words else "")

    async def _list(self, rest: str) -> None:
        self._output.events(self._session.events(_number(rest) if rest else 4 * LAST))

    async def _fork(self, rest: str) -> None:
        at, _, changes = rest.partition(" ")
        edits: dict[int, dict[str, Any]] = {}
        if changes.strip():
            seq, _, text = changes.strip().partition("=")
            edits[_number(seq)] = _fields(text)
        self._session = self._session.fork(_number(at), edits)
        self._sessions.append(self._session)
        self._output.note(fork=self._session.run_id, text=f"  fork {self._session.run_id}")
        await self._session.stopped()
        self._show()

    async def _help(self, rest: str) -> None:
        self._output.note(help=HELP, text=HELP)

    async def _quit(self, rest: str) -> None:
        self._left = True


def _number(text: str) -> int:
    if not text.strip().isdigit():
        raise ConfigurationError(f"{text!r} is no number.")
    return int(text)


def _fields(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise ConfigurationError(f"{text!r} is no JSON object: {error}.") from None


_COMMANDS: Final[dict[str, Callable[[Console, str], Awaitable[None]]]] = {
    "step": Console._step,
    "s": Console._step,
    "continue": Console._continue,
    "c": Console._continue,
    "run-to": Console._run_to,
    "edit": Console._edit,
    "answer": Console._answer,
    "break": Console._break,
    "state": Console._state,
    "list": Console._list,
    "fork": Console._fork,
    "help": Console._help,
    "quit": Console._quit,
    "q": Console._quit,
}
