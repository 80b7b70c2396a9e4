"""A web installation in a data folder of its own, and people in its pages.

The settings are read from the environment when Django is set up, so the folder is made here,
before anything imports them; afterwards the environment is as it was.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import django
import pytest

_HOME = Path(tempfile.mkdtemp(prefix="aworld-web-"))
atexit.register(shutil.rmtree, _HOME, ignore_errors=True)
with pytest.MonkeyPatch.context() as _environment:
    for _name in ("AWORLD_MONGODB_URI", "AWORLD_REDIS_URL"):
        _environment.delenv(_name, raising=False)
    _environment.setenv("AWORLD_HOME", str(_HOME))
    _environment.setenv("DJANGO_SETTINGS_MODULE", "aworld_web.settings")
    django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.test import Client  # noqa: E402

from apps.runs.stores import close_run_store, run_store  # noqa: E402
from aworld.storage.base import Store  # noqa: E402

# The real one takes a third of a second, on purpose.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def home() -> Path:
    """The installation's data folder."""
    return _HOME


@pytest.fixture
def store() -> Iterator[Store]:
    """The installation's store of runs, empty; other threads and requests see the same one."""
    close_run_store()
    for file in (*_HOME.glob("runs.sqlite3*"), _HOME / "blobs"):
        shutil.rmtree(file) if file.is_dir() else file.unlink(missing_ok=True)
    yield run_store()
    close_run_store()


@pytest.fixture
def ada(db: None) -> User:
    """A person with an account."""
    return User.objects.create_user("ada", password="a long word")


@pytest.fixture
def client(ada: User, store: Store) -> Client:
    """Ada's browser, logged in."""
    browser = Client()
    browser.force_login(ada)
    return browser
