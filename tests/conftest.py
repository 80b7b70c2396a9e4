"""Fixtures for all tests, and the order that their files are run in."""

from __future__ import annotations

import pytest

from tests.servers import mongodb_uri, valkey_url

__all__ = ["mongodb_uri", "valkey_url"]

LONGEST = ("setup/test_browser.py",)
"""Files that take minutes: they begin first, while other workers do the rest."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, the others as they were."""
    items.sort(key=lambda item: not item.path.as_posix().endswith(LONGEST))
