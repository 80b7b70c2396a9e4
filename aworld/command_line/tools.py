"""List the tools, show one, or call one.

example:
  aworld tools
  aworld tools calculator
  aworld tools calculator --call '{"expression": "3 km + 200 m"}'
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from aworld.tools.base import BaseTool, ToolResult

NAME = "tools"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", nargs="?", help="a tool; without one all are listed")
    parser.add_argument(
        "--call", metavar="JSON", help="call it with these arguments; - reads them from the input"
    )
    parser.add_argument(
        "--workspace",
        metavar="FOLDER",
        type=Path,
        help="where its files are (default: workspaces/command-line in AWORLD_HOME)",
    )
    parser.add_argument(
        "--save", metavar="FOLDER", type=Path, help="keep the files and pictures it gives here"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do it; 0 unless the tool could not."""
    from aworld.errors import ConfigurationError
    from aworld.tools import registry

    if arguments.name is None:
        if arguments.call is not None:
            raise ConfigurationError("Say which tool to call: aworld tools NAME --call JSON.")
        return _list(as_json=arguments.json)
    tool = registry.get(arguments.name)
    if arguments.call is None:
        return _show(tool, as_json=arguments.json)
    given = _read_arguments(arguments.call)
    result = asyncio.run(_call(tool, given, arguments.workspace))
    _print_result(result, as_json=arguments.json)
    _keep(result, arguments.save)
    return 0


def _list(*, as_json: bool) -> int:
    from aworld.tools import registry

    sources = registry.sources()
    tools = registry.schemas()
    problems = registry.problems()
    if as_json:
        listed = [{**msgspec.structs.asdict(t), "source": sources[t.name]} for t in tools]
        found = [problem._asdict() for problem in problems]
        print(msgspec.json.encode({"tools": listed, "problems": found}).decode())
        return 0
    width = max(len(tool.name) for tool in tools)
    for tool in tools:
        where = "" if sources[tool.name] == "built in" else f" ({sources[tool.name]})"
        effect = tool.effect.replace("_", " ")
        print(f"{tool.name:{width}}  {effect:10}  {tool.description}{where}")
    for problem in problems:
        print(f"aworld: {problem.where}: {problem.message}", file=sys.stderr)
    return 0


def _show(tool: BaseTool, *, as_json: bool) -> int:
    from aworld.tools import registry

    described = registry.describe(tool)
    source = registry.sources().get(tool.name, "")
    if as_json:
        shown = {**msgspec.structs.asdict(described), "source": source, "timeout_s": tool.timeout_s}
        print(msgspec.json.encode(shown).decode())
        return 0
    print(f"{tool.name}: {tool.description}")
    print(f"{tool.effect.replace('_', ' ')}, at most {tool.timeout_s:g} s, {source}")
    print(msgspec.json.format(msgspec.json.encode(described.parameters), indent=2).decode())
    return 0


def _read_arguments(text: str) -> dict[str, Any]:
    """The arguments of a call.

    Raises:
        ConfigurationError: they are no JSON object.
    """
    from aworld.errors import ConfigurationError

    if text == "-":
        text = sys.stdin.read()
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise ConfigurationError(
            f"{text[:80]!r} are no arguments ({error}). Give a JSON object, such as "
            '\'{"expression": "23*47"}\'.'
        ) from None


async def _call(tool: BaseTool, given: dict[str, Any], workspace: Path | None) -> ToolResult:
    from aworld import config
    from aworld.tools import registry
    from aworld.tools.base import ToolContext
    from aworld.tools.interpreter.sessions import close_interpreter
    from aworld.tools.open_things import close_all

    usual = config.load().home / "workspaces" / "command-line"
    folder = usual.absolute() if workspace is None else _made(workspace)
    context = ToolContext(agent="command line", workspace=str(folder))
    try:
        return await registry.call(tool, context, given)
    finally:
        await close_interpreter(context.workspace)
        await close_all(context.workspace)


def _made(path: Path) -> Path:
    """A workspace that was named, made where it is not there.

    Raises:
        ConfigurationError: it cannot be one.
    """
    from aworld.errors import ConfigurationError

    try:
        folder = path.resolve()
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            f"{str(path)!r} cannot be a workspace: {error.strerror or error}. Give a folder with "
            "--workspace."
        ) from error
    return folder


def _print_result(result: ToolResult, *, as_json: bool) -> None:
    files = [
        {"name": file.name, "media_type": file.media_type, "size": len(file.data)}
        for file in result.attachments
    ]
    if as_json:
        shown = {"text": result.text, "data": result.data, "attachments": files}
        print(msgspec.json.encode(shown).decode())
        return
    print(result.text)
    for file in files:
        print(f"{file['name']}: {file['media_type']}, {file['size']} bytes", file=sys.stderr)


def _keep(result: ToolResult, folder: Path | None) -> None:
    """Write the attachments; one of a name that is there already is not overwritten."""
    from aworld.errors import ConfigurationError

    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in result.attachments:
            with (folder / file.name).open("xb") as kept:
                kept.write(file.data)
    except OSError as error:
        raise ConfigurationError(
            f"The files cannot be kept in {str(folder)!r}: {error.strerror or error}. Give another "
            "folder with --save."
        ) from error
