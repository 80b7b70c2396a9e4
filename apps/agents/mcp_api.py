"""`/api/mcp-servers`. Reading is for everybody; a command runs on this machine, so that changing
and testing are for staff."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Router, Schema

from apps.agents import mcp_selectors as selectors
from apps.agents import mcp_services as services
from apps.shell.refusals import Forbidden
from apps.shell.responses import json_response

router = Router(tags=["mcp servers"])


class ServerIn(Schema):
    """A server as an entry of `mcpServers`, with its name. On a change, a variable or header whose
    value is null keeps the stored one."""

    name: str
    command: str = ""
    args: list[str] = []
    env: dict[str, str | None] = {}
    cwd: str = ""
    url: str = ""
    headers: dict[str, str | None] = {}
    each_run: bool = False
    timeout_s: float = 60.0


class ImportIn(Schema):
    """`{"mcpServers": {name: {...}}}`, as in other clients' configuration files."""

    config: Any


class OfferIn(Schema):
    """What agents may be given: absent stays, `tools` null means all."""

    enabled: bool | None = None
    tools: list[str] | None = None


class McpToolOut(Schema):
    """A tool as its server describes it; `offered_as` is its name for agents."""

    name: str
    offered_as: str
    title: str
    description: str
    parameters: dict[str, Any]
    effect: Literal["read_only", "idempotent", "unsafe"]
    problem: str
    offered: bool


class McpServerOut(Schema):
    """A server, never with its secrets: `env` and `headers` are names. `tools` is null where it
    was not asked yet. The last four fields are for staff."""

    id: str
    name: str
    way: Literal["stdio", "http"]
    address: str
    env: list[str]
    headers: list[str]
    each_run: bool
    timeout_s: float
    enabled: bool
    state: Literal["untested", "ok", "failed"]
    message: str
    server: str
    protocol: str
    tools: list[McpToolOut] | None
    cut: bool
    command: str | None = None
    args: list[str] | None = None
    cwd: str | None = None
    url: str | None = None


class ImportedOut(Schema):
    """The servers that were added, and fields of other clients that mean nothing here."""

    servers: list[McpServerOut]
    ignored: list[str]


class TriedOut(Schema):
    """How a test ended, and the server after it."""

    ok: bool
    message: str
    latency_ms: int
    server: McpServerOut


def _is_staff(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_staff", False))


def _need_staff(request: HttpRequest) -> None:
    if not _is_staff(request):
        raise Forbidden(
            _(
                "Only staff may add, change or test MCP servers: their commands run on the "
                "server's machine. Ask someone who may, or have your account made one of staff."
            )
        )


def _fields(body: ServerIn) -> dict[str, Any]:
    fields = body.dict(exclude={"name"})
    # An empty one is none: only those of the way that is meant are read.
    return {name: value for name, value in fields.items() if value not in ("", [], {})}


@router.get("/mcp-servers", response=list[McpServerOut], summary="All MCP servers")
def server_list(request: HttpRequest) -> HttpResponse:
    """By name, with what each said it offers."""
    return json_response(selectors.server_list(in_full=_is_staff(request)))


@router.post("/mcp-servers", response={201: McpServerOut}, summary="Add an MCP server")
def server_create(request: HttpRequest, body: ServerIn) -> HttpResponse:
    """201; 409 where the name is taken. It is asked for its tools by `/test`."""
    _need_staff(request)
    server = services.server_create(body.name, _fields(body))
    return json_response(selectors.server_fields(server, in_full=True), 201)


@router.post(
    "/mcp-servers/import", response={201: ImportedOut}, summary="Add servers from mcpServers JSON"
)
def servers_import(request: HttpRequest, body: ImportIn) -> HttpResponse:
    """201; all of them or none."""
    _need_staff(request)
    servers, ignored = services.servers_import(body.config)
    shown = [selectors.server_fields(server, in_full=True) for server in servers]
    return json_response({"servers": shown, "ignored": ignored}, 201)


@router.put("/mcp-servers/{server_id}", response=McpServerOut, summary="Change an MCP server")
def server_update(request: HttpRequest, server_id: str, body: ServerIn) -> HttpResponse:
    """Stored values stay where null is sent, unless it is another server then."""
    _need_staff(request)
    server = services.server_update(server_id, body.name, _fields(body))
    return json_response(selectors.server_fields(server, in_full=True))


@router.patch(
    "/mcp-servers/{server_id}", response=McpServerOut, summary="Choose what agents may be given"
)
def server_offer(request: HttpRequest, server_id: str, body: OfferIn) -> HttpResponse:
    """`{enabled?, tools?}`."""
    _need_staff(request)
    given = body.dict(exclude_unset=True)
    server = services.server_offer(
        server_id, enabled=given.get("enabled"), tools=given.get("tools", ...)
    )
    return json_response(selectors.server_fields(server, in_full=True))


@router.delete("/mcp-servers/{server_id}", response={204: None}, summary="Remove an MCP server")
def server_delete(request: HttpRequest, server_id: str) -> HttpResponse:
    """204."""
    _need_staff(request)
    services.server_delete(server_id)
    return HttpResponse(status=204)


@router.post(
    "/mcp-servers/{server_id}/test", response=TriedOut, summary="Ask a server what it offers"
)
def server_test(request: HttpRequest, server_id: str) -> HttpResponse:
    """`{ok, message, latency_ms, server}`; where it fails, `message` has what the server wrote."""
    _need_staff(request)
    outcome = services.server_test(selectors.server_get(server_id))
    server = selectors.server_fields(selectors.server_get(server_id), in_full=True)
    return json_response({**outcome, "server": server})
