"""Finds a regular expression in a text in time linear in the text, whatever the pattern.

A breakpoint's pattern is run on text that a model wrote, inside the loop that drives the run: a
backtracking matcher could be made to hang it. This one follows all ways at once (Thompson) and
remembers where a set of ways leads (a lazily built automaton), so each character is looked at once.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from aworld.errors import ConfigurationError
from aworld.runtime.pattern_syntax import (
    At,
    Char,
    Choice,
    Pattern,
    Place,
    Repeat,
    Sequence,
    Test,
    is_word,
    read_pattern,
)

MAX_TEXT: Final = 20_000
"""Characters of a text that are looked at; what lies behind them does not match."""
_MAX_PROGRAM: Final = 300
"""Instructions; counted repetitions are written out."""
_MAX_REMEMBERED: Final = 20_000
"""Moves; then the automaton is forgotten and built again."""

_Before = Literal["begin", "line", "word", "other"]
"""What lies before the next character: nothing, a line end, a letter, anything else."""


class _Way(NamedTuple):
    """An instruction: test a character or a place and go on, or go on at each of `to`."""

    test: Test | None = None
    place: Place | None = None
    to: tuple[int, ...] = ()


class _State:
    """A set of ways that are open before the next character, and where each character leads."""

    __slots__ = ("before", "moves", "ways")

    def __init__(self, ways: frozenset[int], before: _Before) -> None:
        self.ways = ways
        self.before = before
        self.moves: dict[str, _State] = {}


_MATCHED: Final = _State(frozenset(), "begin")


class LinearPattern:
    """A compiled regular expression; compare `re.search`.

    `(?i)`, `(?m)` and `(?s)` at the beginning set flags. `$` without `(?m)` is the very end.
    """

    def __init__(self, text: str) -> None:
        """Raises ConfigurationError where the pattern cannot be used."""
        self.text = text
        self._program: list[_Way] = []
        self._emit(read_pattern(text))
        self._accept = len(self._program)
        self._states: dict[tuple[frozenset[int], _Before], _State] = {}
        self._remembered = 0
        self._first = self._state(frozenset({0}), "begin")

    def search(self, text: str) -> bool:
        """Whether it is found anywhere in the first `MAX_TEXT` characters."""
        state = self._first
        for char in text[:MAX_TEXT]:
            following = state.moves.get(char)
            if following is None:
                following = self._move(state, char)
            if following is _MATCHED:
                return True
            state = following
        return self._accept in self._open(state, text[MAX_TEXT : MAX_TEXT + 1])

    def _move(self, state: _State, char: str) -> _State:
        open_ways = self._open(state, char)
        if self._accept in open_ways:
            following = _MATCHED
        else:
            ways = {way + 1 for way in open_ways if self._fits(way, char)}
            ways.add(0)  # A match may begin anywhere.
            following = self._state(frozenset(ways), _kind_of(char))
        if self._remembered >= _MAX_REMEMBERED:
            self._states.clear()
            self._remembered = 0
            self._first = self._state(frozenset({0}), "begin")
        state.moves[char] = following
        self._remembered += 1
        return following

    def _state(self, ways: frozenset[int], before: _Before) -> _State:
        key = (ways, before)
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = _State(ways, before)
        return found

    def _fits(self, way: int, char: str) -> bool:
        test = self._program[way].test
        return test is not None and test(char)

    def _open(self, state: _State, char: str) -> set[int]:
        """Every instruction reached without a character; `char` comes next, "" at the end."""
        reached: set[int] = set()
        left = list(state.ways)
        while left:
            way = left.pop()
            if way in reached:
                continue
            reached.add(way)
            if way == self._accept:
                continue
            step = self._program[way]
            if step.place is not None:
                if _is_at(step.place, state.before, char):
                    left.append(way + 1)
            else:
                left.extend(step.to)
        return reached

    # -- the program -----------------------------------------------------------------------------

    def _emit(self, part: Pattern) -> None:
        if isinstance(part, Char):
            self._add(_Way(test=part.test))
        elif isinstance(part, At):
            self._add(_Way(place=part.place))
        elif isinstance(part, Sequence):
            for one in part.parts:
                self._emit(one)
        elif isinstance(part, Choice):
            self._emit_choice(part)
        else:
            self._emit_repeat(part)

    def _emit_choice(self, choice: Choice) -> None:
        fork = self._add(_Way())
        begins, ends = [], []
        for option in choice.options:
            begins.append(len(self._program))
            self._emit(option)
            ends.append(self._add(_Way()))
        self._program[fork] = _Way(to=tuple(begins))
        for end in ends:
            self._program[end] = _Way(to=(len(self._program),))

    def _emit_repeat(self, repeat: Repeat) -> None:
        for _ in range(repeat.low):
            before = len(self._program)
            self._emit(repeat.part)
            if len(self._program) == before:
                break  # Nothing, however often, is nothing.
        if repeat.high is None:
            fork = self._add(_Way())
            self._emit(repeat.part)
            self._add(_Way(to=(fork,)))
            self._program[fork] = _Way(to=(fork + 1, len(self._program)))
            return
        forks = []
        for _ in range(repeat.high - repeat.low):
            forks.append(self._add(_Way()))
            self._emit(repeat.part)
        for fork in forks:
            self._program[fork] = _Way(to=(fork + 1, len(self._program)))

    def _add(self, way: _Way) -> int:
        if len(self._program) >= _MAX_PROGRAM:
            raise ConfigurationError(
                f"The pattern {self.text!r} is too large: its counted repetitions written out "
                f"make more than {_MAX_PROGRAM} steps. Use smaller counts, or * and +."
            )
        self._program.append(way)
        return len(self._program) - 1


def _kind_of(char: str) -> _Before:
    if char == "\n":
        return "line"
    return "word" if is_word(char) else "other"


def _is_at(place: Place, before: _Before, char: str) -> bool:
    if place == "begin":
        return before == "begin"
    if place == "end":
        return char == ""
    if place == "line_begin":
        return before in {"begin", "line"}
    if place == "line_end":
        return char in {"", "\n"}
    edge = (before == "word") != (char != "" and is_word(char))
    return edge == (place == "word_edge")
