"""Long texts, a page at a time.

The model gets the first page and a reference, such as `result:5f0c2ab1`; the tool `read_result`
gives the others. The whole text goes with the result as a file, so it is in the run's log: it can
be read on after a restart, by a fork, and by a person.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict

import msgspec

from aworld.errors import ToolError
from aworld.tools.base import Attachment, ToolContext, ToolResult

PAGE_CHARACTERS = 20_000
"""Length of one page; the last lines of it may go to the next, so that none is torn."""
MOST_CHARACTERS = 10_000_000
"""Length of a text that is kept; what goes beyond is cut, and the last page says so."""
_MOST_REMEMBERED = 64
_NOTE_CHARACTERS = 200
"""Room on a page for the note on where it stands."""
_MORE = re.compile(r"\[result:[0-9a-f]{8} page \d+ of \d+; the next one: [^\n]*\]$")
_TORN_LINE = PAGE_CHARACTERS // 10

_remembered: OrderedDict[tuple[str, str, str], str] = OrderedDict()


def file_name(reference: str) -> str:
    """The attachment that holds a result's whole text."""
    return f"result-{reference}.txt"


def pages(text: str) -> list[str]:
    """The text in pages; each ends with a line's end where there is one near."""
    found: list[str] = []
    start = 0
    while start < len(text):
        end = start + PAGE_CHARACTERS - _NOTE_CHARACTERS
        if end < len(text):
            line_end = text.rfind("\n", end - _TORN_LINE, end)
            end = line_end + 1 if line_end >= 0 else end
        found.append(text[start:end])
        start = end
    return found or [""]


def first_page(result: ToolResult, context: ToolContext) -> ToolResult:
    """The result with its text on one page; a long text is attached and remembered."""
    if len(result.text) <= PAGE_CHARACTERS:
        return result
    text = result.text
    if len(text) > MOST_CHARACTERS:
        text = text[:MOST_CHARACTERS] + f"\n… cut: {len(text) - MOST_CHARACTERS} characters more."
    data = text.encode()
    # Of the text alone, so that a replay gives the same.
    reference = hashlib.blake2b(data, digest_size=4).hexdigest()
    _remember(_key(context, reference), text)
    whole = Attachment(file_name(reference), "text/plain; charset=utf-8", data)
    return msgspec.structs.replace(
        result, text=page_text(reference, text, 1), attachments=(*result.attachments, whole)
    )


def has_more(text: str) -> bool:
    """Whether a text is a page that another follows."""
    return _MORE.search(text[-_NOTE_CHARACTERS:]) is not None


def page_text(reference: str, text: str, number: int) -> str:
    """One page, and where it stands.

    Raises:
        ToolError: the text has no such page.
    """
    all_pages = pages(text)
    if number > len(all_pages):
        raise ToolError(
            f"The result 'result:{reference}' has {len(all_pages)} pages, so there is no page "
            f"{number}."
        )
    where = f"result:{reference} page {number} of {len(all_pages)}"
    if number < len(all_pages):
        more = f'read_result(reference="result:{reference}", page={number + 1})'
        where = f"{where}; the next one: {more}"
    page = all_pages[number - 1]
    return f"{page}{'' if page.endswith(chr(10)) else chr(10)}[{where}]"


async def whole_text(context: ToolContext, reference: str) -> str:
    """The text of a reference that an earlier call of this run gave.

    Raises:
        ToolError: there is none.
    """
    key = _key(context, reference)
    if key in _remembered:
        _remembered.move_to_end(key)
        return _remembered[key]
    data = None
    if context.recorded_file is not None:
        data = await context.recorded_file(file_name(reference))
    if data is None:
        raise ToolError(
            f"There is no result 'result:{reference}' in this run. Give the reference as it "
            "stands at the end of a long result, or make the call again."
        )
    text = data.decode("utf-8", "replace")
    _remember(key, text)
    return text


def shortened(text: str) -> str:
    """An error's text, its middle left out where it is longer than a page."""
    if len(text) <= PAGE_CHARACTERS:
        return text
    half = PAGE_CHARACTERS // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n… cut: {left_out} characters are left out here …\n{text[-half:]}"


def _key(context: ToolContext, reference: str) -> tuple[str, str, str]:
    # One run must not read what another's tools gave.
    return context.run_id, context.workspace, reference


def _remember(key: tuple[str, str, str], text: str) -> None:
    _remembered[key] = text
    _remembered.move_to_end(key)
    while len(_remembered) > _MOST_REMEMBERED:
        _remembered.popitem(last=False)
