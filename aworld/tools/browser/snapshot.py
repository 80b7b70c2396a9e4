"""A page as text: its accessibility tree, each element with a ref that actions are given."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence, Set
from typing import NamedTuple

_LINE = re.compile(
    r"^\s*- '?(?P<role>[a-z]+)(?: \"(?P<name>(?:[^\"\\]|\\.)*)\")?(?P<rest>.*)$",
)
_REF = re.compile(r"\[ref=((?:f\d+)?e\d+)\]")
REF = re.compile(r"^\[?(?:ref=)?((?:f\d+)?e\d+)\]?$")
_TEXT = re.compile(r"\]'?: (?P<text>.+)$")

FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"})
CONTROLS = FIELDS | {
    "button",
    "checkbox",
    "link",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "switch",
    "tab",
    "treeitem",
}
"""Roles of what is there to be acted on; a text inside a button is not another thing than it."""


class Element(NamedTuple):
    """An element of the tree."""

    ref: str
    role: str
    name: str
    """Its accessible name, else its own text."""
    facts: str = ""
    """What else its line says: `[checked]`, `(trash)`, what a field holds."""

    def __str__(self) -> str:
        shown = f" {self.name[:60]!r}" if self.name else ""
        return f"{self.role}{shown} [ref={self.ref}]"


def elements(tree: str) -> list[Element]:
    """The elements of a tree that have a ref, in its order."""
    found: list[Element] = []
    for line in tree.splitlines():
        parts = _LINE.match(line)
        ref = _REF.search(line)
        if parts is None or ref is None:
            continue
        name = (parts["name"] or "").replace('\\"', '"').replace("\\\\", "\\")
        if not name:
            text = _TEXT.search(line)
            name = text["text"].strip("\"'") if text else ""
        found.append(Element(ref[1], parts["role"], name, line[ref.end() :].strip(" ':")))
    return found


def fitting(target: str, tree: str, preferred: Set[str] = frozenset()) -> list[Element]:
    """The elements that a text means: `Submit`, `button Submit`, `button "Submit"`. Where it means
    several, those of the preferred roles go first, then those that can be acted on."""
    wanted = _plain(target)
    known = elements(tree)
    found = [each for each in known if wanted in _spellings(each)]
    if not found:
        found = [each for each in known if wanted == each.role]
    if not found:
        found = [each for each in known if len(wanted) > 2 and wanted in _plain(each.name)]
    for roles in (preferred, CONTROLS):
        acting = [each for each in found if each.role in roles]
        if acting:
            return acting
    return found


def nearest(target: str, tree: str, most: int = 3) -> Sequence[Element]:
    """The elements whose names are most like a text."""
    by_spelling: dict[str, Element] = {}
    for each in elements(tree):
        if each.name:
            for spelling in _spellings(each):
                by_spelling.setdefault(spelling, each)
    close = difflib.get_close_matches(_plain(target), by_spelling, n=most * 2, cutoff=0.4)
    return list(dict.fromkeys(by_spelling[spelling] for spelling in close))[:most]


def _spellings(element: Element) -> tuple[str, ...]:
    name = _plain(element.name)
    return (name, f"{element.role} {name}") if name else ()


def _plain(text: str) -> str:
    return re.sub(r"[\s\"'“”]+", " ", text).strip().lower()


def piece(text: str, offset: int, most: int) -> str:
    """A part of a long text, cut at a line's end, with a word on how to see the rest."""
    if not offset and len(text) <= most:
        return text
    end = offset + most
    if end < len(text):
        line = text.rfind("\n", offset, end)
        end = line + 1 if line > offset else end
        more = f"\n… {len(text) - end} characters more: offset {end} shows them."
    else:
        more = ""
    return text[offset:end].rstrip("\n") + more
