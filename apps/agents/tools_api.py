"""`/api/tool-catalogue`, `/api/tools/{name}`, and trying a tool out: `/api/tool-trials`."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Schema

from apps.agents import tool_selectors as selectors
from apps.agents.tool_trials import tool_trials
from apps.shell.responses import file_response, json_response

router = Router(tags=["tools"])


class UserOut(Schema):
    """A team that has the tool, and which of its agents."""

    id: str
    name: str
    agents: list[str]


class CatalogueToolOut(Schema):
    """A tool. `source` is where it is from in words: a file, or an MCP server."""

    name: str
    description: str
    effect: Literal["read_only", "idempotent", "unsafe"]
    origin: Literal["built_in", "own", "mcp", "registered"]
    source: str
    timeout_s: float
    teams: list[UserOut]


class ToolProblemOut(Schema):
    """What was to be a tool and is none; `where` is `file:line`."""

    where: str
    message: str


class CatalogueOut(Schema):
    """All tools by name."""

    tools: list[CatalogueToolOut]
    problems: list[ToolProblemOut]


class ToolDetailOut(CatalogueToolOut):
    """A tool with the JSON Schema of its arguments."""

    parameters: dict[str, Any]
    long_results: bool


class TrialOut(Schema):
    """A scratch folder."""

    id: str


class CallIn(Schema):
    """A call to try. `timeout_s` null takes the tool's own limit; `network` are hosts that it may
    reach."""

    tool: str
    arguments: dict[str, Any] = {}
    timeout_s: float | None = Field(default=None, gt=0, le=600)
    network: list[str] = []


class FileOut(Schema):
    """A file that came back, and where it is fetched."""

    name: str
    media_type: str
    size: int
    url: str


class OutcomeOut(Schema):
    """How a call ended. Where it failed, `text` says why and `reason` is a word for it."""

    number: int
    ok: bool
    seconds: float
    text: str
    data: Any
    attachments: list[FileOut]
    reason: str


def _by(request: HttpRequest) -> str:
    return str(request.user.get_username())


@router.get("/tool-catalogue", response=CatalogueOut, summary="All tools, and what keeps others")
def catalogue(request: HttpRequest) -> HttpResponse:
    """`{tools, problems}`."""
    return json_response(selectors.tool_catalogue())


@router.get("/tools/{name}", response=ToolDetailOut, summary="One tool")
def tool_get(request: HttpRequest, name: str) -> HttpResponse:
    """404 where there is none; the text names the nearest."""
    return json_response(selectors.tool_fields(name))


@router.post("/tool-trials", response={201: TrialOut}, summary="Make a scratch folder")
def trial_create(request: HttpRequest) -> HttpResponse:
    """201; 422 where too many are open."""
    return json_response({"id": tool_trials().open(by=_by(request))}, 201)


@router.post("/tool-trials/{id}/calls", response=OutcomeOut, summary="Call a tool there")
def trial_call(request: HttpRequest, id: str, body: CallIn) -> HttpResponse:
    """Answers when the call has ended, however it did."""
    selectors.tool_get(body.tool)
    outcome = tool_trials().call(
        id,
        body.tool,
        body.arguments,
        by=_by(request),
        timeout_s=body.timeout_s,
        network=body.network,
    )
    return json_response(selectors.trial_fields(outcome, id))


@router.post("/tool-trials/{id}/cancel", response={204: None}, summary="End the call there")
def trial_cancel(request: HttpRequest, id: str) -> HttpResponse:
    """204, also where no call goes on."""
    tool_trials().cancel(id, by=_by(request))
    return HttpResponse(status=204)


@router.get("/tool-trials/{id}/files/{call}/{number}", summary="A file that a call gave back")
def trial_file(request: HttpRequest, id: str, call: int, number: int) -> HttpResponse:
    """Kept for the last ten calls."""
    file = tool_trials().file(id, call, number, by=_by(request))
    return file_response(file.name, file.media_type, file.data)


@router.delete("/tool-trials/{id}", response={204: None}, summary="End a scratch folder")
def trial_delete(request: HttpRequest, id: str) -> HttpResponse:
    """204."""
    tool_trials().close(id, by=_by(request))
    return HttpResponse(status=204)
