"""The web process: HTTP by Django, `/ws/live` by Channels, and in single-process mode the pump."""

from __future__ import annotations

import atexit
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aworld_web.settings")

from django.core.asgi import get_asgi_application

django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from apps.runs import wake  # noqa: E402
from aworld_web.jobs import CeleryJobs, Reaper, worker_jobs  # noqa: E402
from aworld_web.mcp_endpoint import McpEndpoint  # noqa: E402
from aworld_web.routing import websocket_application  # noqa: E402

application = ProtocolTypeRouter(
    {"http": McpEndpoint(django_application), "websocket": websocket_application}
)


def _start_work() -> None:
    """What this process does besides answering. Daphne has no lifespan, so it starts here."""
    if settings.SINGLE_PROCESS:
        jobs = worker_jobs()
        jobs.start()
        wake.use(jobs)
        atexit.register(jobs.stop, grace_s=1.0)
        return
    wake.use(CeleryJobs())
    reaper = Reaper()
    reaper.start()
    atexit.register(reaper.stop)


_start_work()
