"""The accessibility tree as XML, in the tags and attributes of OSWorld's Ubuntu machine."""

from __future__ import annotations

import importlib
import os
import resource
import select
import signal
import time
import xml.etree.ElementTree as ElementTree
from typing import Any

_ROOT = "https://accessibility.ubuntu.example.org/ns"
NAMESPACES = {
    "st": f"{_ROOT}/state",
    "attr": f"{_ROOT}/attributes",
    "cp": f"{_ROOT}/component",
    "doc": f"{_ROOT}/document",
    "docattr": f"{_ROOT}/document/attributes",
    "txt": f"{_ROOT}/text",
    "val": f"{_ROOT}/value",
    "act": f"{_ROOT}/action",
}
_STATES = (
    "active", "checked", "collapsed", "editable", "enabled", "expandable", "expanded", "focusable",
    "focused", "modal", "multi_line", "pressed", "selectable", "selected", "sensitive", "showing",
    "visible",
)  # fmt: skip
_MOST_DEPTH = 50
_MOST_TEXT = 20_000
_MOST_LOOKED_AT = 30_000
"""Items, the hidden ones too: a table may say that it has millions."""
_MOST_MEMORY = 1 << 30
"""Bytes of addresses of one walk: an answer that never ends must not end the desktop."""


class Walker:
    """Makes one tree, up to a number of nodes."""

    def __init__(self, atspi: Any, *, showing: bool, most: int) -> None:
        self._atspi = atspi
        self._showing = showing
        self._left = most
        self._unseen = _MOST_LOOKED_AT
        self._states = {
            name: getattr(atspi.StateType, name.upper().replace("-", "_")) for name in _STATES
        }

    def desktop(self) -> ElementTree.Element:
        """The whole desktop."""
        root = ElementTree.Element("desktop-frame", name="main")
        desktop = self._atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            program = desktop.get_child_at_index(index)
            if program is None:
                continue
            node = ElementTree.SubElement(root, "application", name=_clean(program.get_name()))
            self._children(program, node, 1)
        if self._left < 0:
            root.set("cut", "true")
        return root

    def _children(self, parent: Any, node: ElementTree.Element, depth: int) -> None:
        if depth > _MOST_DEPTH:
            return
        for index in range(parent.get_child_count()):
            self._unseen -= 1
            if self._unseen < 0:
                self._left = -1
                return
            try:
                child = parent.get_child_at_index(index)
                if child is None:
                    continue
                states = child.get_state_set()
                if self._showing and not states.contains(self._states["showing"]):
                    continue
                self._left -= 1
                if self._left < 0:
                    return
                self._children(child, self._node(child, states, node), depth + 1)
            except self._atspi_error():
                # It went away while it was looked at.
                continue

    def _atspi_error(self) -> type[Exception]:
        error: type[Exception] = _gi("GLib").Error
        return error

    def _node(self, item: Any, states: Any, parent: ElementTree.Element) -> ElementTree.Element:
        tag = item.get_role_name().replace(" ", "-") or "unknown"
        node = ElementTree.SubElement(parent, tag, name=_clean(item.get_name()))
        for name, state in self._states.items():
            if states.contains(state):
                node.set(f"{{{NAMESPACES['st']}}}{name.replace('_', '-')}", "true")
        interfaces = item.get_interfaces()
        if "Component" in interfaces and node.get(f"{{{NAMESPACES['st']}}}showing") == "true":
            box = item.get_extents(self._atspi.CoordType.SCREEN)
            node.set(f"{{{NAMESPACES['cp']}}}screencoord", f"({box.x}, {box.y})")
            node.set(f"{{{NAMESPACES['cp']}}}size", f"({box.width}, {box.height})")
        if "Text" in interfaces:
            count = min(self._atspi.Text.get_character_count(item), _MOST_TEXT)
            text = _clean(self._atspi.Text.get_text(item, 0, count))
            # An object replacement character stands for what is a child of its own.
            node.text = text.replace("\ufffc", "")
        if "Value" in interfaces:
            value = self._atspi.Value.get_current_value(item)
            node.set(f"{{{NAMESPACES['val']}}}value", f"{value:g}")
        if "Action" in interfaces:
            for index in range(min(self._atspi.Action.get_n_actions(item), 5)):
                name = self._atspi.Action.get_action_name(item, index).replace(" ", "-")
                if name.isidentifier():
                    node.set(f"{{{NAMESPACES['act']}}}{name}_desc", "")
        return node


def _gi(name: str) -> Any:
    """A library of GNOME's, which only the system's own Python has."""
    importlib.import_module("gi").require_version(name, "2.0")
    return importlib.import_module(f"gi.repository.{name}")


def _clean(text: str | None) -> str:
    """Text without what XML cannot hold."""
    return "".join(c for c in text or "" if c >= " " or c in "\n\t")


class TreeFailed(Exception):
    """The tree could not be had."""


def tree(*, showing: bool, most: int, limit_s: float, environment: dict[str, str]) -> str:
    """The tree. A walk that broke, as one does where a program changes its windows meanwhile, is
    begun once more.

    Raises:
        TreeFailed: it took too long, or the walk broke again.
    """
    end = time.monotonic() + limit_s
    try:
        return _walked(showing, most, limit_s * 0.6, environment)
    except TreeFailed:
        left = end - time.monotonic()
        return _walked(showing, most, left, environment)


def _walked(showing: bool, most: int, limit_s: float, environment: dict[str, str]) -> str:
    """One walk, by a fork: a program that hangs would hang whoever asks it. The library is loaded
    once, before the first fork."""
    atspi = _gi("Atspi")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.environ.update(environment)
        _write_and_leave(atspi, writing, showing=showing, most=most)
    os.close(writing)
    try:
        answer = _read_all(reading, limit_s)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if not answer.startswith(b"<"):
        raise TreeFailed(answer.decode("utf-8", "replace") or "the walk over it broke")
    return answer.decode("utf-8", "replace")


def _write_and_leave(atspi: Any, writing: int, *, showing: bool, most: int) -> None:
    """Never returns: this is a fork, and what comes after belongs to its parent."""
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    try:
        answer = _dump(atspi, showing=showing, most=most)
    except Exception as fault:  # told to the parent, which decides
        answer = str(fault)
    with os.fdopen(writing, "wb") as out:
        out.write(answer.encode("utf-8", "replace"))
    os._exit(0)


def _read_all(reading: int, limit_s: float) -> bytes:
    end = time.monotonic() + limit_s
    answer = b""
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TreeFailed(f"a program did not answer within {limit_s:g} s")
        piece = os.read(reading, 1 << 20)
        if not piece:
            return answer
        answer += piece


def _dump(atspi: Any, *, showing: bool, most: int) -> str:
    for prefix, address in NAMESPACES.items():
        ElementTree.register_namespace(prefix, address)
    atspi.init()
    # What a program may take to answer, and to start, in milliseconds.
    atspi.set_timeout(800, 1500)
    root = Walker(atspi, showing=showing, most=most).desktop()
    return ElementTree.tostring(root, encoding="unicode")
