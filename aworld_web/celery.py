"""Celery: wakes workers. Which run is whose stands in the store; a lost message costs latency."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready, worker_shutdown

from aworld import config

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aworld_web.settings")

QUEUE = "rollout"

app = Celery("aworld")
app.conf.update(
    broker_url=config.load().redis_url or "memory://",
    task_default_queue=QUEUE,
    task_ignore_result=True,
    # A wake-up that nobody took in time is stale: every worker looks at the queue by itself.
    task_routes={"aworld.wake": {"queue": QUEUE}},
    broker_connection_retry_on_startup=True,
    broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 2},
    worker_hijack_root_logger=False,
    # Redirected, stderr is a logger, and Django's handler would write its lines into itself.
    worker_redirect_stdouts=False,
    worker_enable_remote_control=False,
    timezone="UTC",
)


@app.task(name="aworld.wake", expires=60)  # type: ignore[untyped-decorator]
def wake() -> None:
    """Look at the queue of runs now."""
    from aworld_web.jobs import worker_jobs

    worker_jobs().wake()


@worker_ready.connect  # type: ignore[untyped-decorator]
def start_pump(**_signal: Any) -> None:
    """The worker's one thread that drives runs."""
    import django

    django.setup()
    from aworld_web.jobs import worker_jobs

    worker_jobs().start()


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def stop_pump(**_signal: Any) -> None:
    """Claim nothing more; what does not end at once is taken up by another worker."""
    from aworld_web.jobs import worker_jobs

    worker_jobs().stop(grace_s=3.0)
