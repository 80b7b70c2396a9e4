"""Breakpoints as one line of text, for the terminal.

after tool.returned if text contains "error"
before tool.called of solver with calculator
after llm.responded or llm.failed once
after error
"""

from __future__ import annotations

import re
from typing import Final, Literal, cast

from aworld.errors import ConfigurationError
from aworld.runtime.breakpoints import Breakpoint, read_breakpoints

STOP_ON: Final = ("error", "conflict", "loop")
"""Words that stand in the place of kinds."""

_IF = re.compile(r"\s+if\s+", re.IGNORECASE)
_SHAPE = "Write it as: before|after KIND [of AGENT] [with TOOL] [once] [if CONDITION]."


def read_breakpoint(text: str, id: str) -> Breakpoint:
    """The breakpoint that a line stands for.

    Raises:
        ConfigurationError: the line cannot be read; says what was expected.
    """
    head, _, condition = _split(text)
    words = head.split()
    if not words or words[0] not in {"before", "after"}:
        raise ConfigurationError(f"The breakpoint {text!r} cannot be read. {_SHAPE}")
    reader = _Words(text, words[1:])
    named = reader.names()
    stop_on = named[0] if len(named) == 1 and named[0] in STOP_ON else ""
    plain = Breakpoint(
        id=id,
        when=cast(Literal["before", "after"], words[0]),
        kinds=() if stop_on or named == ["any"] else tuple(named),
        agents=tuple(reader.names_behind("of")),
        tools=tuple(reader.names_behind("with")),
        condition=condition.strip(),
        once=reader.takes("once"),
        stop_on=cast(Literal["", "error", "conflict", "loop"], stop_on),
    )
    reader.end()
    read_breakpoints([plain])
    return plain


def _split(text: str) -> tuple[str, str, str]:
    found = _IF.search(text)
    if found is None:
        return text.strip(), "", ""
    return text[: found.start()].strip(), found[0], text[found.end() :]


class _Words:
    """The words of a line that are not read yet."""

    def __init__(self, text: str, words: list[str]) -> None:
        self._text = text
        self._words = words

    def takes(self, word: str) -> bool:
        """Whether this word comes next; then it is read."""
        if self._words and self._words[0] == word:
            self._words.pop(0)
            return True
        return False

    def names_behind(self, word: str) -> list[str]:
        """The names behind a word, if it comes next."""
        return self.names() if self.takes(word) else []

    def names(self) -> list[str]:
        """One name or more, `or` between them; `any event` is one."""
        if not self._words:
            raise ConfigurationError(f"The breakpoint {self._text!r} ends too soon. {_SHAPE}")
        found = [self._words.pop(0)]
        if found == ["any"]:
            self.takes("event")
        while self.takes("or"):
            found += self.names()
        return found

    def end(self) -> None:
        """Nothing may be left."""
        if self._words:
            raise ConfigurationError(
                f"The breakpoint {self._text!r} cannot be read from {self._words[0]!r} on. {_SHAPE}"
            )
