"""`/ws/live`: what a browser asks for over its one socket."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import msgspec
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils.translation import gettext as _

from apps.runs.live.client import LiveClient
from apps.runs.live.flow import FLOW
from apps.runs.live.hub import Hub, running_hub
from apps.runs.stores import run_store
from apps.runs.wake import doorbell
from aworld.errors import AWorldError

NOT_LOGGED_IN = 4401
"""The close code; a page then opens the log-in."""


class Follow(msgspec.Struct, tag="follow"):
    """Send a run's events after a seq."""

    run: str
    after: int = -1


class Unfollow(msgspec.Struct, tag="unfollow"):
    """Send no more of a run."""

    run: str


class Runs(msgspec.Struct, tag="runs"):
    """Send changes of the run list."""


_decoder = msgspec.json.Decoder(Follow | Unfollow | Runs)


class LiveConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One connection. Everything it is sent goes through its `LiveClient`."""

    hub: Hub
    client: LiveClient | None = None
    sender: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Let a logged-in person in."""
        await self.accept()
        if not self.scope["user"].is_authenticated:
            message = _("You are not logged in. Open /login, or the link that 'aworld up' printed.")
            await self._refuse(message)
            await self.close(NOT_LOGGED_IN)
            return
        # Opening the store may take a while; the loop serves the others meanwhile.
        await asyncio.to_thread(run_store)
        self.hub = running_hub(doorbell())
        self.client = self.hub.join(self.scope[FLOW])
        self.sender = asyncio.create_task(self.client.run())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """One message of the browser."""
        if self.client is None:
            return
        try:
            message = _decoder.decode(text_data or b"")
            await self._carry_out(self.client, message)
        except msgspec.DecodeError as error:
            await self._refuse(
                _(
                    'The message cannot be read (%(error)s). Send {"type": "follow", "run": …, '
                    '"after": …}, {"type": "unfollow", "run": …} or {"type": "runs"}.'
                )
                % {"error": error}
            )
        except AWorldError as error:
            await self._refuse(str(error))

    async def _carry_out(self, client: LiveClient, message: Follow | Unfollow | Runs) -> None:
        if isinstance(message, Follow):
            await self.hub.follow(client, message.run, message.after)
        elif isinstance(message, Unfollow):
            self.hub.unfollow(client, message.run)
        else:
            await self.hub.want_runs(client)

    async def disconnect(self, code: int) -> None:
        """The browser is gone."""
        if self.client is not None:
            self.hub.leave(self.client)
        if self.sender is not None:
            self.sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.sender

    async def _refuse(self, message: str) -> None:
        await self.send(text_data=_error(message))


def _error(message: str) -> str:
    error: dict[str, Any] = {"type": "error", "message": message}
    return msgspec.json.encode(error).decode()
