"""What is reached over the network: the page's port, Redis, MongoDB, models."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from aworld.config import Config
from aworld_web.processes import report
from aworld_web.processes.checks.finding import Finding
from aworld_web.processes.ports import holder, is_free

__all__ = ["keys", "mongodb", "port", "redis"]

_TIMEOUT_MS = 3000


def port(home: Path, number: int) -> Finding:
    """Whether the page's port can be had."""
    if is_free(number):
        return Finding(f"Port {number}", "ok", "free")
    running = report.read(home)
    if running and running.setup.ready and running.parent.url.endswith(f":{number}"):
        return Finding(f"Port {number}", "ok", f"AWorld runs at {running.parent.url}")
    return Finding(
        f"Port {number}",
        "missing",
        f"taken by {holder(number) or 'another program'}",
        f"End that, or choose another: aworld up --port {number + 1}",
    )


def redis(settings: Config) -> Finding:
    """Whether the named Redis answers."""
    if not settings.redis_url:
        return Finding("Redis", "ok", "not named; aworld up starts Valkey")
    import redis as client

    where = _without_password(settings.redis_url)
    try:
        connection = client.Redis.from_url(
            settings.redis_url, socket_connect_timeout=_TIMEOUT_MS / 1000
        )
        version = connection.info("server").get("redis_version", "")
        connection.close()
    except (client.RedisError, ValueError, OSError) as fault:
        return Finding(
            "Redis", "missing", f"{where}: {fault}", "Start it, or mend AWORLD_REDIS_URL."
        )
    return Finding("Redis", "ok", f"{where}, version {version}")


def mongodb(settings: Config) -> Finding:
    """Whether the named MongoDB answers."""
    if not settings.mongodb_uri:
        return Finding("MongoDB", "ok", "not named; SQLite in the data folder")
    from pymongo import MongoClient
    from pymongo.errors import PyMongoError

    where = _without_password(settings.mongodb_uri)
    try:
        with MongoClient[dict[str, object]](
            settings.mongodb_uri, serverSelectionTimeoutMS=_TIMEOUT_MS
        ) as connection:
            version = str(connection.server_info()["version"])
    except PyMongoError as fault:
        words = str(fault).split(", Timeout:")[0]
        return Finding(
            "MongoDB", "missing", f"{where}: {words}", "Start it, or mend AWORLD_MONGODB_URI."
        )
    return Finding("MongoDB", "ok", f"{where}, version {version}")


def keys() -> Finding:
    """Which providers' keys are in the environment; never what they are."""
    from aworld.llm.provider import providers

    named = sorted({provider.key_env for provider in providers() if provider.key_env})
    there = [name for name in named if os.environ.get(name)]
    if there:
        return Finding("Keys", "ok", ", ".join(there))
    return Finding(
        "Keys",
        "note",
        "none in the environment; the local model needs none",
        "For another model: add a connection on the page Settings, or set "
        + " or ".join(named[:3])
        + ".",
    )


def _without_password(url: str) -> str:
    """The URL as it may be shown."""
    parts = urlsplit(url)
    host = parts.netloc.rsplit("@", 1)[-1]
    return f"{parts.scheme}://{host}{parts.path}"
