"""Playwright's errors as sentences for a model."""

from __future__ import annotations

import re

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_COVERED = re.compile(r"- (<[^\n]+?) intercepts pointer events")
_REASONS = (
    ("element is not visible", "The element is not visible. Scroll, or open what hides it."),
    ("element is not enabled", "The element is disabled. Do first what the page asks for."),
    ("element is not editable", "The element cannot be edited: it is read-only."),
    ("element is outside of the viewport", "The element is outside of the page's visible part."),
    ("element is not stable", "The element keeps moving."),
    ("did not find some options", "The list has no such option."),
    ("Element is not an <input>", "No text can be put into this element: it is no text field."),
    ("Element is not a <select>", "This element is no list to select from. Click it instead."),
    ("element is not a <select>", "This element is no list to select from. Click it instead."),
    ("Node is not an HTMLInputElement", "This element takes no files."),
    ("ERR_NAME_NOT_RESOLVED", "There is no host of that name."),
    ("ERR_TUNNEL_CONNECTION_FAILED", "The connection was refused, or its host does not answer."),
    ("ERR_EMPTY_RESPONSE", "The host answered nothing."),
    ("ERR_CONNECTION", "The host does not take the connection."),
    ("ERR_CERT", "The host's certificate is not valid."),
    ("ERR_SSL", "No secure connection to the host could be made."),
    ("ERR_TOO_MANY_REDIRECTS", "The page redirects for ever."),
    ("ERR_ABORTED", "The page was not loaded: it is a download, or another load took its place."),
    ("ERR_INVALID_URL", "The address is not valid."),
    ("crashed", "The page has crashed. Its tab was closed."),
    ("has been closed", "The tab has been closed."),
    ("Unknown key", "There is no key of that name. Use names like Enter, Tab, ArrowDown, a."),
)


def in_words(text: str) -> str:
    """What went wrong, and what to do."""
    plain = _COLOURS.sub("", text)
    covered = _COVERED.search(plain)
    if covered is not None:
        return f"Something lies over the element: {covered[1][:200]}. Close it first."
    for sign, sentence in _REASONS:
        if sign in plain:
            return sentence
    if "Timeout" in plain and "exceeded" in plain:
        return "The element could not be acted on in time: it is hidden, covered or disabled."
    first = plain.partition("\nCall log")[0].strip()
    return first.partition(": ")[2][:500] or first[:500]
