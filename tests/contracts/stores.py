"""The stores that the contract is checked on, and what its tests write into them."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from aworld.config import Config
from aworld.events.action import ToolCalled, ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import RunCreated, RunFinished, RunStarted
from aworld.events.union import AnyPayload, Event
from aworld.storage.base import RunRecord, Store
from aworld.storage.sqlite import SqliteStore

START: Final = 1_767_225_600_000_000
"""Time of a test's first event: 2026-01-01, UTC microseconds."""


class ManualTime:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += round(seconds * 1e6)


class Backend(NamedTuple):
    """How a store is reached."""

    environment: Callable[[pytest.FixtureRequest, Path], dict[str, str]]
    """An empty place, as the environment variables that `aworld.config` reads."""
    open: Callable[[Config, Callable[[], int]], Store]
    """Open it; the second argument is the clock."""


def _folder(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    return {"AWORLD_HOME": str(tmp_path / "home"), "AWORLD_MONGODB_URI": ""}


def _sqlite(config: Config, now: Callable[[], int]) -> Store:
    return SqliteStore(config.database, config.blobs, now=now)


DATABASE: Final = f"aworld_test_{uuid.uuid4().hex[:12]}"
"""One for all tests of this process: its indexes take longer to make than a test to run."""


def _database(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    from pymongo import MongoClient

    uri: str = request.getfixturevalue("mongodb_uri")
    with MongoClient[dict[str, Any]](uri) as client:
        database = client[DATABASE]
        for name in database.list_collection_names():
            database[name].delete_many({"_id": {"$ne": "indexes"}})
    home = str(tmp_path / "home")
    return {"AWORLD_HOME": home, "AWORLD_MONGODB_URI": f"{uri.rstrip('/')}/{DATABASE}"}


def _mongo(config: Config, now: Callable[[], int]) -> Store:
    from aworld.storage.mongo import MongoStore

    return MongoStore(config.mongodb_uri, now=now)


STORES: Final[dict[str, Backend]] = {
    "sqlite": Backend(_folder, _sqlite),
    "mongo": Backend(_database, _mongo),
}
"""Add a backend here, and the whole contract runs over it."""


class Place:
    """One empty store, and its clock."""

    def __init__(self, backend: Backend, environment: dict[str, str]) -> None:
        self.time = ManualTime()
        self.environment = environment
        self._backend = backend
        self._opened: list[Store] = []
        self.store = self.open()

    def open(self) -> Store:
        """The same store once more, as another process would have it."""
        config = Config(
            home=Path(self.environment["AWORLD_HOME"]),
            mongodb_uri=self.environment["AWORLD_MONGODB_URI"],
            redis_url="",
        )
        self._opened.append(self._backend.open(config, self.time))
        return self._opened[-1]

    def close(self) -> None:
        """Close all that was opened."""
        for store in self._opened:
            store.close()

    def process(self, *arguments: str) -> subprocess.Popen[str]:
        """`store_process.py` in a process of its own, on the same store."""
        script = Path(__file__).with_name("store_process.py")
        root = Path(__file__).parents[2]
        return subprocess.Popen(
            [sys.executable, str(script), *arguments],
            env={**os.environ, **self.environment, "PYTHONPATH": str(root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, run_id: str = "r", **fields: Any) -> str:
        """Add a run; returns its id."""
        given: dict[str, Any] = {"team_name": "team", "team": {}, "input": "?", **fields}
        return self.store.create_run(RunRecord(run_id=run_id, **given)).run_id

    def log(self, run_id: str, *payloads: AnyPayload, actor: str = "ann") -> list[Event]:
        """Append events to a run that nobody has claimed, a millisecond apart."""
        record = self.store.get_run(run_id)
        first = record.last_seq + 1
        events = [event(run_id, first + n, payload, actor) for n, payload in enumerate(payloads)]
        self.store.append(run_id, record.epoch, events)
        return events


def event(run_id: str, seq: int, payload: AnyPayload, actor: str = "ann", **fields: Any) -> Event:
    """An event a millisecond after the one before it."""
    return Event(run_id, seq, fields.pop("at", START + seq * 1000), actor, payload, **fields)


def said(*texts: str) -> list[MessageSent]:
    """Messages."""
    return [MessageSent(text) for text in texts]


def small_run(run_id: str) -> list[Event]:
    """A run of eight events: two spans, a tool, an answer."""
    return [
        event(run_id, 0, RunCreated("team", "1+1?"), "supervisor"),
        event(run_id, 1, RunStarted("worker-1", epoch=1), "supervisor"),
        event(run_id, 2, LlmRequested("m", (0,), "hash"), "solver", span=2),
        event(
            run_id, 3, LlmResponded("计算一下 🧮", input_tokens=20, output_tokens=5, cost_usd=0.25),
            "solver", span=2, caused_by=(2,),
        ),
        event(run_id, 4, ToolCalled("calculator", {"expression": "1+1"}), "solver", span=4),
        event(run_id, 5, ToolReturned("calculator", "2"), "solver", span=4),
        event(run_id, 6, MessageSent("It is 2."), "solver", recipients=("verifier",)),
        event(run_id, 7, RunFinished("2", verified=True), "supervisor"),
    ]  # fmt: skip
