"""What goes wrong around the server is said with its cure."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.test import Client

from apps.shell.surroundings import explained
from apps.tasks.models import Task


@pytest.mark.django_db(transaction=True)
def test_a_full_disk_is_said_and_nothing_is_lost(client: Client) -> None:
    client.raise_request_exception = False
    with connection.cursor() as cursor:
        # SQLite says the same of its own limit as of the disk's.
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    try:
        body = {"set": "s", "question": "q" * 200_000}
        response = client.post("/api/tasks", body, content_type="application/json")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1073741823")

    assert response.status_code == 503
    assert response.json()["message"] == (
        "Nothing was written: database or disk is full. Free some space on the disk of the data "
        "folder, then try again."
    )
    assert not Task.objects.exists()


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "Free some space"),
        (OSError(errno.EROFS, "Read-only file system"), "cannot be used: Read-only"),
        (OperationalError("database is locked"), "cannot be used: database is locked"),
    ],
)
def test_the_machines_faults_are_told_from_ours(error: Exception, says: str) -> None:
    assert says in explained(error)


def test_a_fault_of_ours_is_no_excuse(tmp_path: Path) -> None:
    assert explained(OperationalError("no such table: tasks")) == ""
    assert explained(ValueError("disk is full")) == ""
    assert explained(FileNotFoundError(errno.ENOENT, "No such file")) == ""
