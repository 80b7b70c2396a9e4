"""The episode through the library as a worker runs it: queue, lease, supervisor, durable log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from aworld.agents.build import build_team
from aworld.agents.runner import parts_of
from aworld.agents.team import AgentDefinition, TeamDefinition
from aworld.bus.doorbell import Doorbell
from aworld.llm.client import LLMClient
from aworld.runtime.launch import create_run
from aworld.runtime.pump import Parts, Pump
from aworld.storage.base import RunRecord
from aworld.storage.sqlite import SqliteStore
from aworld.tools.base import BaseTool
from benchmarks.episodes.cost import Cost, Meter
from benchmarks.episodes.plain import ADD, INSTRUCTIONS, QUESTION
from benchmarks.episodes.server import TURNS

_TEAM = TeamDefinition(
    name="counter",
    topology="single",
    agents=(AgentDefinition("counter", "", "fake", INSTRUCTIONS, ("add",)),),
)


class Add(BaseTool, register=False):
    """Add two integers."""

    effect = "read_only"

    def get_schema(self) -> dict[str, Any]:
        """Two whole numbers."""
        return ADD

    async def run(self, a: int, b: int) -> str:
        """The sum."""
        return str(a + b)


class Worker:
    """A store, a model and a pump in this process."""

    def __init__(
        self, folder: Path, base_url: str, at_once: int, redis_url: str = "", redis_pid: int = 0
    ) -> None:
        """With `redis_url` it rings as the product does; `redis_pid` counts as well then."""
        self._store = SqliteStore(folder / "runs.sqlite3", folder / "blobs")
        self._model = LLMClient("fake", "x", base_url, provider="vllm")
        self._doorbell = Doorbell(redis_url)
        self._redis_pid = redis_pid or None
        self._add = Add()
        self._at_once = at_once
        self._begun = 0

    async def run(self, episodes: int) -> Cost:
        """Queue so many runs and drive them, until all that they wrote is in the store.

        Raises:
            RuntimeError: a run did not finish, or its log is not whole.
        """
        asked = [self._queue() for _ in range(episodes)]
        self._begun = 0
        pump = Pump(
            self._store, self._build, self._doorbell, worker="bench", concurrency=self._at_once
        )
        meter = Meter(self._redis_pid)
        driving = asyncio.create_task(pump.run())
        while self._begun < episodes or pump.running:
            await asyncio.sleep(0.01)
        cost = meter.cost()
        await pump.stop()
        await driving
        for run_id in asked:
            self._check(self._store.get_run(run_id))
        return cost

    async def aclose(self) -> None:
        """Close all of it."""
        await self._model.aclose()
        self._doorbell.close()
        self._store.close()

    def _queue(self) -> str:
        team = msgspec.to_builtins(_TEAM)
        return create_run(self._store, team=team, input=QUESTION, source="bench").run_id

    def _build(self, record: RunRecord, doorbell: Doorbell) -> Parts:
        self._begun += 1
        built = build_team(_TEAM, lambda name: self._model, lambda name: self._add)
        return parts_of(built, self._store, record, doorbell)

    def _check(self, record: RunRecord) -> None:
        done = (record.status, record.model_calls, record.tool_calls)
        if done != ("finished", TURNS, TURNS - 1):
            raise RuntimeError(
                f"Run {record.run_id!r} is {record.status!r} with {record.model_calls} model calls "
                f"and {record.tool_calls} tool calls: {record.error or record.answer!r}."
            )
