"""HTML from nested calls; texts are escaped, so nothing that was typed into a form becomes code."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

_EMPTY = frozenset({"input", "br", "hr", "img", "link", "meta"})


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Child = str | int | None | Iterable[Any]


def tag(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Markup:
    """An element. `class_` and `for_` lose their final underscore, others get hyphens for theirs;
    True is an attribute without a value, False and None leave it out."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{html.escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _EMPTY:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def join(children: Iterable[Child]) -> Markup:
    """Texts and elements one after the other."""
    return Markup("".join(map(_escaped, children)))


def _escaped(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str | int):
        return html.escape(str(child))
    return join(child)


def field(
    label: str,
    name: str,
    value: str = "",
    kind: str = "text",
    form_name: str = "field",
    **more: Any,
) -> Markup:
    """A labelled text field; `form_name` tells it from fields of its name in other forms."""
    key = f"{form_name}-{name}"
    box = tag("input", id=key, name=name, value=value, type=kind, **more)
    return tag("p", tag("label", label, for_=key), box, class_="field")


def area(label: str, name: str, value: str = "", rows: int = 4) -> Markup:
    """A labelled field of several lines."""
    key = f"field-{name}"
    box = tag("textarea", value, id=key, name=name, rows=rows)
    return tag("p", tag("label", label, for_=key), box, class_="field")


def choice(label: str, name: str, options: Iterable[tuple[str, str]], chosen: str = "") -> Markup:
    """A labelled list to choose from: values with their texts."""
    key = f"field-{name}"
    rows = [tag("option", text, value=value, selected=value == chosen) for value, text in options]
    return tag(
        "p", tag("label", label, for_=key), tag("select", rows, id=key, name=name), class_="field"
    )


def form(action: str, *children: Child, method: str = "post", button: str, **more: Any) -> Markup:
    """A form with its button."""
    submit = tag("button", button, type="submit")
    return tag("form", *children, submit, action=action, method=method, **more)


def table(head: Iterable[str], rows: Iterable[Iterable[Child]], caption: str = "") -> Markup:
    """A table with a head."""
    return tag(
        "table",
        tag("caption", caption) if caption else None,
        tag("thead", tag("tr", [tag("th", cell, scope="col") for cell in head])),
        tag("tbody", [tag("tr", [tag("td", cell) for cell in row]) for row in rows]),
    )


def link(address: str, text: Child) -> Markup:
    """A link."""
    return tag("a", text, href=address)
