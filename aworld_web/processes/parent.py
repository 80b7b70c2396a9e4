"""`aworld up`: starts the children, and leaves nothing of them when it ends, however it ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import webbrowser

from aworld.errors import AWorldError
from aworld_web.processes.bring_up import Options, bring_up
from aworld_web.processes.console import Console
from aworld_web.processes.family import Family
from aworld_web.processes.home_lock import HomeLock
from aworld_web.processes.leftovers import end_leftovers
from aworld_web.processes.ports import require_free
from aworld_web.processes.report import Parent, now_us
from aworld_web.processes.site import put_on_path

__all__ = ["run"]


def run(options: Options) -> int:
    """Run until a signal; the exit status.

    Raises:
        ConfigurationError: it cannot start; says why and what to do.
    """
    with HomeLock(options.home):
        for name in end_leftovers(options.home):
            Console().line("aworld", f"ended {name}, which a killed parent had left")
        require_free(options.port)
        return asyncio.run(_live(options))


async def _live(options: Options) -> int:
    url = f"http://127.0.0.1:{options.port}"
    parent = Parent(pid=os.getpid(), url=url, started_at=now_us())
    family = Family(options.home, parent, console=Console())
    asked_to_end = _signals(family)
    family.begin()
    work = asyncio.create_task(
        bring_up(family, options, page_is_there=lambda: _show_page(family, options, url))
    )
    ending = asyncio.create_task(asked_to_end.wait())
    try:
        await asyncio.wait({work, ending}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
        return 0
    finally:
        ending.cancel()
        work.cancel()
        with contextlib.suppress(asyncio.CancelledError, AWorldError):
            await work
        family.console.line("aworld", "ending …")
        await family.end()
        family.console.line("aworld", "ended; nothing is left running")


def _signals(family: Family) -> asyncio.Event:
    """Set by Ctrl-C, a termination or a closed terminal; a second one ends everything at once."""
    asked = asyncio.Event()

    def hear() -> None:
        if asked.is_set():
            family.kill()
        asked.set()

    loop = asyncio.get_running_loop()
    if sys.platform == "win32":
        for number in (signal.SIGINT, signal.SIGBREAK):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(hear))
        return asked
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, hear)
    return asked


def _show_page(family: Family, options: Options, url: str) -> None:
    """Print the one-time link, and open it where there is a browser to open it in."""
    put_on_path()
    from apps.accounts import enter_token

    link = f"{url}/enter?token={enter_token.make(options.home)}"
    family.console.line("aworld", "")
    family.console.line("aworld", f"Open {link}")
    family.console.line("aworld", "(the link logs you in once; Ctrl-C here ends everything)")
    family.console.line("aworld", "")
    if options.open_browser and _has_desktop():
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, link)


def _has_desktop() -> bool:
    """Whether a browser would come up on a screen, not as text in this terminal."""
    if sys.platform in {"win32", "darwin"}:
        return not os.environ.get("SSH_CONNECTION")
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
