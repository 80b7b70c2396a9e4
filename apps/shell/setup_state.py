"""What the parent process has written about its children and about the first set-up."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

FILE = "processes.json"


def _written(home: Path) -> dict[str, Any]:
    """The whole file; empty where there is none, or where the parent that wrote it is gone."""
    try:
        data = json.loads((home / FILE).read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        return {}
    if not isinstance(data, dict) or not _is_alive(data.get("parent")):
        return {}
    return data


def _is_alive(parent: Any) -> bool:
    """Whether the parent process is there."""
    pid = parent.get("pid") if isinstance(parent, dict) else None
    if not isinstance(pid, int) or pid <= 0:
        return False
    if sys.platform == "win32":
        # os.kill would end it.
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def setup_state(home: Path) -> dict[str, Any]:
    """`{ready, steps: [{name, state, detail, progress}]}`.

    Without a parent process there is nothing to wait for: ready, no steps.
    """
    setup = _written(home).get("setup")
    if not isinstance(setup, dict):
        return {"ready": True, "steps": []}
    steps = [
        {
            "name": str(step.get("name", "")),
            "state": str(step.get("state", "waiting")),
            "detail": str(step.get("detail", "")),
            "progress": step.get("progress"),
        }
        for step in setup.get("steps", [])
    ]
    return {"ready": bool(setup.get("ready", False)), "steps": steps}


def processes(home: Path) -> list[dict[str, Any]]:
    """`[{name, state, pid, restarts, since, last_line}]` as the parent process last wrote it."""
    listed = _written(home).get("processes", [])
    return [
        {
            "name": str(one.get("name", "")),
            "state": str(one.get("state", "")),
            "pid": one.get("pid"),
            "restarts": int(one.get("restarts", 0)),
            "since": int(one.get("since", 0)),
            "last_line": str(one.get("last_line", "")),
        }
        for one in listed
    ]


def mode(home: Path, *, single_process: bool) -> str:
    """`single-process`; `embedded` under a parent process; else `cluster`."""
    if single_process:
        return "single-process"
    return "embedded" if _written(home) else "cluster"
