"""What can be asked of any opened document: its facts, its text part by part, where a text is."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator

from aworld.tools.documents.model import (
    LONGEST_LINE,
    MOST_BYTES,
    DocumentError,
    Opened,
    Produced,
    Reply,
    Wanted,
    label_of,
)

CPU_SECONDS = 20.0
"""After which a search stops and says how far it came."""
_MOST_HITS = 60
_MOST_LISTED = 60
_MOST_PICTURES = 4
_MOST_LINES = 200_000
_ROUND_HIT = 240
_TOLD = ("Title", "Author", "Artist", "Album", "Description", "Subject")
"""Facts that an index keeps."""


def describe(opened: Opened, name: str) -> list[str]:
    """The head of every answer: what it is, its parts, its facts, its notes."""
    count = len(opened.labels)
    parts = f", {count} {opened.unit}{'s' if count != 1 else ''}" if opened.unit else ""
    lines = [f"{name}: {opened.title}{parts}"]
    lines += [f"{fact}: {value}" for fact, value in opened.facts.items() if value]
    lines += opened.summary()
    return lines + [f"Note: {note}" for note in opened.notes]


def info(opened: Opened, wanted: Wanted) -> Reply:
    """Facts alone."""
    return Reply("\n".join(describe(opened, wanted.name)), opened.kind, _data(opened))


def read(opened: Opened, wanted: Wanted) -> Reply:
    """The text of the parts that are wanted, up to a limit that says how to go on."""
    parts = selected(opened, wanted.pages)
    out = _Shown(wanted.most_characters)
    pictures: list[Produced] = []
    body: list[str] = []
    for place, part in enumerate(parts):
        first = wanted.first_line if place == 0 else 1
        label = label_of(opened, part)
        shown = out.take(opened.lines(part), first, wanted.lines)
        if label:
            body.append(f"[{label}]")
        body += shown
        body += opened.appendix()
        if len(pictures) < _MOST_PICTURES:
            pictures += opened.pictures(part)[: _MOST_PICTURES - len(pictures)]
        if not shown and first > 1:
            body.append(f"(there is no line {first})")
        if out.cut_at:
            body.append(_how_to_go_on(opened, parts[place:], out.cut_at, wanted))
            break
    text = "\n".join([*describe(opened, wanted.name), "", *body]).rstrip()
    if pictures:
        text += f"\n({len(pictures)} picture{'s' if len(pictures) > 1 else ''} attached)"
    return Reply(text, opened.kind, _data(opened), tuple(pictures))


class _Shown:
    """Counts what has been shown."""

    def __init__(self, most: int) -> None:
        self._left = most
        self.cut_at = 0
        """The line at which there was no more room; 0 where all was shown."""

    def take(self, lines: Iterable[str], first: int, count: int) -> list[str]:
        taken: list[str] = []
        for number, line in enumerate(lines, 1):
            if number < first:
                continue
            if count and number >= first + count:
                break
            shown = shortened(line)
            if len(shown) + 1 > self._left and (taken or self._left < LONGEST_LINE):
                self.cut_at = number
                break
            self._left -= len(shown) + 1
            taken.append(shown)
        return taken


def shortened(line: str) -> str:
    """A line up to a length."""
    if len(line) <= LONGEST_LINE:
        return line
    return f"{line[:LONGEST_LINE]}… (cut: {len(line)} characters)"


def _how_to_go_on(opened: Opened, rest: list[int], line: int, wanted: Wanted) -> str:
    where = f"first_line={line}"
    if opened.unit and len(opened.labels) > 1:
        name = opened.labels[rest[0]]
        pages = name or (f"{rest[0] + 1}-" if len(rest) > 1 else str(rest[0] + 1))
        where = f"pages={pages!r} and {where}"
    more = len(rest) - 1
    left = f"; {more} more {opened.unit}{'s' if more > 1 else ''} follow" if more else ""
    return (
        f"… cut at line {line}{left}. Go on with {where}"
        f"{', or look for something with the action find' if wanted.action == 'read' else ''}."
    )


def find(opened: Opened, wanted: Wanted) -> Reply:
    """Where a text stands, ignoring case and the breaks of lines inside it."""
    pattern = _pattern(wanted.text)
    hits: list[dict[str, object]] = []
    give_up = time.process_time() + CPU_SECONDS
    parts = selected(opened, wanted.pages) if wanted.pages else list(range(len(opened.labels)))
    ended = ""
    for place, part in enumerate(parts):
        lines = _until(give_up, opened.lines(part))
        for line, text in matches(lines, pattern):
            hits.append({"part": label_of(opened, part), "line": line, "text": text})
            if len(hits) >= _MOST_HITS:
                ended = f"… only the first {_MOST_HITS} places are shown."
                break
        opened.appendix()
        if not ended and time.process_time() > give_up:
            where = f" in {label_of(opened, part)}" if opened.unit else ""
            left = len(parts) - place - 1
            ended = f"… time was up{where}; {left} more were not searched. Name pages or a range."
        if ended:
            break
    rows = [f"{_at(hit['part'], hit['line'])}: {hit['text']}" for hit in hits]
    head = f"{wanted.text!r} stands at {len(hits)} place{'s' if len(hits) != 1 else ''}"
    text = "\n".join([f"{head} of {wanted.name}.", *rows, *([ended] if ended else [])])
    return Reply(text, opened.kind, {**_data(opened), "hits": hits})


def _until(give_up: float, lines: Iterable[str]) -> Iterator[str]:
    """The lines that come before the time is up."""
    for number, line in enumerate(lines):
        if number % 256 == 0 and time.process_time() > give_up:
            return
        yield line


def matches(lines: Iterable[str], pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """`(line, what stands round the match)`. A match may go on in the line after."""
    before = ""
    number = 0
    for number, line in enumerate(lines, 1):
        found = pattern.search(line)
        if found is not None:
            yield number, _round(line, found)
        elif before:
            both = f"{before} {line}"
            found = pattern.search(both)
            if found is not None and found.start() < len(before) < found.end():
                yield number - 1, _round(both, found)
        before = "" if found is not None else line


def _pattern(text: str) -> re.Pattern[str]:
    words = text.split()
    if not words:
        raise DocumentError("The text to find is empty.")
    return re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)


def _round(line: str, found: re.Match[str]) -> str:
    start = max(0, found.start() - _ROUND_HIT // 2)
    end = min(len(line), found.end() + _ROUND_HIT // 2)
    return f"{'…' if start else ''}{line[start:end].strip()}{'…' if end < len(line) else ''}"


def _at(part: object, line: object) -> str:
    return f"{part}, line {line}" if part else f"line {line}"


def passages(opened: Opened, wanted: Wanted) -> Reply:
    """All text for an index: `data["parts"]` is a list of `[label, [line, …]]`."""
    about = [f"{name}: {opened.facts[name]}" for name in _TOLD if opened.facts.get(name)]
    found: list[list[object]] = [["about the file", about]] if about else []
    left, count = wanted.most_characters, 0
    give_up = time.process_time() + CPU_SECONDS
    for part in range(len(opened.labels)):
        lines: list[str] = []
        for line in _until(give_up, opened.lines(part)):
            lines.append(line[:LONGEST_LINE])
            left -= len(lines[-1]) + 1
            count += 1
            if left < 0 or count > _MOST_LINES:
                break
        opened.appendix()
        found.append([label_of(opened, part), lines])
        if left < 0 or count > _MOST_LINES:
            break
    in_time = time.process_time() < give_up
    whole = left >= 0 and count <= _MOST_LINES and in_time
    return Reply("", opened.kind, {"parts": found, "whole": whole})


def extract(opened: Opened, wanted: Wanted) -> Reply:
    """The files and pictures inside."""
    files: list[Produced] = []
    size = 0
    for file in opened.embedded():
        if wanted.pages and wanted.pages not in (file.name, file.name.split("/")[-1]):
            continue
        size += len(file.data)
        if size > MOST_BYTES:
            raise DocumentError(
                f"{wanted.name!r} holds more than {MOST_BYTES} bytes. Extract single members, with "
                "pages='name'."
            )
        files.append(file)
    if not files:
        what = f"no member {wanted.pages!r}" if wanted.pages else "nothing that can be extracted"
        raise DocumentError(f"{wanted.name!r} has {what}.")
    return Reply("", opened.kind, {"notes": opened.notes}, tuple(files))


def selected(opened: Opened, pages: str) -> list[int]:
    """The parts that a text such as `2-5,9` names, from 0.

    Raises:
        DocumentError: there is no such part; the text says which there are.
    """
    if not pages.strip():
        return list(opened.shown_by_default())
    if pages in opened.labels:
        return [opened.labels.index(pages)]
    folded = [label.casefold() for label in opened.labels]
    if pages.strip().casefold() in folded:
        return [folded.index(pages.strip().casefold())]
    chosen: list[int] = []
    for piece in pages.split(","):
        chosen += _range(opened, piece.strip(), folded)
    return list(dict.fromkeys(chosen))


def _range(opened: Opened, piece: str, folded: list[str]) -> list[int]:
    count = len(opened.labels)
    if piece.casefold() in folded and piece:
        return [folded.index(piece.casefold())]
    found = re.fullmatch(r"(\d{1,9})\s*(-\s*(\d{1,9})?)?", piece)
    if found is None:
        raise DocumentError(_no_such(opened, piece))
    first = int(found[1])
    last = first if found[2] is None else int(found[3] or count)
    if not 1 <= first <= count or last < first:
        raise DocumentError(_no_such(opened, piece))
    return list(range(first - 1, min(last, count)))


def _no_such(opened: Opened, piece: str) -> str:
    unit = opened.unit or "part"
    count = len(opened.labels)
    names = [label for label in opened.labels if label][:_MOST_LISTED]
    known = f": {', '.join(map(repr, names))}" if names else ""
    return (
        f"There is no {unit} {piece!r}. The document has {count} {unit}{'s' if count != 1 else ''}"
        f"{known}. Give pages like '3', '2-5,9' or '7-'."
    )


def _data(opened: Opened) -> dict[str, object]:
    """What the answer has as JSON."""
    labels = [label for label in opened.labels if label][:_MOST_LISTED]
    return {
        "kind": opened.kind,
        "parts": len(opened.labels),
        **({"labels": labels} if labels else {}),
        "facts": opened.facts,
    }
