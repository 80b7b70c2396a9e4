"""WebArena's checks, and ours on the server's state. Each gives whether it holds, with its reason.

The answer is compared as WebArena does: without the space and quotes around it, in lower case.
Where WebArena asks a language model (`fuzzy_match`), only `N/A` can be judged here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from aworld.environments.web.sites.state import State, at_path, changed_paths
from aworld.environments.web.webarena import place_of

_OR = " |OR| "


class Finding(msgspec.Struct, frozen=True):
    """What one check found."""

    check: str
    holds: bool
    why: str


def clean(answer: str) -> str:
    """An answer as it is compared."""
    text = answer.strip()
    for quote in ("'", '"'):
        if len(text) > 1 and text.startswith(quote) and text.endswith(quote):
            text = text[1:-1]
            break
    return text.lower()


def check_answer(answer: str, references: Mapping[str, Any]) -> list[Finding]:
    """`string_match`: all of `exact_match`, `must_include`, `fuzzy_match`."""
    findings: list[Finding] = []
    for kind, wanted in references.items():
        if kind == "must_include":
            alone = len(wanted) == 1
            findings += [
                _finding("string_match", _includes(part, answer, alone=alone), f"has {part!r}")
                for part in wanted
            ]
        else:
            text = wanted if isinstance(wanted, str) else " ".join(wanted)
            findings.append(_finding("string_match", clean(answer) == clean(text), f"is {text!r}"))
    return findings


def check_address(address: str, wanted: str) -> Finding:
    """`url_match`: the path begins as one of the wanted, and its query has their values."""
    targets = [urlsplit(place_of(each).rstrip("/")) for each in wanted.split(_OR)]
    seen = urlsplit(address.rstrip("/"))
    path = f"{seen.netloc}{seen.path}".rstrip("/")
    holds = any(f"{each.netloc}{each.path}".rstrip("/") in path for each in targets)
    values: dict[str, set[str]] = {}
    for each in targets:
        for key, found in parse_qs(each.query).items():
            values.setdefault(key, set()).update(found)
    given = parse_qs(seen.query)
    holds = holds and all(accepted & set(given.get(key, [])) for key, accepted in values.items())
    return _finding("url_match", holds, f"the address is {wanted!r}", f"it is {address!r}")


def check_content(content: str, required: Mapping[str, Any], where: str) -> list[Finding]:
    """`program_html`: what a page, or an element of it, must have."""
    text = html.unescape(content)
    findings = []
    if "exact_match" in required:
        wanted = required["exact_match"]
        holds = clean(text) == clean(wanted)
        findings.append(
            _finding("program_html", holds, f"{where} is {wanted!r}", f"it is {text[:200]!r}")
        )
    for part in required.get("must_include", ()):
        holds = any(clean(each) in clean(text) for each in part.split(_OR))
        findings.append(_finding("program_html", holds, f"{where} has {part!r}"))
    return findings


def check_state(before: State, after: State, wanted: Mapping[str, Any]) -> list[Finding]:
    """`server_state`: `{holds: [{path, equals | matches}], may_change: [path]}`; what is not below
    one of `may_change` must be as before."""
    findings = [_holds(after, each) for each in wanted["holds"]]
    allowed = [each["path"] for each in wanted["holds"]] + list(wanted.get("may_change", ()))
    others = [
        path for path in changed_paths(before, after) if not _below(path, _resolved(after, allowed))
    ]
    findings.append(
        _finding(
            "server_state",
            not others,
            "nothing else was changed",
            f"changed: {', '.join(others[:5])}",
        )
    )
    return findings


def _holds(state: State, wanted: Mapping[str, Any]) -> Finding:
    path = wanted["path"]
    try:
        found = at_path(state, path)
    except KeyError:
        return Finding("server_state", False, f"{path} is not there")
    if "equals" in wanted:
        holds = found == wanted["equals"]
        return _finding("server_state", holds, f"{path} is as wanted", f"it is {_short(found)}")
    holds = re.search(wanted["matches"], str(found), re.DOTALL) is not None
    what = f"{path} matches {wanted['matches']!r}"
    return _finding("server_state", holds, what, f"it is {_short(found)}")


def _resolved(state: State, paths: Iterable[str]) -> list[str]:
    """Paths with the ids of things in the place of their positions: `orders.-1` → `orders.1007`."""
    resolved = []
    for path in paths:
        steps: list[str] = []
        current: Any = state
        for step in path.split("."):
            try:
                current = at_path(current, step)
            except KeyError:
                steps.append(step)
                break
            has_id = isinstance(current, dict) and "id" in current
            steps.append(str(current["id"]) if has_id else step)
        resolved.append(".".join(steps))
    return resolved


def _below(path: str, allowed: Sequence[str]) -> bool:
    return any(path == each or path.startswith(f"{each}.") for each in allowed)


def _includes(part: str, answer: str, *, alone: bool) -> bool:
    wanted, given = clean(part), clean(answer)
    if alone and len(wanted) == 1:
        # One character would be found in nearly every answer.
        return wanted in re.findall(r"\w+|[^\w\s]", given)
    return wanted in given


def _finding(check: str, holds: bool, wanted: str, found: str = "") -> Finding:
    if holds:
        return Finding(check, True, f"Yes: {wanted}.")
    return Finding(check, False, f"No: {wanted}" + (f"; {found}." if found else "."))


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else f"{text[:200]}…"
