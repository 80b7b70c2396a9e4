"""WebSocket addresses and what guards them: only our own pages, only logged-in people."""

from __future__ import annotations

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import path

from apps.runs.consumers import LiveConsumer
from apps.runs.live.flow import FlowControl

websocket_application = FlowControl(
    AllowedHostsOriginValidator(
        AuthMiddlewareStack(URLRouter([path("ws/live", LiveConsumer.as_asgi())]))
    )
)
