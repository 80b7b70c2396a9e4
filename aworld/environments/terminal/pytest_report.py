"""The outcome of each test, from what pytest prints with `-rA`."""

from __future__ import annotations

import re

_LINE = re.compile(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\s+(.+?)(?:\s+-\s.*)?$")
_SUMMARY = "short test summary info"


def outcomes(output: str) -> dict[str, str]:
    """Test to `passed`, `failed`, `error`, `skipped`, `xfail` or `xpass`; {} without a summary."""
    _, _, summary = output.rpartition(_SUMMARY)
    if _SUMMARY not in output:
        return {}
    found: dict[str, str] = {}
    for line in summary.splitlines():
        match = _LINE.match(line.strip())
        if match is not None:
            name = match[2].rpartition("::")[2]
            # A test that failed once has failed.
            if found.get(name, "passed") == "passed":
                found[name] = match[1].lower()
    return found
