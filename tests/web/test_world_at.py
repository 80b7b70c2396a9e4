"""What a run's world looked like after each step."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from aworld.events.action import (
    EnvironmentObserved,
    EnvironmentReset,
    EnvironmentVerified,
    ToolCalled,
    ToolReturned,
)
from aworld.storage.base import Store
from tests.web.recorded import append, queued_run

pytestmark = pytest.mark.django_db


def picture(name: str) -> dict[str, Any]:
    """A picture as an event names it."""
    return {"name": name, "media_type": "image/png", "size": 3, "blob": "0" * 64}


def test_the_world_is_what_was_seen_and_changed_up_to_the_step(
    client: Client, store: Store
) -> None:
    run = queued_run(store)
    first = store.read(run.run_id)[-1].seq + 1
    seen = {"text": "A page.", "data": None, "attachments": [picture("first.png")], "done": False}
    write = {"action": "write", "path": "a.txt", "text": "x"}
    code = {"files": [{"path": "b.csv", "size": 12}]}
    append(
        store,
        run.run_id,
        ("supervisor", EnvironmentReset("web", "sites/x"), {}),
        ("supervisor", EnvironmentObserved(seen), {"span": first}),
        ("solver", ToolCalled("files", write), {}),
        ("solver", ToolReturned("files", "Written."), {"span": first + 2}),
        ("solver", ToolCalled("browser_click", {"target": "e1"}), {}),
        (
            "solver",
            ToolReturned(
                "browser_click",
                "Clicked.",
                attachments=(picture("second.png"),),
                observation_hash="1",
            ),
            {"span": first + 4},
        ),
        ("solver", ToolCalled("code_interpreter", {"code": "1"}), {}),
        ("solver", ToolReturned("code_interpreter", "1", data=code), {"span": first + 6}),
        ("solver", ToolCalled("files", {"action": "delete", "path": "a.txt"}), {}),
        ("solver", ToolReturned("files", "Gone."), {"span": first + 8}),
        ("supervisor", EnvironmentVerified(0.0, "Wrong.", {"expected": "4"}), {}),
    )

    def at(step: int) -> Any:
        return client.get(f"/api/runs/{run.run_id}/world?seq={first + step}").json()

    begun = at(1)
    assert (begun["environment"], begun["task"], begun["steps"]) == ("web", "sites/x", 0)
    assert (begun["text"], begun["picture"]["path"]) == ("A page.", "first.png")
    assert (begun["files"], begun["verdict"]) == ([], None)
    clicked = at(5)
    assert (clicked["text"], clicked["seen_seq"]) == ("Clicked.", first + 5)
    assert (clicked["picture"]["path"], clicked["steps"]) == ("second.png", 1)
    assert [(file["path"], file["what"]) for file in clicked["files"]] == [("a.txt", "written")]
    ended = client.get(f"/api/runs/{run.run_id}/world").json()
    assert [(file["path"], file["what"]) for file in ended["files"]] == [
        ("a.txt", "deleted"),
        ("b.csv", "written"),
    ]
    assert ended["verdict"]["details"] == {"expected": "4"}


def test_a_run_without_a_world_has_an_empty_one_and_no_step_beyond_its_end(
    client: Client, store: Store
) -> None:
    run = queued_run(store)
    world = client.get(f"/api/runs/{run.run_id}/world").json()
    assert (world["environment"], world["picture"], world["files"]) == ("", None, [])
    assert client.get(f"/api/runs/{run.run_id}/world?seq=99").status_code == 404
    assert client.get("/api/runs/nothing/world").status_code == 404
