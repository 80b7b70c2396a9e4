"""Runs one metric: a request in JSON on standard input, the score as the last line of output."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from aworld.environments.desktop.metrics.registry import find

FILE = "$file"
"""The key of an object that stands for a file: its value is a path in the current folder."""
PART = "part"
"""Its second key: which part of the content is the value, "" for the path."""


def main() -> None:
    """Read, judge, answer `{score}` or `{problem}`; a metric's own printing goes nowhere."""
    request = json.load(sys.stdin)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout = nowhere
        said = judge(request)
    answer.write(json.dumps(said) + "\n")
    answer.flush()


def judge(request: dict[str, Any]) -> dict[str, Any]:
    """The score of a request, or what went wrong, as `kind: words`."""
    measure = find(request["func"])
    try:
        values = [_value(request["result"])]
        if "expected" in request:
            values.append(_value(request["expected"]))
        return {"score": float(measure(*values, **request["options"]))}
    except NotImplementedError as error:
        return {"unsupported": str(error) or "a part of this metric is not there"}
    except Exception as error:  # what the result's author wrote may break any reader
        return {"problem": f"{type(error).__name__}: {error}"[:500]}


def _value(given: Any) -> Any:
    if isinstance(given, dict) and set(given) == {FILE, PART}:
        return _last_row(given[FILE]) if given[PART] == "last_row" else given[FILE]
    if isinstance(given, list):
        return [_value(one) for one in given]
    return given


def _last_row(path: str) -> list[str]:
    """A spreadsheet's last row as texts, as pandas shows them."""
    import pandas

    return list(map(str, pandas.read_excel(path).iloc[-1].astype(str)))
