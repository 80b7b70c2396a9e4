"""Run a team on a question and print its answer.

example:
  aworld run arithmetic "What is 23 times 47?"
  aworld run team.yaml "…" --json
  aworld run solver --task miniwob/click-button
  aworld run team.yaml "…" --approve shell --approve "files(write *)"
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from aworld.agents.result import RunResult
    from aworld.agents.team import TeamDefinition
    from aworld.storage.base import RunRecord

NAME = "run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("team", help="a YAML or JSON file, or a team's name")
    parser.add_argument(
        "question", nargs="?", default="", help="what the team is to do; a task has its own"
    )
    parser.add_argument("--task", metavar="SUITE/ID", help="a task of an environment")
    parser.add_argument(
        "--approve",
        action="append",
        metavar="never|always|PATTERN",
        help="which calls wait for you, in the place of the team's own rule; a pattern such as "
        "'shell' or 'files(write *)', perhaps several times",
    )
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
        print(
            msgspec.json.encode({**msgspec.structs.asdict(result), "score": result.score}).decode()
        )
        return 0
    print(result.answer)
    if result.verdict is not None and not arguments.quiet:
        score = "Not graded" if result.score is None else f"Score {result.score:g}"
        print(f"{score}: {result.verdict.why}", file=sys.stderr)
    return 0


async def _run(arguments: argparse.Namespace) -> RunResult:
    from aworld.agents.build import build_team
    from aworld.agents.catalogue import runnable_team
    from aworld.agents.runner import open_models, run_built
    from aworld.command_line._people import at_hand
    from aworld.environments.registry import find_task
    from aworld.tools import registry

    task = find_task(arguments.task) if arguments.task else None
    team = _with_approval(runnable_team(arguments.team), arguments.approve or [])
    async with open_models() as find_model:
        built = build_team(team, find_model, registry.get, task)
        return await run_built(
            team,
            built,
            arguments.question,
            store=None,
            source="command_line",
            task=task,
            at_hand=at_hand(),
            on_started=None if not arguments.quiet else _say_nothing,
        )


def _with_approval(team: TeamDefinition, wanted: list[str]) -> TeamDefinition:
    """The team with what the command line says of approval."""
    from aworld.errors import ConfigurationError
    from aworld.runtime.approval import ApprovalPolicy, problems_of
    from aworld.tools import registry

    if not wanted:
        return team
    patterns = tuple(word for word in wanted if word not in {"never", "always"})
    mode = next((word for word in ("never", "always") if word in wanted), "pattern")
    if "never" in wanted and len(wanted) > 1:
        raise ConfigurationError("--approve never goes with nothing else. Choose one.")
    policy = msgspec.convert(
        {"mode": mode, "patterns": patterns, "timeout_s": team.approval.timeout_s}, ApprovalPolicy
    )
    for _, message in problems_of(policy, registry.names()):
        raise ConfigurationError(f"--approve: {message}")
    return msgspec.structs.replace(team, approval=policy)


def _say_nothing(record: RunRecord, url: str) -> None:
    """The answer alone was asked for."""
