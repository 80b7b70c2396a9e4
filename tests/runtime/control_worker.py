"""A worker process that a test kills: `python -m tests.runtime.control_worker FOLDER NAME`.

Its models take a moment, its leases are short, and its unsafe tool writes a line to `deposits` each
time it is called.
"""

from __future__ import annotations

import asyncio
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from aworld.agents.build import Built, build_team
from aworld.agents.runner import parts_of
from aworld.agents.team import read_team
from aworld.bus.doorbell import Doorbell
from aworld.llm.scripted import ScriptedModel
from aworld.runtime import heartbeat, pump
from aworld.runtime.pump import Parts, Pump
from aworld.runtime.supervisor import Supervisor
from aworld.storage.base import RunRecord
from aworld.tools import registry
from aworld.tools.base import BaseTool, ToolContext, ToolResult
from tests.runtime.scenes import DEPOSIT, answer
from tests.teams import sqlite

MODEL_S = 0.03
TOOL_S = 0.02
LEASE_S = 2.0
PARK_AFTER_S = 0.5


class Deposit(BaseTool):
    """Not to be called twice."""

    name = DEPOSIT
    description = "Deposits something."
    effect = "unsafe"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_schema(self) -> dict[str, Any]:
        """One key."""
        return {
            "type": "object",
            "properties": {"key": {"type": "string"}},
            "required": ["key"],
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
        """Write it down."""
        await asyncio.sleep(TOOL_S)
        line = f"{context.run_id} {context.agent} {arguments['key']}\n"
        file = os.open(self._folder / "deposits", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, line.encode())
        os.close(file)
        await asyncio.sleep(TOOL_S)
        return "deposited"


def built(folder: Path, record: RunRecord) -> Built:
    """A run's team; its models go by the run's seed."""
    deposit = Deposit(folder)

    def model(name: str) -> ScriptedModel:
        said = partial(answer, name, record.seed)
        return ScriptedModel([said], repeat_last=True, delay_s=MODEL_S)

    return build_team(
        read_team(record.team),
        model,
        lambda name: deposit if name == DEPOSIT else registry.get(name),
    )


async def main(folder: Path, name: str) -> None:
    """Work until killed."""
    heartbeat.RENEW_S = LEASE_S / 4
    for module in (heartbeat, pump):
        vars(module)["LEASE_S"] = LEASE_S
    vars(pump)["Supervisor"] = partial(Supervisor, park_after_s=PARK_AFTER_S)
    vars(pump)["Heartbeat"] = partial(heartbeat.Heartbeat, ttl_s=LEASE_S)
    store = sqlite(folder)

    def parts(record: RunRecord, doorbell: Doorbell) -> Parts:
        return parts_of(built(folder, record), store, record, doorbell)

    await Pump(store, parts, Doorbell(""), worker=name, concurrency=64).run()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
