"""The tool `desktop`: programs of the desktop on the run's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.errors import ToolError
from aworld.tools import open_things, registry
from aworld.tools.base import ToolContext
from aworld.tools.desktop import programs
from aworld.tools.failures import MalformedCall

pytestmark = pytest.mark.skipif(
    bool(programs.missing()), reason=f"Not installed: {[p.package for p in programs.missing()]}"
)


async def test_a_program_is_used_on_a_file_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("milk\n", encoding="utf-8")
    context = ToolContext(workspace=str(tmp_path))
    try:
        await registry.call(
            "desktop", context, {"action": "launch", "command": "mousepad list.txt"}
        )
        code = "pyautogui.hotkey('ctrl', 'end'); pyautogui.write('bread')"
        seen = await registry.call("desktop", context, {"action": "pyautogui", "code": code})
        assert "milk\\nbread" in seen.text
        assert seen.attachments[0].media_type == "image/png"
        save = {"action": "computer", "action_type": "HOTKEY", "keys": ["ctrl", "s"]}
        seen = await registry.call("desktop", context, save)
        assert seen.data["windows"] == ["~/list.txt - Mousepad"]
        with pytest.raises(ToolError, match="off the screen"):
            far = {"action": "computer", "action_type": "CLICK", "x": 9999, "y": 1}
            await registry.call("desktop", context, far)
        with pytest.raises(MalformedCall, match="needs 'command'"):
            await registry.call("desktop", context, {"action": "launch"})
    finally:
        await open_things.close_all(str(tmp_path))
    assert (tmp_path / "list.txt").read_text(encoding="utf-8") == "milk\nbread"


async def test_without_a_workspace_there_is_no_desktop() -> None:
    with pytest.raises(ToolError, match="needs a workspace"):
        await registry.call("desktop", ToolContext(), {"action": "look"})
