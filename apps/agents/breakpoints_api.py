"""`/api/teams/{id}/breakpoints`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema

from apps.agents.breakpoints import team_breakpoints, team_breakpoints_save
from apps.agents.selectors import team_get
from apps.shell.responses import json_response

router = Router(tags=["debugging"])


class BreakpointsIn(Schema):
    """Breakpoints as `aworld.runtime.breakpoints.Breakpoint` describes them."""

    breakpoints: list[Any]


class UnboundOut(Schema):
    """A breakpoint whose agent or tool the team does not have any more."""

    id: str
    message: str


class BreakpointsOut(Schema):
    """A team's breakpoints."""

    breakpoints: list[dict[str, Any]]
    unbound: list[UnboundOut]


@router.get("/teams/{team_id}/breakpoints", response=BreakpointsOut, summary="A team's breakpoints")
def breakpoints_get(request: HttpRequest, team_id: str) -> HttpResponse:
    """With those that name an agent or tool the team does not have."""
    return json_response(team_breakpoints(team_get(team_id)))


@router.put(
    "/teams/{team_id}/breakpoints", response=BreakpointsOut, summary="Save a team's breakpoints"
)
def breakpoints_put(request: HttpRequest, team_id: str, body: BreakpointsIn) -> HttpResponse:
    """400 where one cannot be used."""
    return json_response(team_breakpoints(team_breakpoints_save(team_id, body.breakpoints)))
