"""`/api/teams`, `/api/roles`, `/api/tools`, `/api/models`, `/api/providers`."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router

from apps.agents import model_selectors, model_services, selectors, services
from apps.agents.schemas import (
    ModelIn,
    ModelOut,
    ProblemsOut,
    ProviderOut,
    RoleOut,
    TeamIn,
    TeamOut,
    TestOut,
    ToolOut,
)
from apps.agents.trial import try_connection
from apps.shell.responses import json_response

router = Router()


@router.get("/teams", response=list[TeamOut], tags=["teams"], summary="All teams")
def team_list(request: HttpRequest) -> HttpResponse:
    """Each with the problems that keep it from running."""
    return json_response(selectors.team_list())


@router.post("/teams", response={201: TeamOut}, tags=["teams"], summary="Add a team")
def team_create(request: HttpRequest, body: TeamIn) -> HttpResponse:
    """201; 409 where the name is taken."""
    return json_response(selectors.team_fields(services.team_create(body.definition)), 201)


@router.post(
    "/teams/check", response=ProblemsOut, tags=["teams"], summary="What is wrong with a definition"
)
def team_check(request: HttpRequest, body: TeamIn) -> HttpResponse:
    """`{problems: [{where, message}]}`."""
    return json_response({"problems": selectors.team_problems(body.definition)})


@router.get("/teams/{team_id}", response=TeamOut, tags=["teams"], summary="One team")
def team_get(request: HttpRequest, team_id: str) -> HttpResponse:
    """404 where there is none."""
    return json_response(selectors.team_fields(selectors.team_get(team_id)))


@router.put("/teams/{team_id}", response=TeamOut, tags=["teams"], summary="Save a team")
def team_update(request: HttpRequest, team_id: str, body: TeamIn) -> HttpResponse:
    """409 where the version moved."""
    team = services.team_update(team_id, body.definition, body.version)
    return json_response(selectors.team_fields(team))


@router.delete("/teams/{team_id}", response={204: None}, tags=["teams"], summary="Remove a team")
def team_delete(request: HttpRequest, team_id: str) -> HttpResponse:
    """204."""
    services.team_delete(team_id)
    return HttpResponse(status=204)


@router.get("/roles", response=list[RoleOut], tags=["teams"], summary="What an agent may be")
def role_list(request: HttpRequest) -> HttpResponse:
    """`[{name, instructions, tools}]`."""
    return json_response(selectors.roles())


@router.get("/tools", response=list[ToolOut], tags=["teams"], summary="What an agent may call")
def tool_list(request: HttpRequest) -> HttpResponse:
    """`[{name, description, parameters, effect}]`."""
    return json_response(selectors.tools())


@router.get(
    "/providers",
    response=list[ProviderOut],
    tags=["models"],
    summary="Whom a model connection may go to",
)
def provider_list(request: HttpRequest) -> HttpResponse:
    """`[{name, title, base_url, url_example, needs_key, key_env, quirks}]`."""
    return json_response(model_selectors.providers())


@router.get("/models", response=list[ModelOut], tags=["models"], summary="All model connections")
def model_list(request: HttpRequest) -> HttpResponse:
    """Never with a key."""
    return json_response(model_selectors.model_list())


@router.post("/models", response={201: ModelOut}, tags=["models"], summary="Add a model connection")
def model_create(request: HttpRequest, body: ModelIn) -> HttpResponse:
    """201; 409 where the name is taken."""
    connection = model_services.model_create(body.dict(exclude={"api_key"}), body.api_key)
    return json_response(model_selectors.model_fields(connection), 201)


@router.get(
    "/models/{model_id}", response=ModelOut, tags=["models"], summary="One model connection"
)
def model_get(request: HttpRequest, model_id: str) -> HttpResponse:
    """404 where there is none."""
    return json_response(model_selectors.model_shown(model_id))


@router.put(
    "/models/{model_id}", response=ModelOut, tags=["models"], summary="Change a model connection"
)
def model_update(request: HttpRequest, model_id: str, body: ModelIn) -> HttpResponse:
    """The key stays where `api_key` is absent. 409 for a connection of config.yaml."""
    connection = model_services.model_update(model_id, body.dict(exclude={"api_key"}), body.api_key)
    return json_response(model_selectors.model_fields(connection))


@router.delete(
    "/models/{model_id}", response={204: None}, tags=["models"], summary="Remove a model connection"
)
def model_delete(request: HttpRequest, model_id: str) -> HttpResponse:
    """204."""
    model_services.model_delete(model_id)
    return HttpResponse(status=204)


@router.post(
    "/models/{model_id}/test", response=TestOut, tags=["models"], summary="Ask the model one word"
)
def model_test(request: HttpRequest, model_id: str) -> HttpResponse:
    """`{ok, message, latency_ms, reply}`."""
    return json_response(try_connection(model_id))
