"""The `aworld` command: finds the command that is meant, and imports only that one.

A command is one file of this folder, or a module named by an entry point of the group
`aworld.commands`, with

    NAME                      how it is called
    add_arguments(parser)     its own arguments
    run(arguments) -> int     does it; 0 only on success

Its docstring's first line is its help, the rest (an example) is shown below its options.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol, cast

from aworld.command_line._settings_file import apply_settings_file
from aworld.errors import AWorldError

__all__ = ["main"]

GROUP = "aworld.commands"


class Command(Protocol):
    """A command's module."""

    NAME: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        ...

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; the exit status."""
        ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit status. Errors raised on purpose are told in one sentence."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        apply_settings_file(Path.cwd())
    except AWorldError as fault:
        _tell(fault, as_json=False)
        return 1
    modules = command_modules()
    wanted = words[0] if words and words[0] in modules else None
    parser = argparse.ArgumentParser(
        prog="aworld", description="Build, watch and debug teams of LLM agents."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    # Help lists them all; otherwise only the command that is meant is imported.
    for name in [wanted] if wanted else sorted(modules):
        _add(commands, name, modules[name])
    parsed = parser.parse_args(words)
    command = cast(Command, parsed.command_module)
    try:
        return command.run(parsed)
    except AWorldError as fault:
        _tell(fault, as_json=parsed.json)
        return 1
    except KeyboardInterrupt:
        return 130


def command_modules() -> dict[str, str]:
    """Name of each command → its module's dotted name."""
    package = importlib.import_module("aworld.command_line")
    found = {
        info.name.replace("_", "-"): f"{package.__name__}.{info.name}"
        for info in pkgutil.iter_modules(package.__path__)
        if info.name != "main" and not info.name.startswith("_")
    }
    found.update({point.name: point.value for point in entry_points(group=GROUP)})
    return found


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, module_name: str
) -> None:
    module = importlib.import_module(module_name)
    summary, _, example = (module.__doc__ or name).strip().partition("\n")
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary,
        epilog=example.strip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command = cast(Command, module)
    command.add_arguments(parser)
    if "--json" not in parser.format_usage():
        parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.set_defaults(command_module=module)


def _tell(fault: AWorldError, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"error": str(fault), "kind": type(fault).__name__}, ensure_ascii=False))
    print(f"aworld: {fault}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
