"""Runs with environments that come from elsewhere: old stores, and strangers' archives."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path
from typing import Any

import msgspec

from aworld.environments.record import environment_of, task_of, trusted, without_answers
from aworld.interchange.archive import read_archive, write_archive
from aworld.storage.base import RunRecord
from aworld.storage.sqlite import SqliteStore
from tests.environments.locked_box import Box, task
from tests.environments.test_episode_runs import RIGHT, is_identical, run_box
from tests.teams import sqlite


async def test_an_archived_episode_replays_identical_in_another_store(
    store: SqliteStore, box: type[Box], tmp_path: Path
) -> None:
    record, log = await run_box(store, RIGHT, task())
    file = io.BytesIO()
    write_archive(store, record.run_id, file)
    (tmp_path / "other").mkdir()
    other = sqlite(tmp_path / "other")
    imported = read_archive(other, file).record
    assert (imported.score, imported.environment) == (1.0, environment_of(task()))
    assert is_identical(other, imported, log)
    other.close()


async def test_a_strangers_task_keeps_only_what_this_machine_knows_of_it(box: type[Box]) -> None:
    harmful = task(folder="/etc", files=("passwd",), data={"number": 3})
    assert trusted(environment_of(harmful)) == environment_of(task())
    unknown = environment_of(msgspec.structs.replace(harmful, id="of-a-stranger"))
    bare = task_of(trusted(unknown))
    assert bare is not None
    assert (bare.folder, bare.files, bare.data) == ("", (), {})
    assert bare.question == harmful.question


def test_a_strangers_nonsense_becomes_an_empty_task() -> None:
    bare = task_of(trusted({"task": {"id": 3, "max_steps": "many"}}))
    assert bare is not None
    assert (bare.id, bare.max_steps) == ("3", None)
    assert trusted({}) == {}


def test_what_is_shown_of_a_task_holds_no_answers(box: type[Box]) -> None:
    shown = without_answers(environment_of(task()))
    assert shown["task"]["question"] == "Open the box and say what it holds."
    assert "pearl" not in str(shown)


def test_a_store_of_before_there_were_environments_is_brought_up_to_date(tmp_path: Path) -> None:
    made = sqlite(tmp_path)
    made.create_run(RunRecord(run_id="r", team_name="t", team={}, input="?"))
    made.close()
    _as_version_1(tmp_path / "runs.sqlite3")
    opened = sqlite(tmp_path)
    old = opened.get_run("r")
    assert (old.score, old.environment) == (None, {})
    kept: dict[str, Any] = {"kind": "box", "task": {}}
    opened.create_run(RunRecord(run_id="new", team_name="t", team={}, input="?", environment=kept))
    assert opened.get_run("new").environment == kept
    opened.close()


def _as_version_1(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("ALTER TABLE runs DROP COLUMN questions")
    connection.execute("ALTER TABLE runs DROP COLUMN score")
    connection.execute("ALTER TABLE run_inputs DROP COLUMN environment")
    connection.execute("PRAGMA user_version=1")
    connection.commit()
    connection.close()
