"""Finding the run that a command means."""

from __future__ import annotations

from aworld.errors import ConfigurationError
from aworld.storage.base import RunFilter, RunRecord, Store

LATEST = "latest"


def find_run(store: Store, wanted: str) -> RunRecord:
    """A run by its id, the beginning or the end of its id, or `latest`.

    Raises:
        ConfigurationError: there is none, or several fit.
    """
    newest = store.list_runs(RunFilter(), order="newest", limit=2_000).runs
    if wanted == LATEST and newest:
        return newest[0]
    found = [record for record in newest if record.run_id == wanted]
    found = found or [
        record
        for record in newest
        if record.run_id.startswith(wanted) or record.run_id.endswith(wanted)
    ]
    if len(found) > 1:
        raise ConfigurationError(f"{len(found)} runs begin or end with {wanted!r}; give the id.")
    if not found:
        raise ConfigurationError(f"There is no run {wanted!r} in this AWORLD_HOME.")
    return found[0]
