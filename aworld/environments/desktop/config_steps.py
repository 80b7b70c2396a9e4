"""The steps that prepare a desktop: `config` before the episode, `postconfig` before judging."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import quote

from aworld.environments.desktop.browser_port import BrowserPort
from aworld.environments.desktop.scene import Scene
from aworld.environments.desktop.task_format import ConfigStep
from aworld.errors import ConfigurationError, EnvironmentFault, ToolError
from aworld.tools.desktop.session import HOME

Fields = dict[str, Any]
_MOST_SLEEP_S = 30.0
_COMMAND_S = 60.0
_WINDOW_S = 12.0
_PASSWORD = "password"
"""What OSWorld's tasks call `{CLIENT_PASSWORD}`; nobody can become root here."""

OPENERS = {
    "gnumeric": (".xlsx", ".xls", ".ods", ".csv", ".gnumeric"),
    "google-chrome": (".html", ".htm", ".pdf", ".svg"),
    "pcmanfm": ("/",),
    "mousepad": ("",),
}
"""Which program opens a file by the end of its name, where LibreOffice does not."""
_OFFICE = (".docx", ".doc", ".odt", ".pptx", ".ppt", ".odp", ".xlsx", ".xls", ".ods")


async def carry_out(steps: Iterable[ConfigStep], scene: Scene) -> None:
    """Carry out steps in order.

    Raises:
        EnvironmentFault: one cannot be carried out; the text names it.
    """
    for number, step in enumerate(steps, 1):
        if step.type not in STEPS:
            raise EnvironmentFault(
                f"The configuration step {number} of {scene.task.id!r} is of the type "
                f"{step.type!r}, which is not carried out here."
            )
        try:
            await STEPS[step.type](scene, dict(step.parameters))
        except (ToolError, ConfigurationError, KeyError, TypeError, ValueError) as error:
            raise EnvironmentFault(
                f"The configuration step {number} of {scene.task.id!r} ({step.type}) failed: "
                f"{error}"
            ) from error


async def _download(scene: Scene, given: Fields) -> None:
    for file in given["files"]:
        source = scene.files.downloaded(file["url"], file["path"])
        data = await asyncio.to_thread(source.read_bytes)
        await scene.session.write_file(file["path"], data)


async def _upload_file(scene: Scene, given: Fields) -> None:
    for file in given["files"]:
        data = await asyncio.to_thread(scene.files.local(file["local_path"]).read_bytes)
        await scene.session.write_file(file["path"], data)


async def _launch(scene: Scene, given: Fields) -> None:
    command, shell = _filled(scene, given["command"]), bool(given.get("shell", False))
    first = command[0] if isinstance(command, list) else command.split(None, 1)[0]
    if first == "socat":
        # OSWorld forwards the browser's port out of its machine; here it is asked from within.
        return
    before = {window.id for window in await scene.session.windows()}
    await scene.session.launch(command, shell=shell)
    await _wait_for_window(scene, before)


async def _wait_for_window(scene: Scene, before: set[int]) -> None:
    end = time.monotonic() + _WINDOW_S
    while time.monotonic() < end:
        if {window.id for window in await scene.session.windows()} - before:
            break
        await asyncio.sleep(0.1)
    await scene.session.settle(quiet_s=0.4, limit_s=5)


async def _execute(scene: Scene, given: Fields) -> None:
    command, shell = _filled(scene, given["command"]), bool(given.get("shell", False))
    until = given.get("until") or {}
    for _ in range(20 if until else 1):
        said = await scene.session.run(command, shell=shell, timeout_s=_COMMAND_S)
        if said.timed_out:
            raise ToolError(f"the command did not end within {_COMMAND_S:g} s")
        for name, text in (("stdout", said.stdout), ("stderr", said.stderr)):
            if given.get(name):
                await scene.keep(given[name], text.encode())
        reached = (
            until.get("returncode") == said.returncode
            or ("stdout" in until and until["stdout"] in said.stdout)
            or ("stderr" in until and until["stderr"] in said.stderr)
        )
        if not until or reached:
            return
        await asyncio.sleep(0.3)


