"""How the web process logs: one line a record, on stderr, where the parent process collects it."""

from __future__ import annotations

from typing import Any

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        # One line a request says nothing that a failed one does not.
        "django.channels.server": {"level": "WARNING"},
        "daphne": {"level": "WARNING"},
        "aiohttp.access": {"level": "WARNING"},
    },
}
