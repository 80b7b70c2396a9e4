"""Teams over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.agents.models import ModelConnection

pytestmark = pytest.mark.django_db

SOLVER = {"name": "solver", "role": "solver", "model": "local", "tools": ["calculator"]}


@pytest.fixture(autouse=True)
def local_model(db: None) -> None:
    """A connection that teams may name."""
    ModelConnection.objects.create(name="local", provider="local")


def create(client: Client, **definition: Any) -> dict[str, Any]:
    response = client.post(
        "/api/teams",
        {"definition": {"name": "math", "agents": [SOLVER], **definition}},
        content_type="application/json",
    )
    assert response.status_code == 201, response.content
    team: dict[str, Any] = response.json()
    return team


def test_a_team_is_kept_as_it_was_written(client: Client) -> None:
    made = create(client, description="Calculates", layout={"solver": [4, 8]})

    read = client.get(f"/api/teams/{made['id']}").json()

    assert read == made
    assert (read["name"], read["description"], read["version"]) == ("math", "Calculates", 1)
    assert read["definition"]["layout"] == {"solver": [4, 8]}
    assert read["problems"] == []
    assert client.get("/api/teams").json() == [read]


def test_saving_raises_the_version(client: Client) -> None:
    team = create(client)

    saved = client.put(
        f"/api/teams/{team['id']}",
        {"definition": {"name": "algebra", "agents": [SOLVER]}, "version": 1},
        content_type="application/json",
    ).json()

    assert (saved["name"], saved["version"]) == ("algebra", 2)
    assert saved["updated_at"] > team["updated_at"]


def test_saving_over_a_version_that_moved_is_refused_and_changes_nothing(client: Client) -> None:
    team = create(client)
    address = f"/api/teams/{team['id']}"
    mine = {"definition": {"name": "math", "agents": []}, "version": 1}
    client.put(
        address, {"definition": team["definition"], "version": 1}, content_type="application/json"
    )

    response = client.put(address, mine, content_type="application/json")

    assert response.status_code == 409
    assert response.json()["extra"] == {"version": 2}
    assert client.get(address).json()["definition"] == team["definition"]


def test_a_name_is_taken_once(client: Client) -> None:
    create(client)

    response = client.post(
        "/api/teams", {"definition": {"name": " math "}}, content_type="application/json"
    )

    assert response.status_code == 409
    assert "'math'" in response.json()["message"]


@pytest.mark.parametrize("definition", [{}, {"name": ""}, {"name": "x" * 121}, {"name": 7}])
def test_a_team_needs_a_name(client: Client, definition: dict[str, Any]) -> None:
    response = client.post(
        "/api/teams", {"definition": definition}, content_type="application/json"
    )

    assert response.status_code == 422


@pytest.mark.parametrize(
    ("agents", "where", "named"),
    [
        ([], "agents", "no agent"),
        ([SOLVER, SOLVER], "agents[1].name", "'solver'"),
        (
            [{**SOLVER, "tools": ["calculator", "time_machine"]}],
            "agents[0].tools[1]",
            "'time_machine'",
        ),
        ([{**SOLVER, "model": "gpt-99"}], "agents[0].model", "'gpt-99'"),
        ([{**SOLVER, "role": "king"}], "agents[0].role", "'king'"),
        (
            [{**SOLVER, "after": ["b"]}, {**SOLVER, "name": "b", "after": ["solver"]}],
            "agents",
            "wait for each other",
        ),
    ],
)
def test_what_keeps_a_team_from_running_is_named_with_its_place(
    client: Client, agents: list[Any], where: str, named: str
) -> None:
    response = client.post(
        "/api/teams/check",
        {"definition": {"name": "t", "agents": agents}},
        content_type="application/json",
    )

    problems = response.json()["problems"]
    assert any(p["where"] == where and named in p["message"] for p in problems), problems


def test_a_team_with_problems_is_saved_and_shows_them(client: Client) -> None:
    team = create(client, agents=[])

    assert [problem["where"] for problem in team["problems"]] == ["agents"]


def test_a_deleted_team_is_gone(client: Client) -> None:
    team = create(client)

    assert client.delete(f"/api/teams/{team['id']}").status_code == 204
    assert client.get(f"/api/teams/{team['id']}").status_code == 404


def test_an_id_that_is_no_id_is_named(client: Client) -> None:
    response = client.get("/api/teams/seven")

    assert response.status_code == 404
    assert "'seven'" in response.json()["message"]


def test_roles_and_tools_are_listed_with_what_they_take(client: Client) -> None:
    roles = {role["name"]: role for role in client.get("/api/roles").json()}
    tools = {tool["name"]: tool for tool in client.get("/api/tools").json()}

    assert {"solver", "verifier"} <= set(roles)
    assert roles["solver"]["instructions"]
    assert tools["calculator"]["effect"] == "read_only"
    assert tools["calculator"]["parameters"]["type"] == "object"


def test_a_body_that_is_no_json_is_answered_in_the_same_shape(client: Client) -> None:
    response = client.post("/api/teams", "{broken", content_type="application/json")

    assert response.status_code in (400, 422)
    assert set(response.json()) == {"message", "extra"}


def test_a_field_of_the_wrong_type_is_named(client: Client) -> None:
    response = client.post("/api/teams", {"definition": 7}, content_type="application/json")

    assert response.status_code == 422
    assert response.json()["extra"]["problems"][0]["where"] == "body.definition"
