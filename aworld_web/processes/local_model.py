"""The local model behind the page: its weights fetched where they are missing, then served."""

from __future__ import annotations

import asyncio
from pathlib import Path

from aworld.errors import ConfigurationError
from aworld.llm.model_files import fetch_model, find_base_model
from aworld_web.processes import children
from aworld_web.processes.family import Family
from aworld_web.processes.report import Step

__all__ = ["serve_local_model"]


async def serve_local_model(family: Family, home: Path, port: int, step: Step) -> None:
    """Bring the model server up, telling the step how far it is; a failure is told there too."""
    try:
        await _provide_weights(family, home, step)
    except ConfigurationError as fault:
        family.tell(step, "failed", str(fault))
        return
    family.tell(step, "running", "Loading the local model")
    await family.until_well(family.start(children.model_server(home, port)), step)
    family.tell(step, "done")


async def _provide_weights(family: Family, home: Path, step: Step) -> None:
    """Raises ConfigurationError where they are not there and cannot be had."""
    try:
        find_base_model(home)
        return
    except ConfigurationError:
        family.tell(step, "running", "Fetching the local model (93 MB)", 0.0)
    loop = asyncio.get_running_loop()

    def on_progress(part: float | None, what: str) -> None:
        loop.call_soon_threadsafe(family.tell, step, "running", what, part)

    await asyncio.to_thread(fetch_model, home, on_progress)
