"""Fixtures for all tests."""

from __future__ import annotations

from tests.servers import mongodb_uri, valkey_url

__all__ = ["mongodb_uri", "valkey_url"]
