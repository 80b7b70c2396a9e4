"""What an episode's sites know: plain JSON, fresh for each episode."""

from __future__ import annotations

import copy
import functools
from importlib import resources
from typing import Any

import msgspec

State = dict[str, Any]
"""`{shop: {…}, desk: {…}, wiki: {…}}`."""

NAMES = ("shop", "desk", "wiki")
TODAY = "2024-03-04"


def fresh_state() -> State:
    """The state before anything was done."""
    return {name: copy.deepcopy(_data(name)) for name in NAMES}


@functools.cache
def _data(name: str) -> Any:
    file = resources.files(__package__) / "data" / f"{name}.json"
    return msgspec.json.decode(file.read_bytes())


def at_path(state: Any, path: str) -> Any:
    """What lies at `shop.orders.-1.lines`; a name in a list of things with an `id` finds that one.

    Raises:
        KeyError: nothing lies there.
    """
    for step in path.split("."):
        try:
            state = state[step] if isinstance(state, dict) else _item(state, step)
        except (KeyError, IndexError, TypeError):
            raise KeyError(path) from None
    return state


def _item(items: Any, step: str) -> Any:
    for item in items:
        if isinstance(item, dict) and str(item.get("id")) == step:
            return item
    return items[int(step)] if step.lstrip("-").isdigit() else items[step]


def changed_paths(before: Any, after: Any, path: str = "") -> list[str]:
    """The paths at which two states differ, as deep as they go."""
    if before == after:
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        keys = sorted({*before, *after})
        pairs = [(key, before.get(key), after.get(key)) for key in keys]
    elif _listed(before) and _listed(after):
        olds, news = ({str(i["id"]): i for i in items} for items in (before, after))
        pairs = [(key, olds.get(key), news.get(key)) for key in sorted({*olds, *news})]
    else:
        return [path]
    return [
        deeper
        for key, old, new in pairs
        for deeper in changed_paths(old, new, f"{path}.{key}" if path else key)
    ]


def _listed(items: Any) -> bool:
    """Whether it is a list of things that have an id each."""
    return isinstance(items, list) and all(isinstance(i, dict) and "id" in i for i in items)
