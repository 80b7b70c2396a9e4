"""The web application's fixtures, and a worker in this process that plays scripted teams."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

# Sets Django up; whatever has models comes after it.
from tests.web.conftest import ada, client, home, store  # isort: skip
from apps.agents.models import ModelConnection
from apps.runs import wake
from apps.runs.debugging_selectors import folds
from aworld.storage.base import Store
from tests.apps.debugger import Debugger

__all__ = ["ada", "client", "home", "store"]


@pytest.fixture
def debugger(client: Client, store: Store) -> Iterator[Debugger]:
    """Ada at the debugger, with a worker whose models say what the test tells them."""
    ModelConnection.objects.create(name="m", provider="local")
    made = Debugger(client, store)
    made.jobs.start()
    wake.use(made.jobs)
    yield made
    wake.drop(made.jobs)
    made.jobs.stop(grace_s=1.0)
    for run in made.runs:
        folds.forget(run)
