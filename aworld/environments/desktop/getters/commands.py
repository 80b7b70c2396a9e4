"""What commands in the desktop say, and what its terminal shows."""

from __future__ import annotations

from aworld.environments.desktop.getters.registry import Fields, getter
from aworld.environments.desktop.scene import Scene, Value
from aworld.tools.desktop.session import SYSTEM_PATH, CommandOutput
from aworld.tools.desktop.view import terminal_text

_COMMAND_S = 60.0


@getter("vm_command_line")
async def vm_command_line(scene: Scene, config: Fields) -> Value:
    """A command's standard output."""
    return (await _run(scene, config)).stdout


@getter("vm_command_error")
async def vm_command_error(scene: Scene, config: Fields) -> Value:
    """A command's standard error."""
    return (await _run(scene, config)).stderr


async def _run(scene: Scene, config: Fields) -> CommandOutput:
    # By programs that the team had no hand in: its own folders are not looked in.
    return await scene.session.run(
        config["command"],
        shell=bool(config.get("shell", False)),
        timeout_s=_COMMAND_S,
        path=SYSTEM_PATH,
    )


@getter("vm_terminal_output")
async def vm_terminal_output(scene: Scene, config: Fields) -> Value:
    """The text in the terminal's window, without blank ends; None where none is open."""
    return terminal_text(await scene.session.tree())
