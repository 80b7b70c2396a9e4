"""Keys by pyautogui's names, as X calls them."""

from __future__ import annotations

import difflib

from aworld.errors import ToolError

_NAMED = {
    "enter": "Return", "return": "Return", "tab": "Tab", "esc": "Escape", "escape": "Escape",
    "space": "space", "backspace": "BackSpace", "delete": "Delete", "del": "Delete",
    "insert": "Insert", "home": "Home", "end": "End", "pageup": "Prior", "pgup": "Prior",
    "pagedown": "Next", "pgdn": "Next", "up": "Up", "down": "Down", "left": "Left",
    "right": "Right", "shift": "Shift_L", "shiftleft": "Shift_L", "shiftright": "Shift_R",
    "ctrl": "Control_L", "control": "Control_L", "ctrlleft": "Control_L",
    "ctrlright": "Control_R", "alt": "Alt_L", "altleft": "Alt_L", "altright": "Alt_R",
    "option": "Alt_L", "win": "Super_L", "winleft": "Super_L", "winright": "Super_R",
    "super": "Super_L", "meta": "Super_L", "command": "Super_L", "capslock": "Caps_Lock",
    "numlock": "Num_Lock", "scrolllock": "Scroll_Lock", "printscreen": "Print",
    "prtsc": "Print", "pause": "Pause", "menu": "Menu", "apps": "Menu", "add": "KP_Add",
    "subtract": "KP_Subtract", "multiply": "KP_Multiply", "divide": "KP_Divide",
    "decimal": "KP_Decimal",
}  # fmt: skip
_SIGNS = {
    " ": "space", "\n": "Return", "\t": "Tab", "!": "exclam", '"': "quotedbl",
    "#": "numbersign", "$": "dollar", "%": "percent", "&": "ampersand", "'": "apostrophe",
    "(": "parenleft", ")": "parenright", "*": "asterisk", "+": "plus", ",": "comma",
    "-": "minus", ".": "period", "/": "slash", ":": "colon", ";": "semicolon", "<": "less",
    "=": "equal", ">": "greater", "?": "question", "@": "at", "[": "bracketleft",
    "\\": "backslash", "]": "bracketright", "^": "asciicircum", "_": "underscore",
    "`": "grave", "{": "braceleft", "|": "bar", "}": "braceright", "~": "asciitilde",
}  # fmt: skip
_FUNCTION_KEYS = {f"f{number}": f"F{number}" for number in range(1, 25)}
_NUMBER_PAD = {f"num{number}": f"KP_{number}" for number in range(10)}
KNOWN = {**_NAMED, **_FUNCTION_KEYS, **_NUMBER_PAD}


def keysym(name: str) -> str:
    """X's name of a key.

    Raises:
        ToolError: there is no such key; the text names the nearest.
    """
    if name in _SIGNS:
        return _SIGNS[name]
    if len(name) == 1 and name.isascii() and name.isalnum():
        return name
    known = KNOWN.get(name.lower().replace("_", "").replace(" ", ""))
    if known is not None:
        return known
    near = difflib.get_close_matches(name.lower(), KNOWN, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else " Type other characters as text."
    raise ToolError(f"There is no key {name!r}.{hint}")
