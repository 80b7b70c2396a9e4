"""Run a team on a question in the terminal, hold it at breakpoints, and mend it there.

example:
  aworld debug arithmetic "What is 23 times 47?" --break 'after tool.returned'
  aworld debug team.yaml "…" --break 'after error' --commands script.txt --json
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aworld.agents.build import FindModel
    from aworld.command_line._debug_console import ReadLine
    from aworld.runtime.heartbeat import Heartbeat
    from aworld.storage.base import RunRecord, Store

NAME = "debug"
PROMPT = "(aworld) "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("team", help="a YAML or JSON file, or a team's name")
    parser.add_argument("question", help="what the team is to do")
    parser.add_argument(
        "--break",
        dest="breaks",
        action="append",
        default=[],
        metavar="LINE",
        help="before|after KIND [of AGENT] [with TOOL] [once] [if CONDITION]; may be repeated",
    )
    parser.add_argument(
        "--commands", metavar="FILE", help="commands to carry out, one a line; then it runs on"
    )


def run(arguments: argparse.Namespace) -> int:
    """Debug it; 0 when the run gave an answer."""
    from aworld import config
    from aworld.storage.open import open_store

    store = open_store(config.load())
    try:
        record = asyncio.run(_debug(store, arguments))
    finally:
        store.close()
    return 0 if record.status == "finished" else 1


async def _debug(store: Store, arguments: argparse.Namespace) -> RunRecord:
    from aworld.agents.runner import open_models

    read_line, at_end = _commands(arguments.commands)
    async with open_models() as find_model, _beating(store) as heartbeat:
        return await debug_team(
            store,
            arguments,
            find_model,
            heartbeat,
            read_line=read_line,
            at_end=at_end,
        )


async def debug_team(
    store: Store,
    arguments: argparse.Namespace,
    find_model: FindModel,
    heartbeat: Heartbeat,
    *,
    read_line: ReadLine,
    at_end: str,
) -> RunRecord:
    """Create the run with its breakpoints, and let a person command it."""
    import msgspec

    from aworld.agents.build import build_team
    from aworld.agents.catalogue import runnable_team
    from aworld.agents.runner import worker_name
    from aworld.command_line._debug_console import Console
    from aworld.command_line._debug_output import Output
    from aworld.command_line._debug_session import DebugSession
    from aworld.runtime.breakpoint_text import read_breakpoint
    from aworld.runtime.control import LEASE_S
    from aworld.runtime.launch import create_run
    from aworld.tools import registry

    breakpoints = [read_breakpoint(line, f"b{i + 1}") for i, line in enumerate(arguments.breaks)]
    team = runnable_team(arguments.team)
    built = build_team(team, find_model, registry.get)
    record = create_run(
        store,
        team={**msgspec.to_builtins(team), "breakpoints": msgspec.to_builtins(breakpoints)},
        input=arguments.question,
        source="command_line",
        worker=worker_name(),
        lease_ttl_s=LEASE_S,
    )
    output = Output(as_json=arguments.json)
    session = DebugSession(store, record, built, heartbeat)
    console = Console(session, breakpoints, read_line, output, at_end=at_end)
    done = await console.run()
    output.end(done)
    return done


@asynccontextmanager
async def _beating(store: Store) -> AsyncIterator[Heartbeat]:
    from aworld.runtime.heartbeat import Heartbeat

    heartbeat = Heartbeat(store)
    heartbeat.start()
    try:
        yield heartbeat
    finally:
        await asyncio.to_thread(heartbeat.stop)


def _commands(file: str | None) -> tuple[ReadLine, str]:
    """Where commands come from, and what happens at their end."""
    if file is None:
        return _from_terminal, "quit"
    from aworld.errors import ConfigurationError

    try:
        lines = iter(Path(file).read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"The commands in {file!r} cannot be read: {error}.") from error

    async def read_line() -> str | None:
        return next(lines, None)

    return read_line, "continue"


async def _from_terminal() -> str | None:
    def ask() -> str | None:
        sys.stderr.write(PROMPT)
        sys.stderr.flush()
        line = sys.stdin.readline()
        return line if line else None

    return await asyncio.to_thread(ask)
