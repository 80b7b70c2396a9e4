"""What a request may hold: whatever a database or a log could not give back is refused at once."""

from __future__ import annotations

import pytest
from django.test import Client

from aworld.storage.base import Store
from tests.web import recorded

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"input": "a\\ud800b"}', "surrogates not allowed"),
        (b'{"input": "\xff"}', "invalid start byte"),
        (b'{"input": "a", "priority": NaN}', "NaN is no number"),
        (b'{"input": "a", "priority": 1e999}', "1e999 is too large"),
        (b'{"input": "a", "priority": ' + b"9" * 6000 + b"}", "more than 64 bits"),
        (b'{"input": "a", "priority": 9223372036854775808}', "more than 64 bits"),
        (b'{"input": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b"{{", "Expecting property name"),
    ],
)
def test_a_body_that_cannot_be_kept_is_refused_with_the_reason(
    client: Client, body: bytes, why: str
) -> None:
    response = client.post("/api/runs", body, content_type="application/json")

    assert response.status_code == 400
    assert why in response.json()["message"]


def test_escaped_pairs_and_the_largest_numbers_are_read(client: Client) -> None:
    body = b'{"set": "s", "question": "\\ud83d\\ude00", "metadata": {"n": 9223372036854775807}}'
    response = client.post("/api/tasks", body, content_type="application/json")

    assert response.status_code == 201
    assert response.json()["question"] == "\N{GRINNING FACE}"
    assert response.json()["metadata"] == {"n": 2**63 - 1}


@pytest.mark.parametrize(
    "address",
    [
        "/api/tasks?offset=99999999999999999999",
        "/api/runs?offset=99999999999999999999&limit=99999999999999999999",
        "/api/runs/{run}/events?after=99999999999999999999",
        "/api/runs/{run}/events?min_severity=99999999999999999999",
        "/api/runs/{run}/bars?start=-1e300&end=1e300",
    ],
)
def test_numbers_beyond_a_databases_end_at_its_bounds(
    client: Client, store: Store, address: str
) -> None:
    run = recorded.finished_run(store)
    assert client.get(address.format(run=run.run_id)).status_code == 200


def test_times_that_are_no_numbers_are_refused(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)
    response = client.get(f"/api/runs/{run.run_id}/bars?start=nan&end=inf")

    assert response.status_code == 422
    assert "no numbers" in response.json()["message"]
