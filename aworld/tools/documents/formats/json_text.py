"""JSON, laid out to be read, and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from aworld.tools.documents.encodings import decode
from aworld.tools.documents.model import Opened, Wanted

_TYPES = {dict: "an object", list: "a list", str: "a string", bool: "a truth value"}
_MOST_PROBLEMS = 3


class JsonText(Opened):
    """One value, laid out over several lines."""

    kind = "json"
    title = "JSON"

    def __init__(self, data: bytes) -> None:
        super().__init__()
        text, encoding = decode(data)
        self.facts["Encoding"] = encoding
        try:
            value = json.loads(text)
            if max(map(len, text.splitlines()), default=0) > 200:
                text = json.dumps(value, ensure_ascii=False, indent=1)
        except RecursionError:
            self.notes.append("it nests too deeply to be checked.")
        except ValueError as error:
            self.notes.append(f"it is no valid JSON ({error}); it is shown as text.")
        else:
            self.facts["Value"] = _describe(value)
        self._lines = text.splitlines()

    def lines(self, part: int) -> Iterator[str]:
        """The laid out text."""
        return iter(self._lines)


class JsonLines(Opened):
    """One value a line."""

    kind = "jsonl"
    title = "JSON lines"

    def __init__(self, data: bytes) -> None:
        super().__init__()
        text, encoding = decode(data)
        self._lines = text.splitlines()
        self.facts = {"Encoding": encoding, "Lines": str(len(self._lines))}
        bad: list[str] = []
        first = True
        for number, line in enumerate(self._lines, 1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                bad.append(f"line {number} is no JSON ({error})")
                if len(bad) == _MOST_PROBLEMS:
                    break
            else:
                if first:
                    self.facts["First value"] = _describe(value)
                first = False
        self.notes += [f"{problem}." for problem in bad]

    def lines(self, part: int) -> Iterator[str]:
        """As they stand."""
        return iter(self._lines)


def _describe(value: Any) -> str:
    """`an object with 3 keys: a, b, c`."""
    name = _TYPES.get(type(value), "a number" if isinstance(value, int | float) else "null")
    if isinstance(value, dict):
        keys = ", ".join(list(value)[:20])
        count = f"{len(value)} key{'s' if len(value) != 1 else ''}"
        return f"{name} with {count}: {keys}{', …' if len(value) > 20 else ''}"
    if isinstance(value, list):
        return f"{name} of {len(value)}"
    return name


def open_document(data: bytes, wanted: Wanted) -> Opened:
    """JSON lines by their suffix, or where the whole is no single value."""
    if wanted.name.lower().endswith((".jsonl", ".ndjson")):
        return JsonLines(data)
    opened = JsonText(data)
    if not opened.facts.get("Value") and data.lstrip()[:1] == b"{" and data.count(b"\n{") > 0:
        lines = JsonLines(data)
        if not lines.notes:
            return lines
    return opened
