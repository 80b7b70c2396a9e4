"""A logpoint's message: text with `{field}`s, such as `{agent} failed: {error}`."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from aworld.errors import ConfigurationError
from aworld.runtime.condition_fields import FIELDS, Get, getter
from aworld.runtime.condition_parser import parse_tree
from aworld.runtime.condition_tokens import ConditionError
from aworld.runtime.condition_tree import Count, Field, Has
from aworld.runtime.conditions import count_query
from aworld.runtime.run_facts import Facts

MAX_TEMPLATE: Final = 2_000
"""Characters of a template."""
MAX_VALUE: Final = 200
"""Characters of one value in a message."""
MAX_NOTE: Final = 1_000
"""Characters of a whole message."""
MISSING: Final = "–"
"""Stands for what the event does not have."""

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class LogTemplate:
    """A message to be filled in. `{{` and `}}` stand for the braces themselves."""

    def __init__(self, text: str) -> None:
        """Raises ConfigurationError where a brace is left open or a field is unknown."""
        if len(text) > MAX_TEMPLATE:
            raise ConfigurationError(
                f"The message has {len(text)} characters; {MAX_TEMPLATE} are allowed."
            )
        self.text = text
        self.of_run = False
        """Whether it tells of the run so far."""
        self._pieces: list[str | Get] = []
        at = 0
        for found in _PIECE.finditer(text):
            self._pieces += [text[at : found.start()], self._piece(found)]
            at = found.end()
        self._pieces.append(text[at:])

    def fill(self, facts: Facts) -> str:
        """The message for one event; what is too long is cut, with an ellipsis."""
        pieces = (p if isinstance(p, str) else _shown(p(facts)) for p in self._pieces)
        return _cut("".join(pieces), MAX_NOTE)

    def _piece(self, found: re.Match[str]) -> str | Get:
        if found[0] in {"{{", "}}"}:
            return found[0][0]
        where = f"The message {self.text!r} cannot be read at character {found.start() + 1}: "
        if found[1] is None:
            raise ConfigurationError(f"{where}{found[0]!r} stands alone. Write it twice.")
        try:
            tree = parse_tree(found[1])
        except ConditionError as error:
            raise ConfigurationError(where + error.why) from error
        if isinstance(tree, Has) and isinstance(tree.operand, Field):
            field = tree.operand
            self.of_run = self.of_run or FIELDS[field.name].of_run
            return getter(field.name, field.path)
        if isinstance(tree, Has) and isinstance(tree.operand, Count):
            self.of_run = True
            query = count_query(tree.operand)
            return lambda facts: facts.run.count(query)
        raise ConfigurationError(f"{where}expected a field or count(…), found {found[1]!r}.")


def _shown(value: Any) -> str:
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        return _cut(value, MAX_VALUE)
    return _cut(msgspec.json.encode(value).decode("utf-8"), MAX_VALUE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
