"""Run a team on a question and print its answer.

example:
  aworld run arithmetic "What is 23 times 47?"
  aworld run team.yaml "…" --json
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from aworld.agents.result import RunResult
    from aworld.storage.base import RunRecord

NAME = "run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("team", help="a YAML or JSON file, or a team's name")
    parser.add_argument("question", help="what the team is to do")
    parser.add_argument("--quiet", action="store_true", help="print the answer only")


def run(arguments: argparse.Namespace) -> int:
    """Run it; 0 when the team gave an answer."""
    from aworld.agents.result import RunFailedError

    try:
        result = asyncio.run(_run(arguments))
    except RunFailedError as error:
        if arguments.json:
            print(
                msgspec.json.encode(
                    {"run_id": error.run_id, "status": error.status, "error": str(error)}
                ).decode()
            )
        print(f"aworld: {error}", file=sys.stderr)
        return 1
    if arguments.json:
        print(msgspec.json.encode(result).decode())
    else:
        print(result.answer)
    return 0


async def _run(arguments: argparse.Namespace) -> RunResult:
    from aworld.agents.build import build_team
    from aworld.agents.catalogue import runnable_team
    from aworld.agents.runner import open_models, run_built
    from aworld.tools import registry

    team = runnable_team(arguments.team)
    async with open_models() as find_model:
        built = build_team(team, find_model, registry.get)
        return await run_built(
            team,
            built,
            arguments.question,
            store=None,
            source="command_line",
            on_started=None if not arguments.quiet else _say_nothing,
        )


def _say_nothing(record: RunRecord, url: str) -> None:
    """The answer alone was asked for."""