async def _execute_with_verification(scene: Scene, given: Fields) -> None:
    await _execute(scene, {"command": given["command"], "shell": given.get("shell", False)})
    verification = given.get("verification") or {}
    end = time.monotonic() + float(given.get("max_wait_time", 10))
    while verification:
        title = verification.get("window_exists")
        if title and any(title in window.title for window in await scene.session.windows()):
            return
        command = verification.get("command_success")
        if command and not (await scene.session.run(command, shell=True)).returncode:
            return
        if time.monotonic() > end:
            raise ToolError(f"{verification!r} did not come true")
        await asyncio.sleep(float(given.get("check_interval", 1.0)))


async def _sleep(scene: Scene, given: Fields) -> None:
    await asyncio.sleep(max(0.0, min(float(given["seconds"]), _MOST_SLEEP_S)))


async def _open(scene: Scene, given: Fields) -> None:
    path = str(given["path"])
    tree = await scene.session.ask("list", path=path)
    name = f"{path}/" if tree is not None else path.lower()
    program = next(p for p, ends in OPENERS.items() if name.endswith(ends))
    if name.endswith(_OFFICE):
        office = await scene.session.run(["which", "soffice"])
        if office.returncode == 0:
            program = "soffice"
    await _launch(scene, {"command": [program, path]})


async def _activate_window(scene: Scene, given: Fields) -> None:
    await _window_command(scene, given, "-a")


async def _close_window(scene: Scene, given: Fields) -> None:
    await _window_command(scene, given, "-c")


async def _window_command(scene: Scene, given: Fields, option: str) -> None:
    name, strict, by_class = given["window_name"], given.get("strict"), given.get("by_class")
    for window in await scene.session.windows():
        seen = window.window_class if by_class else window.title
        if seen == name if strict else name.lower() in seen.lower():
            await scene.session.run(["wmctrl", "-i", option, str(window.id)])
            await scene.session.settle()
            return
    raise ToolError(f"there is no window {name!r}")


async def _chrome_open_tabs(scene: Scene, given: Fields) -> None:
    browser = BrowserPort(scene.session)
    old = await browser.wait_for_tabs()
    for url in given["urls_to_open"]:
        await browser.open(url)
    for tab in old:
        # OSWorld closes the tab that the browser came with.
        if tab["url"] in ("about:blank", "chrome://newtab/", "chrome://new-tab-page/"):
            await browser.close(tab["id"])
    await scene.session.settle(quiet_s=0.4, limit_s=5)


async def _chrome_close_tabs(scene: Scene, given: Fields) -> None:
    browser = BrowserPort(scene.session)
    for tab in await browser.wait_for_tabs():
        if tab["url"].rstrip("/") in {url.rstrip("/") for url in given["urls_to_close"]}:
            await browser.close(tab["id"])


async def _change_wallpaper(scene: Scene, given: Fields) -> None:
    await scene.session.run(["pcmanfm", "--set-wallpaper", given["path"], "--wallpaper-mode=fit"])


def _filled(scene: Scene, command: str | list[str]) -> str | list[str]:
    """The command with OSWorld's names for the screen's size and the password filled in."""
    width, height = scene.session.width, scene.session.height
    names = {
        "{CLIENT_PASSWORD}": _PASSWORD,
        "{SCREEN_WIDTH_HALF}": str(width // 2),
        "{SCREEN_HEIGHT_HALF}": str(height // 2),
        "{SCREEN_WIDTH}": str(width),
        "{SCREEN_HEIGHT}": str(height),
    }

    def fill(text: str) -> str:
        for name, value in names.items():
            text = text.replace(name, value)
        return text

    return fill(command) if isinstance(command, str) else [fill(part) for part in command]


def file_url(path: str) -> str:
    """The address under which the browser shows a file of the desktop."""
    return "file://" + quote(path if path.startswith("/") else f"{HOME}/{path}")


STEPS: dict[str, Callable[[Scene, Fields], Awaitable[None]]] = {
    "download": _download,
    "upload_file": _upload_file,
    "launch": _launch,
    "execute": _execute,
    "command": _execute,
    "execute_with_verification": _execute_with_verification,
    "sleep": _sleep,
    "open": _open,
    "activate_window": _activate_window,
    "close_window": _close_window,
    "chrome_open_tabs": _chrome_open_tabs,
    "chrome_close_tabs": _chrome_close_tabs,
    "change_wallpaper": _change_wallpaper,
}
