"""Where definitions are kept: SQLite in the data folder, or MongoDB by its URI."""

from __future__ import annotations

from typing import Any

from aworld.config import Config

DEFAULT_DATABASE = "aworld"
"""Name of the MongoDB database where the URI names none."""


def database(config: Config) -> dict[str, Any]:
    """Django's description of the default database."""
    if config.mongodb_uri:
        from pymongo.uri_parser import parse_uri

        named = parse_uri(config.mongodb_uri, validate=False)["database"]
        return {
            "ENGINE": "django_mongodb_backend",
            "HOST": config.mongodb_uri,
            "NAME": named or DEFAULT_DATABASE,
        }
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": config.home / "web.sqlite3",
        "OPTIONS": {
            "timeout": 20,
            # A reader that turns writer in the middle is refused at once; begin as a writer.
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def migration_modules(config: Config) -> dict[str, str]:
    """Django's own apps have integer keys; on MongoDB they need migrations of their own."""
    if not config.mongodb_uri:
        return {}
    return {
        "auth": "aworld_web.mongo_migrations.auth",
        "contenttypes": "aworld_web.mongo_migrations.contenttypes",
    }
