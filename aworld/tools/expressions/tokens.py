"""Cuts an expression into tokens, and brings the many ways to write a sign to one."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from aworld.errors import ToolError

Kind = Literal["number", "name", "sign", "end"]

LONGEST = 4000
"""Characters that an expression may have."""

_SIGNS = {
    "×": "*",
    "·": "*",
    "∗": "*",
    "⋅": "*",
    "÷": "/",
    "∕": "/",
    "−": "-",
    "–": "-",
    "^": "**",
    "＋": "+",
    "－": "-",
    "＊": "*",
    "／": "/",
    "（": "(",
    "）": ")",
    "，": ",",
    "＝": "==",
    "=": "==",
    "≠": "!=",
    "<>": "!=",
    "≤": "<=",
    "≥": ">=",
    "＜": "<",
    "＞": ">",
    "∧": "and",
    "&": "and",
    "&&": "and",
    "∨": "or",
    "|": "or",
    "||": "or",
    "¬": "not",
    "~": "not",
    "→": "implies",
    "⇒": "implies",
    "->": "implies",
    "=>": "implies",
    "↔": "iff",
    "⇔": "iff",
    "<->": "iff",
    "<=>": "iff",
    "[": "(",
    "]": ")",
}
_WORDS = frozenset({"and", "or", "not", "implies", "iff", "of"})
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TOKEN = re.compile(
    r"""(?P<grouped>\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?)
      | (?P<number>(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<superscript>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
      | (?P<name>[^\W\d](?:(?![⁰¹²³⁴⁵⁶⁷⁸⁹⁻])\w)*)
      | (?P<sign><->|<=>|\*\*|//|<=|>=|==|!=|<>|&&|\|\||->|=>|[-+*/%^()\[\],<>=!&|~√]
          |[×·∗⋅÷∕−–＋－＊／（），＝≠≤≥＜＞∧∨¬→⇒↔⇔])""",
    re.VERBOSE,
)


class Token(msgspec.Struct, frozen=True):
    """One token: its text in its one spelling, and where it stands."""

    kind: Kind
    text: str
    start: int
    end: int


def tokens(source: str) -> list[Token]:
    """All tokens, and one of kind `end`.

    Raises:
        ToolError: a character means nothing here, or the text is too long.
    """
    if len(source) > LONGEST:
        raise ToolError(
            f"The expression has {len(source)} characters; at most {LONGEST} are allowed. "
            "Split it into parts."
        )
    found: list[Token] = []
    calls: list[bool] = []
    position = 0
    while True:
        position += len(source[position:]) - len(source[position:].lstrip())
        if position == len(source):
            found.append(Token("end", "", position, position))
            return found
        match = _TOKEN.match(source, position)
        if match is None:
            raise ToolError(
                f"The character {source[position]!r} in {source!r} means nothing here. Write "
                "numbers, + - * / // % ** ( ) and functions such as sqrt(2)."
            )
        if match.lastgroup == "grouped" and any(calls):
            # Between the parentheses of a call a comma parts arguments: min(1,200).
            match = re.compile(r"(?P<number>\d+)").match(source, position)
            assert match is not None
        _add(found, match)
        _track(calls, found)
        position = match.end()


def _add(found: list[Token], match: re.Match[str]) -> None:
    text, start, end = match[0], match.start(), match.end()
    if match.lastgroup in ("number", "grouped"):
        found.append(Token("number", text.replace(",", "").replace("_", ""), start, end))
    elif match.lastgroup == "superscript":
        # x² is x**2, x⁻¹ is x**(-1).
        found.append(Token("sign", "**", start, start))
        digits = text.translate(_SUPERSCRIPTS)
        if digits.startswith("-"):
            found.append(Token("sign", "-", start, start))
        found.append(Token("number", digits.lstrip("-"), start, end))
    elif match.lastgroup == "name" and text.lower() not in _WORDS:
        found.append(Token("name", text, start, end))
    else:
        word = text.lower() if match.lastgroup == "name" else _SIGNS.get(text, text)
        found.append(Token("sign", word, start, end))


def _track(calls: list[bool], found: list[Token]) -> None:
    """Keep, for each open parenthesis, whether it is a call's."""
    if found[-1].text == "(":
        calls.append(len(found) > 1 and found[-2].kind == "name")
    elif found[-1].text == ")" and calls:
        calls.pop()
