"""Which run a command means."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.command_line._runs import find_run
from aworld.errors import ConfigurationError
from aworld.runtime.launch import create_run
from aworld.storage.base import Store
from aworld.storage.sqlite import SqliteStore

FIRST = "01a2323f0000000000000000aaaa4842"
SECOND = "01a2323f0001000000000000bbbb4842"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = SqliteStore(tmp_path / "runs.sqlite3", tmp_path / "blobs")
    for run_id in (FIRST, SECOND):
        create_run(store, team={"name": "t"}, input="1 + 1?", source="script", run_id=run_id)
    return store


@pytest.mark.parametrize("wanted", [FIRST, "01a2323f0000", "aaaa4842"])
def test_a_run_is_named_by_its_id_or_the_beginning_or_end_of_it(store: Store, wanted: str) -> None:
    assert find_run(store, wanted).run_id == FIRST


@pytest.mark.parametrize("wanted", ["01a2323f", "4842"])
def test_words_that_fit_two_runs_are_refused(store: Store, wanted: str) -> None:
    with pytest.raises(ConfigurationError, match=f"2 runs begin or end with '{wanted}'"):
        find_run(store, wanted)


def test_a_run_that_is_not_there_is_said_to_be_missing(store: Store) -> None:
    with pytest.raises(ConfigurationError, match="There is no run 'ffff'"):
        find_run(store, "ffff")
