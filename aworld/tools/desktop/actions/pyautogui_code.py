"""OSWorld's other action space: Python source that calls pyautogui. It is read, never run."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from aworld.errors import ToolError
from aworld.tools.desktop.actions import gestures
from aworld.tools.desktop.actions.computer_13 import SIGNALS
from aworld.tools.desktop.actions.gestures import Pieces, Screen
from aworld.tools.desktop.actions.pyautogui_calls import CALLS, Call

_MOST_SOURCE = 20_000
_MOST_PIECES = 400
_MOST_ITEMS = 10_000
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
_IGNORED = {"PAUSE", "FAILSAFE"}

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "code": {
            "type": "string",
            "description": (
                "Calls of pyautogui, such as pyautogui.click(200, 100); "
                "pyautogui.write('text'); pyautogui.hotkey('ctrl', 's'); time.sleep(1). Or one "
                "word: WAIT, DONE, FAIL."
            ),
        }
    },
    "required": ["code"],
}


def pieces_of(source: str, screen: Screen) -> Pieces | str:
    """What the source does, or one of the signals.

    Raises:
        ToolError: it is no Python, or uses something that is not carried out; the text says what.
    """
    bare = source.strip().strip("`").strip()
    if bare in SIGNALS:
        return bare
    if len(source) > _MOST_SOURCE:
        raise ToolError(f"The code has {len(source)} characters; at most {_MOST_SOURCE} are read.")
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ToolError(f"This is no Python: {error}. Write calls of pyautogui.") from None
    reader = _Reader(screen)
    try:
        reader.read_all(module.body)
    except RecursionError:
        raise ToolError("The code is nested too deeply. Write plain calls.") from None
    return reader.pieces


class _Reader:
    """Goes over the statements and gathers what they do."""

    def __init__(self, screen: Screen) -> None:
        self.pieces: Pieces = []
        self._screen = screen
        self._names: dict[str, Any] = {}

    def read_all(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self._read(statement)
            if len(self.pieces) > _MOST_PIECES:
                raise ToolError(
                    f"The code does more than {_MOST_PIECES} things at once. Do it in steps."
                )

    def _read(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Import() | ast.ImportFrom() | ast.Pass():
                return
            case ast.Expr(value=ast.Call() as call):
                self._call(call)
            case ast.Expr(value=ast.Constant()):
                return
            case ast.Assign(targets=[target], value=value):
                self._assign(target, value)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as call)], body=body):
                self._hold(call, body)
            case _:
                raise _refusal(statement)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                self._names[name] = self._value(value)
            case ast.Tuple(elts=names) if all(isinstance(name, ast.Name) for name in names):
                values = self._value(value)
                if not isinstance(values, list | tuple) or len(values) != len(names):
                    raise _refusal(target)
                for element, one in zip(names, values, strict=True):
                    assert isinstance(element, ast.Name)
                    self._names[element.id] = one
            case ast.Attribute(attr=name) if name in _IGNORED:
                return
            case _:
                raise _refusal(target)

    def _call(self, call: ast.Call) -> None:
        name = _name_of(call)
        if name not in CALLS:
            raise ToolError(
                f"{ast.unparse(call.func)!r} is not carried out here. Known: "
                f"{', '.join(sorted(CALLS))}."
            )
        self.pieces += CALLS[name](self._arguments(call), self._screen)

    def _hold(self, call: ast.Call, body: list[ast.stmt]) -> None:
        """`with pyautogui.hold('shift'):`"""
        if _name_of(call) != "hold":
            raise _refusal(call)
        keys = [
            key
            for one in self._arguments(call).positional
            for key in Call("hold", [one], {}).texts(0, "keys")
        ]
        self.pieces += [piece for key in keys for piece in gestures.hold_key(key)]
        self.read_all(body)
        self.pieces += [piece for key in reversed(keys) for piece in gestures.release_key(key)]

    def _arguments(self, call: ast.Call) -> Call:
        positional: list[Any] = []
        for argument in call.args:
            if isinstance(argument, ast.Starred):
                positional += list(self._value(argument.value))
            else:
                positional.append(self._value(argument))
        named = {k.arg: self._value(k.value) for k in call.keywords if k.arg is not None}
        return Call(_name_of(call), positional, named)

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in self._names:
                return self._names[name]
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self._value(item) for item in items]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._number(operand)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
                return self._calculated(type(sign), self._value(left), self._value(right))
            case _:
                raise _refusal(node)

    def _number(self, node: ast.expr) -> float:
        value = self._value(node)
        if not isinstance(value, int | float):
            raise _refusal(node)
        return value

    def _calculated(self, sign: type[ast.operator], left: Any, right: Any) -> Any:
        texts = isinstance(left, str) and isinstance(right, str) and sign is ast.Add
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        repeated = isinstance(left, str) and isinstance(right, int) and sign is ast.Mult
        if not (texts or numbers or (repeated and len(left) * right <= _MOST_ITEMS)):
            raise ToolError(f"{left!r} and {right!r} cannot be calculated with. Write the result.")
        if numbers and max(abs(left), abs(right)) > 10**9:
            raise ToolError("A number is too large for a screen. Write a smaller one.")
        try:
            return _OPERATORS[sign](left, right)
        except ZeroDivisionError:
            raise ToolError("The code divides by zero. Write the result.") from None


def _name_of(call: ast.Call) -> str:
    """`click` of `pyautogui.click` or of `click` alone; `sleep` of `time.sleep`."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="pyautogui" | "pag" | "pg" | "gui"), attr=name):
            return name
        case ast.Attribute(value=ast.Name(id="time"), attr="sleep") | ast.Name(id="sleep"):
            return "sleep"
        case ast.Name(id=name):
            return name
    return ast.unparse(call.func)


def _refusal(node: ast.AST) -> ToolError:
    shown = ast.unparse(node).splitlines()[0][:80]
    return ToolError(
        f"{shown!r} is not carried out here: only calls of pyautogui and time.sleep with plain "
        "values are. Write them one after the other, without loops, conditions or functions."
    )
