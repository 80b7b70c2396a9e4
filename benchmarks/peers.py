"""Other projects' drivers, run on the same work as ours where they lie beside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (Path(os.environ.get("AWORLD_PEERS", "")), ROOT.parent / "shared" / "peers")


class PeerCase(NamedTuple):
    """One driver, and which of its figures is comparable with which of ours."""

    name: str
    ours: str
    """Name of our figure."""
    driver: str
    arguments: tuple[str, ...]
    figure: str
    """Key in the JSON line that the driver prints."""


CASES = (
    PeerCase(
        "asyncio.Queue (peers' driver)",
        "bus_ring10_cpu_us",
        "bus.py",
        ("queue", "ring", "10", "50000"),
        "cpu_us",
    ),
    PeerCase(
        "sketch of a bus (peers' driver)",
        "bus_ring10_cpu_us",
        "bus.py",
        ("minibus", "ring", "10", "50000"),
        "cpu_us",
    ),
    PeerCase(
        "autogen-core",
        "bus_ring10_cpu_us",
        "bus.py",
        ("autogen", "ring", "10", "20000"),
        "cpu_us",
    ),
)


def folder() -> Path | None:
    """Where the drivers are, or None."""
    return next((one for one in FOLDERS if (one / "bus.py").is_file()), None)


def measure(case: PeerCase) -> float | None:
    """The peer's figure, or None where it is not installed or its driver is not here.

    PEER_BIN names the peers' own virtual environment; what needs nothing runs in ours.
    """
    where = folder()
    if where is None:
        return None
    python = Path(os.environ["PEER_BIN"]) / "python" if os.environ.get("PEER_BIN") else None
    command = [str(python or sys.executable), str(where / case.driver), *case.arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        return None
    return float(json.loads(lines[-1])[case.figure])


EPISODES = ("plain-openai", "autogen", "langgraph", "openai-agents", "pydantic-ai", "smolagents")
"""Peers that the driver of the five-turn episode knows."""


def turn_cpu_ms(peer: str, port: int) -> float | None:
    """CPU for a turn of a peer's, 32 episodes at once, with the model served at this port; None as
    for `measure`."""
    case = PeerCase(peer, "turn_cpu_ms", "episode.py", (peer, "64", "32", str(port)), "cpu_ms_turn")
    return measure(case)
