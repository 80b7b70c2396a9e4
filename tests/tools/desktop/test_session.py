"""A desktop in the sandbox: what is typed arrives, what is on the screen is seen, nothing gets out
and nothing is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from PIL import Image

from aworld.errors import EnvironmentFault, ToolError
from aworld.tools.desktop import programs
from aworld.tools.desktop.actions.gestures import type_text
from aworld.tools.desktop.session import DesktopSession
from aworld.tools.desktop.view import look

pytestmark = pytest.mark.skipif(
    bool(programs.missing()), reason=f"Not installed: {[p.package for p in programs.missing()]}"
)


@contextlib.asynccontextmanager
async def desktop(folder: Path) -> AsyncGenerator[DesktopSession]:
    """A desktop whose home is `folder/home`."""
    for name in ("home", "private"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    session = await DesktopSession.start(folder / "home", folder / "private")
    try:
        yield session
    finally:
        await session.close()


async def launched(session: DesktopSession, command: list[str], title: str) -> None:
    await session.launch(command)
    for _ in range(200):
        if any(title in window.title and window.active for window in await session.windows()):
            await session.settle()
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"No window {title!r} came: {await session.windows()}")


async def test_what_is_typed_is_in_the_file_and_on_the_screen(tmp_path: Path) -> None:
    text = "It's 100% <b>plain</b> — naïve, 日本, \\n stays\nsecond line\n"
    async with desktop(tmp_path) as session:
        await session.write_file("/home/user/notes/new.txt", b"")
        await launched(session, ["mousepad", "notes/new.txt"], "new.txt")
        before = await session.screenshot()
        await session.input([*type_text(text), ["key", "ctrl+s"]])
        await session.settle()
        assert await session.read_file("/home/user/notes/new.txt") == text.encode()
        after = await session.screenshot()
        pictures = [Image.open(io.BytesIO(picture)) for picture in (before, after)]
        assert [picture.size for picture in pictures] == [(1280, 720)] * 2
        assert pictures[0].tobytes() != pictures[1].tobytes()
        seen = await look(session, "screenshot_a11y_tree")
    assert "It's 100% <b>plain</b> — naïve, 日本" in seen.text
    assert "* ~/notes/new.txt - Mousepad" in seen.text
    assert [(a.name, a.media_type) for a in seen.attachments] == [("screen.png", "image/png")]
    assert "menu\tFile" in seen.stable
    assert "It's" not in seen.stable
    assert (tmp_path / "home/notes/new.txt").read_text(encoding="utf-8") == text


async def test_the_desktop_has_no_network_no_rights_and_none_of_the_machines_files(
    tmp_path: Path,
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "answers").write_text("secret", encoding="utf-8")
    async with desktop(tmp_path) as session:
        said = await session.run(
            f"id -u; ls {tmp_path}; cat /etc/shadow; ls /sys/class/net 2>/dev/null; "
            "(echo > /dev/tcp/1.1.1.1/53) 2>&1; touch /usr/x; echo $AWORLD_SECRET; "
            "cat /proc/net/dev | wc -l",
            shell=True,
        )
        assert await session.read_file(str(tmp_path / "private" / "answers")) is None
        assert await session.read_file("/etc/shadow") is None
    assert said.stdout.split("\n")[0] == "65534"
    assert "unreachable" in said.stdout
    for refusal in (str(tmp_path), "/etc/shadow", "/usr/x"):
        assert refusal in said.stderr
    # Two lines of head, and the loopback device alone.
    assert said.stdout.strip().endswith("3")


async def test_two_desktops_at_once_do_not_meet(tmp_path: Path) -> None:
    async with desktop(tmp_path / "a") as first, desktop(tmp_path / "b") as second:
        await asyncio.gather(
            first.run("echo first > /tmp/who; echo first > ~/who", shell=True),
            second.run("echo second > /tmp/who; echo second > ~/who", shell=True),
        )
        said = [(await s.run(["cat", "/tmp/who", "who"])).stdout for s in (first, second)]
    assert said == ["first\nfirst\n", "second\nsecond\n"]


async def test_a_desktop_that_its_own_programs_kill_is_a_fault_and_says_so(tmp_path: Path) -> None:
    async with desktop(tmp_path) as session:
        await session.launch("sleep 0.2; kill -9 -1", shell=True)
        await asyncio.sleep(1)
        with pytest.raises(EnvironmentFault, match="The desktop is gone"):
            await session.windows()
        assert not session.running


async def test_a_command_that_hangs_is_ended_and_the_desktop_goes_on(tmp_path: Path) -> None:
    async with desktop(tmp_path) as session:
        hung = await session.run("trap '' TERM; sleep 60", shell=True, timeout_s=0.5)
        assert hung.timed_out
        os.mkfifo(tmp_path / "home" / "pipe")
        assert await session.read_file("/home/user/pipe") is None
        with pytest.raises(ToolError, match="null byte"):
            await session.run(["no-such-program\0"])
        # Nobody waits for this answer; the next request gets its own all the same.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(session.run(["sleep", "1"]), 0.2)
        assert (await session.run(["echo", "mine"])).stdout == "mine\n"


def test_nothing_is_left_of_a_desktop_when_its_worker_is_killed(tmp_path: Path) -> None:
    for name in ("home", "private"):
        (tmp_path / name).mkdir()
    code = (
        "import asyncio, pathlib, sys\n"
        "from aworld.tools.desktop.session import DesktopSession\n"
        "async def main():\n"
        "    folder = pathlib.Path(sys.argv[1])\n"
        "    s = await DesktopSession.start(folder / 'home', folder / 'private')\n"
        "    await s.launch(['mousepad'])\n"
        "    print(s.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    worker = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    first = int(worker.stdout.readline())
    assert Path(f"/proc/{first}").exists()
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()
    end = time.monotonic() + 20
    while _processes_of(str(tmp_path)) and time.monotonic() < end:
        time.sleep(0.05)
    assert _processes_of(str(tmp_path)) == []


def _processes_of(folder: str) -> list[str]:
    """The command lines that name a folder, of processes that have not ended."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            line = entry.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            if folder in line and entry.parent.name != str(os.getpid()):
                found.append(line)
    return found


async def test_a_window_may_have_any_title_and_may_hang(tmp_path: Path) -> None:
    async with desktop(tmp_path) as session:
        title = "odd\tone\x1b[31m<&>" + "x" * 1000
        await launched(session, ["lxterminal", "--title", title], "odd one")
        await session.run(["pkill", "-STOP", "lxterminal"])
        seen = await look(session, "screenshot_a11y_tree")
    assert seen.data["windows"] == [f"odd one [31m<&>{'x' * 185}…"]
    assert seen.attachments[0].data.startswith(b"\x89PNG")
