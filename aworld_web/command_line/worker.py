"""Work on queued runs: a worker beside a running `aworld up`, or on another machine.

example:
  aworld worker
  AWORLD_MONGODB_URI=mongodb://… aworld worker --join redis://queue.example:6379/0
"""

from __future__ import annotations

import argparse
import os
import socket

from aworld import config
from aworld.errors import ConfigurationError
from aworld_web.processes.children import worker_command
from aworld_web.processes.home_lock import read_services
from aworld_web.processes.site import child_environment

NAME = "worker"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--join", metavar="URL", default="", help="the Redis to take work from")
    parser.add_argument("--queues", default="rollout", help="comma-separated (default: rollout)")
    parser.add_argument("--name", default="", help="how the worker is called")


def run(arguments: argparse.Namespace) -> int:
    """Become the worker; returns only where that fails.

    Raises:
        ConfigurationError: no Redis is named and no `aworld up` runs for this data folder.
    """
    settings = config.load()
    offered = read_services(settings.home)
    redis_url = arguments.join or settings.redis_url or (offered.redis_url if offered else "")
    if not redis_url:
        raise ConfigurationError(
            "A worker needs the Redis that holds the work: name it with --join redis://… or "
            f"AWORLD_REDIS_URL, or start aworld up for the data folder {str(settings.home)!r}."
        )
    model_url = os.environ.get("AWORLD_LOCAL_MODEL_URL") or (
        offered.local_model_url if offered else ""
    )
    environment = child_environment(
        settings.home, AWORLD_REDIS_URL=redis_url, AWORLD_LOCAL_MODEL_URL=model_url
    )
    name = arguments.name or f"worker-{os.getpid()}@{socket.gethostname()}"
    command = worker_command(name, arguments.queues)
    os.execve(command[0], list(command), environment)
