"""Run a recorded run's agents again with nothing but its log, and compare.

example:
  aworld replay 01a2320e2f57
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from aworld.events.union import Event
    from aworld.runtime.replay import ReplayReport

NAME = "replay"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", help="a run's id, or its beginning")


def run(arguments: argparse.Namespace) -> int:
    """Replay it; 0 when it is identical."""
    from aworld import config
    from aworld.agents.nodes import recorded_nodes
    from aworld.command_line._runs import find_run
    from aworld.runtime.recovery import read_log
    from aworld.runtime.replay import replay
    from aworld.storage.open import open_store

    store = open_store(config.load())
    try:
        record = find_run(store, arguments.run)
        report = replay(
            record.run_id, read_log(store, record.run_id), recorded_nodes(store, record)
        )
    finally:
        store.close()
    if arguments.json:
        print(msgspec.json.encode(_plain(report, record.run_id)).decode())
    else:
        print(report)
        if report.difference is not None:
            print(f"  recorded  {_shown(report.difference.recorded)}")
            print(f"  produced  {_shown(report.difference.produced)}")
    return 0 if report.identical else 1


def _plain(report: ReplayReport, run_id: str) -> dict[str, object]:
    difference = report.difference
    return {
        "run_id": run_id,
        "identical": report.identical,
        "compared": report.compared,
        "last_seq": report.last_seq,
        "difference": None
        if difference is None
        else {
            "seq": difference.seq,
            "recorded": difference.recorded,
            "produced": difference.produced,
        },
    }


def _shown(event: Event | None) -> str:
    if event is None:
        return "nothing"
    return f"{event.actor}: {msgspec.json.encode(event.payload).decode()}"
