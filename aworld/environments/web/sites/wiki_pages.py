"""The wiki's pages, and its small mark-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby
from typing import Any
from urllib.parse import quote

from aworld.environments.web.sites.layout import Site, card, page
from aworld.environments.web.sites.markup import (
    Child,
    Markup,
    area,
    field,
    form,
    join,
    link,
    table,
    tag,
)

SITE = Site(
    "Valley Wiki",
    "wiki.test",
    "#7a3e2b",
    (("/", "All articles"), ("/new", "New article")),
    "/search",
)
_INLINE = re.compile(r"\[\[(?P<link>[^\]|]+)\]\]|'''(?P<bold>.+?)'''")
_SHOWN = 160


def path(what: str, title: str) -> str:
    """`/wiki/Lake_Orsen`."""
    return f"/{what}/{quote(title.replace(' ', '_'))}"


def home(titles: Iterable[str]) -> str:
    """All articles."""
    return page(SITE, "All articles", _list(titles))


def results(asked: str, found: Sequence[tuple[str, str]]) -> str:
    """What a search found."""
    rows = [
        tag("li", link(path("wiki", title), title), tag("p", _plain(text)[:_SHOWN], class_="soft"))
        for title, text in found
    ]
    count = tag("p", f"{len(found)} articles for “{asked}”")
    return page(SITE, "Search", count, tag("ul", rows))


def article(title: str, text: str, titles: Set[str], said: str = "") -> str:
    """An article."""
    tools = tag(
        "p", link(path("edit", title), "Edit"), " · ", link(path("history", title), "History")
    )
    return page(
        SITE, title, tools, tag("article", rendered(text, titles), class_="card"), notice=said
    )


def edit(title: str, text: str) -> str:
    """Its text in a form."""
    fields = (area("Text", "text", text, rows=14), field("What you changed", "summary", size=50))
    return page(SITE, f"Edit {title}", form(path("edit", title), *fields, button="Save article"))


def new(said: str = "") -> str:
    """The form for a new article."""
    fields = (field("Title", "title", size=50), area("Text", "text", rows=14))
    return page(SITE, "New article", form("/new", *fields, button="Save article"), notice=said)


def history(title: str, revisions: Iterable[Mapping[str, Any]]) -> str:
    """Its versions."""
    rows = [
        (
            link(f"{path('history', title)}/{each['id']}", f"Version {each['id']}"),
            each["date"],
            each["author"],
            each["summary"],
        )
        for each in revisions
    ]
    back = tag("p", link(path("wiki", title), "To the article"))
    head = ("Version", "Date", "Author", "What was changed")
    return page(SITE, f"History of {title}", back, table(head, rows))


def revision(title: str, shown: Mapping[str, Any], titles: Set[str]) -> str:
    """A version as it was."""
    restore = form(f"{path('history', title)}/{shown['id']}/restore", button="Restore this version")
    return page(
        SITE,
        f"{title}, version {shown['id']}",
        tag("p", f"Of {shown['date']}, by {shown['author']}.", class_="soft"),
        tag("article", rendered(shown["text"], titles), class_="card"),
        card("Restore", restore),
    )


def missing(title: str) -> str:
    """There is no such article."""
    said = tag("p", f"There is no article “{title}” yet. ", link("/new", "Write it"))
    return page(SITE, "Not found", said)


def rendered(text: str, titles: Set[str]) -> Markup:
    """The mark-up as HTML: `== Heading ==`, `* item`, `| cell |`, `[[link]]`, `'''bold'''`."""
    return join(_blocks(text, titles))


def _blocks(text: str, titles: Set[str]) -> Iterator[Markup]:
    for kind, lines in groupby(text.splitlines(), key=_kind):
        rows = list(lines)
        if kind == "heading":
            yield from (tag("h2", row.strip("= ")) for row in rows)
        elif kind == "item":
            yield tag("ul", [tag("li", _inline(row[1:].strip(), titles)) for row in rows])
        elif kind == "row":
            cells = [[cell.strip() for cell in row.strip("| ").split("|")] for row in rows]
            yield table(cells[0], cells[1:])
        elif kind == "text":
            yield tag("p", _inline(" ".join(rows), titles))


def _kind(line: str) -> str:
    if not line.strip():
        return ""
    starts = {"=": "heading", "*": "item", "|": "row"}
    return starts.get(line[0], "text")


def _inline(text: str, titles: Set[str]) -> Markup:
    parts: list[Child] = []
    end = 0
    for found in _INLINE.finditer(text):
        parts.append(text[end : found.start()])
        title = found["link"]
        if title is not None:
            parts.append(link(path("wiki", title), title) if title in titles else title)
        else:
            parts.append(tag("strong", found["bold"]))
        end = found.end()
    return join([*parts, text[end:]])


def _plain(text: str) -> str:
    return _INLINE.sub(lambda found: found["link"] or found["bold"], text)


def _list(titles: Iterable[str]) -> Markup:
    return tag("ul", [tag("li", link(path("wiki", title), title)) for title in titles])
