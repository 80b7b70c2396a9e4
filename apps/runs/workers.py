"""Processes with the runs that their workers drive."""

from __future__ import annotations

from typing import Any

from apps.runs.stores import run_store
from apps.shell.selectors import processes
from aworld.storage.base import RunFilter

MOST = 500


def processes_with_runs() -> list[dict[str, Any]]:
    """What the parent process runs, each with `runs: [run_id]`; workers elsewhere follow, known
    only by the runs they hold."""
    held = (
        run_store()
        .list_runs(RunFilter(statuses=("running", "paused")), order="newest", limit=MOST)
        .runs
    )
    by_worker: dict[str, list[str]] = {}
    for run in held:
        by_worker.setdefault(run.worker, []).append(run.run_id)
    listed = processes()
    rows = [{**process, "runs": _take(by_worker, process)} for process in listed]
    elsewhere = [
        {
            "name": worker or "?",
            "state": "running",
            "pid": None,
            "restarts": 0,
            "since": 0,
            "last_line": "",
            "runs": runs,
        }
        for worker, runs in sorted(by_worker.items())
    ]
    return rows + elsewhere


def _take(by_worker: dict[str, list[str]], process: dict[str, Any]) -> list[str]:
    """The runs of the worker with this process's id; a worker is named `host:pid`."""
    suffix = f":{process['pid']}"
    names = [name for name in by_worker if name.endswith(suffix)]
    return [run for name in names for run in by_worker.pop(name)]
