"""Fork a run behind a step, changed, and drive the fork to its end.

example:
  aworld fork 01a2320e2f57 --at 9 --edit '9={"text": "4"}' --policy calculator=replay
  aworld fork 01a2320e2f57 --at 9 --dry-run
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from aworld.runtime.fork import PlannedEffect
    from aworld.storage.base import RunRecord, Store

NAME = "fork"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run", help="a run's id, its beginning, or `latest`")
    parser.add_argument("--at", type=int, required=True, help="the last step that is shared")
    parser.add_argument(
        "--edit", action="append", default=[], metavar="SEQ=JSON", help="fields of a step to change"
    )
    parser.add_argument(
        "--policy",
        action="append",
        default=[],
        metavar="TOOL=POLICY",
        help="live, replay, ask or mock:TEXT for a tool, `model` or `*`",
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done again")


def run(arguments: argparse.Namespace) -> int:
    """Fork it; 0 when the fork gave an answer."""
    from aworld import config
    from aworld.agents.nodes import recorded_nodes
    from aworld.command_line._runs import find_run
    from aworld.runtime.catching_up import catch_up_of
    from aworld.runtime.fork import check_policies, fork_run, plan
    from aworld.runtime.recovery import read_log
    from aworld.storage.open import open_store

    policies = check_policies(dict(_pairs(arguments.policy, "--policy")))
    edits = {int(seq): _fields(text) for seq, text in _pairs(arguments.edit, "--edit")}
    store = open_store(config.load())
    try:
        parent = find_run(store, arguments.run)
        log = read_log(store, parent.run_id)
        planned = plan(log, arguments.at, policies)
        _show_plan(planned, as_json=arguments.json and arguments.dry_run)
        back = catch_up_of(event for event in log if event.seq <= arguments.at)
        if back is not None:
            print(f"  environment: {back}", file=sys.stderr)
        if arguments.dry_run:
            return 0
        fork = fork_run(
            store,
            parent.run_id,
            arguments.at,
            nodes=recorded_nodes(store, parent),
            edits=edits,
            policies=policies,
            by="command_line",
            queued=False,
        )
        done = asyncio.run(_drive(store, fork))
    finally:
        store.close()
    if arguments.json:
        print(msgspec.json.encode(done).decode())
    else:
        print(f"Run {done.run_id} {done.status}: {done.answer or done.error}")
    return 0 if done.status == "finished" else 1


async def _drive(store: Store, fork: RunRecord) -> RunRecord:
    from aworld.agents.build import build_team
    from aworld.agents.runner import drive_claimed, open_models
    from aworld.agents.team import read_team
    from aworld.environments.record import task_of
    from aworld.tools import registry

    async with open_models() as find_model:
        task = task_of(fork.environment)
        built = build_team(read_team(fork.team), find_model, registry.get, task)
        return await drive_claimed(store, fork, built)


def _show_plan(planned: list[PlannedEffect], *, as_json: bool) -> None:
    if as_json:
        print(msgspec.json.encode([effect._asdict() for effect in planned]).decode())
        return
    for effect in planned:
        print(
            f"  step {effect.seq}  {effect.actor} → {effect.what}: {effect.policy}",
            file=sys.stderr,
        )


def _pairs(given: list[str], option: str) -> list[tuple[str, str]]:
    from aworld.errors import ConfigurationError

    pairs: list[tuple[str, str]] = []
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or (option == "--edit" and not name.isdigit()):
            raise ConfigurationError(f"{option} {text!r} cannot be read; see `aworld fork --help`.")
        pairs.append((name, value))
    return pairs


def _fields(text: str) -> dict[str, Any]:
    from aworld.errors import ConfigurationError

    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise ConfigurationError(f"--edit: {text!r} is no JSON object ({error}).") from error
