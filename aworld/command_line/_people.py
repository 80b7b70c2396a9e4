"""Whoever sits at the terminal answers the questions of a run; without a terminal nobody does."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.conversation import PersonAnswered, PersonAsked
from aworld.runtime.approval import read_answer
from aworld.runtime.nobody import nobody, nobody_at_hand

if TYPE_CHECKING:
    from aworld.events.union import Event
    from aworld.runtime.effects import AtHand

BY = "terminal"
_LONGEST = 2_000
"""Characters of the arguments that are shown."""


class Terminal:
    """Puts one question after the other. Everything is told on standard error."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def __call__(self, opened: Event) -> PersonAnswered | None:
        """The answer; where the input ends, that of nobody."""
        asked = opened.payload
        assert isinstance(asked, PersonAsked)
        async with self._turn:
            _tell(f"\n{_shown(asked)}")
            while True:
                line = await _line(_prompt(asked))
                if line is None:
                    return nobody(asked)
                answer = line.strip() or (asked.default or "")
                problem = _problem(asked, answer)
                if not problem:
                    return PersonAnswered(answer, by=BY)
                _tell(problem)


def at_hand() -> AtHand:
    """Who is asked by a run of the command line."""
    is_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    return Terminal() if is_terminal else nobody_at_hand


def _shown(asked: PersonAsked) -> str:
    lines = [f"{asked.agent}: {asked.question}" if asked.agent else asked.question]
    if asked.approval is not None:
        shown = msgspec.json.format(msgspec.json.encode(asked.approval.arguments)).decode()
        cut = f" … {len(shown) - _LONGEST} more characters" if len(shown) > _LONGEST else ""
        lines.append(f"{asked.approval.tool or 'model'} {_plain(shown[:_LONGEST])}{cut}")
    return _plain("\n".join(lines))


def _prompt(asked: PersonAsked) -> str:
    if asked.approval is not None:
        with_change = ", allow with {…}" if asked.approval.tool else ""
        return f"[{', '.join(asked.choices)}{with_change}, deny: REASON] "
    choices = f"[{' / '.join(asked.choices)}] " if asked.choices else ""
    return _plain(f"{choices}(default: {asked.default}) " if asked.default else choices or "> ")


def _problem(asked: PersonAsked, answer: str) -> str:
    if not answer:
        return "Write an answer."
    if asked.approval is None:
        return ""
    try:
        read_answer(answer)
    except ConfigurationError as error:
        return str(error)
    return ""


def _plain(text: str) -> str:
    """Without what steers a terminal: a model wrote it."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def _line(prompt: str) -> str | None:
    """The next line typed, None at the end of the input; may be cancelled while it waits."""
    print(prompt, end="", file=sys.stderr, flush=True)
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), ready.set)
    try:
        await ready.wait()
    except asyncio.CancelledError:
        _tell("(answered elsewhere)")
        raise
    finally:
        loop.remove_reader(sys.stdin.fileno())
    return sys.stdin.readline() or None
