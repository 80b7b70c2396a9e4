"""WebSocket addresses and what guards them: only our own pages, only logged-in people."""

from __future__ import annotations

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator, WebsocketDenier
from django.conf import settings
from django.urls import path

from apps.runs.consumers import LiveConsumer
from apps.runs.live.flow import Application, FlowControl, Receive, Scope, Send


class OwnPages:
    """Lets pages in that came from this very address, port included.

    The host's name alone is not enough: cookies do not tell the ports of a host apart, so a page
    that any other server on this machine shows would be let in as whoever is logged in here.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.lower(): value.decode("latin1") for name, value in scope["headers"]}
        origin, host = headers.get(b"origin", ""), headers.get(b"host", "")
        own = origin.lower() in {f"http://{host}".lower(), f"https://{host}".lower()}
        if own or origin in settings.CSRF_TRUSTED_ORIGINS:
            await self._application(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)


websocket_application = FlowControl(
    AllowedHostsOriginValidator(
        OwnPages(AuthMiddlewareStack(URLRouter([path("ws/live", LiveConsumer.as_asgi())])))
    )
)
