"""Which processes the product is made of, and how each is started."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from aworld_web.processes.child import ChildSpec
from aworld_web.processes.probes import http_answers
from aworld_web.processes.site import child_environment

__all__ = ["Addresses", "model_server", "web", "worker"]


class Addresses(NamedTuple):
    """What the children are told of each other; "" where there is none."""

    redis_url: str
    local_model_url: str


def _environment(home: Path, addresses: Addresses, *, single_process: bool) -> dict[str, str]:
    return child_environment(
        home,
        AWORLD_REDIS_URL=addresses.redis_url,
        AWORLD_LOCAL_MODEL_URL=addresses.local_model_url,
        AWORLD_SINGLE_PROCESS="1" if single_process else "",
    )


def web(home: Path, port: int, addresses: Addresses, *, single_process: bool) -> ChildSpec:
    """Daphne, on the loopback. In single-process mode it also works on the runs."""
    return ChildSpec(
        name="web",
        command=(
            *(sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(port)),
            *("--verbosity", "0", "aworld_web.asgi:application"),
        ),
        environment=_environment(home, addresses, single_process=single_process),
        healthy=http_answers(port, "/api/session"),
    )


def worker(home: Path, number: int, addresses: Addresses) -> ChildSpec:
    """A Celery worker of the queue `rollout`; threads, since a run mostly waits."""
    name = f"worker-{number}"
    return ChildSpec(
        name=name,
        command=worker_command(f"{name}@%h"),
        environment={
            **_environment(home, addresses, single_process=False),
            # In a container there is only the administrator, and code from a stranger runs in
            # the sandbox; the warning would be the first thing that a newcomer reads.
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        },
        ready_line=" ready.",
        grace_s=10.0,
    )


def worker_command(node: str, queues: str = "rollout") -> tuple[str, ...]:
    """How a Celery worker is started here and by `aworld worker`."""
    return (
        *(sys.executable, "-m", "celery", "--quiet", "-A", "aworld_web.celery", "worker"),
        *("--pool=threads", "-Q", queues, "-n", node, "--loglevel", "INFO"),
        # Workers that talk among themselves wake an idle machine for nothing.
        *("--without-gossip", "--without-mingle"),
    )


def model_server(home: Path, port: int) -> ChildSpec:
    """llama.cpp's server with the local model."""
    return ChildSpec(
        name="model",
        command=(sys.executable, "-m", "aworld.llm.llama_server", "--port", str(port)),
        environment=child_environment(home),
        healthy=http_answers(port, "/health"),
        grace_s=3.0,
    )
