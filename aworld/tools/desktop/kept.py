"""The desktops that a process keeps between calls: one for each workspace."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from pathlib import Path

from aworld.errors import ToolError
from aworld.tools import open_things
from aworld.tools.desktop.session import DesktopSession

MOST_DESKTOPS = 8
"""Each may take up to 4 GB of memory."""
_NAME = "desktop"


class KeptDesktop:
    """A workspace's desktop, started by its first use and again after it ended."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._private: Path | None = None
        self._session: DesktopSession | None = None
        self.lock = asyncio.Lock()
        """Held during a call: there is one mouse."""

    async def session(self) -> tuple[DesktopSession, str]:
        """The desktop, and a note where it had to be started anew.

        Raises:
            EnvironmentFault: it does not start.
        """
        note = ""
        if self._session is not None and not self._session.running:
            note = "The desktop had ended and was started anew; open programs are lost."
            await self.close()
        if self._session is None:
            self._private = Path(tempfile.mkdtemp(prefix="aworld-desktop-"))
            self._private.chmod(0o755)
            self._session = await DesktopSession.start(self._workspace, self._private)
        return self._session, note

    async def close(self) -> None:
        """End it."""
        session, self._session = self._session, None
        private, self._private = self._private, None
        if session is not None:
            with contextlib.suppress(ProcessLookupError, RuntimeError):
                await session.close()
        if private is not None:
            shutil.rmtree(private, ignore_errors=True)


_kept: dict[tuple[asyncio.AbstractEventLoop, str], KeptDesktop] = {}


def desktop_of(workspace: str) -> KeptDesktop:
    """The workspace's desktop, not started yet where it is new.

    Raises:
        ToolError: there is no workspace, or there are too many desktops.
    """
    if not workspace:
        raise ToolError("The desktop needs a workspace, which this call has not.")
    loop = asyncio.get_running_loop()
    for key in [key for key in _kept if key[0].is_closed()]:
        del _kept[key]
    known = _kept.get((loop, workspace))
    if known is None:
        if len(_kept) >= MOST_DESKTOPS:
            raise ToolError(
                f"{MOST_DESKTOPS} desktops are open on this worker already. Try again later."
            )
        known = _kept[loop, workspace] = KeptDesktop(Path(workspace))
        open_things.close_with(workspace, _NAME, lambda: close_desktop(workspace))
    return known


async def close_desktop(workspace: str) -> None:
    """End the workspace's desktop, if there is one."""
    known = _kept.pop((asyncio.get_running_loop(), workspace), None)
    open_things.forget(workspace, _NAME)
    if known is not None:
        await known.close()
