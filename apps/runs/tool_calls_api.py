"""`/api/tool-usage`, `/api/tools/{name}/calls`, and the files of a run's events."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema

from apps.runs.event_files import event_file
from apps.runs.tool_calls import tool_calls, tool_usage
from apps.shell.responses import file_response, json_response

router = Router(tags=["tools"])


class UsageOut(Schema):
    """Microseconds from call to result; `last_at` in UTC microseconds."""

    runs: int
    calls: int
    errors: int
    total_us: int
    longest_us: int
    last_at: int


class ToolUsageOut(Schema):
    """Figures by tool over the newest runs."""

    tools: dict[str, UsageOut]
    runs_looked_at: int
    runs_total: int


class CallOut(Schema):
    """One call, its arguments and result shortened."""

    run_id: str
    team: str
    seq: int
    end_seq: int | None
    actor: str
    at: int
    us: int
    arguments: str
    text: str
    ok: bool
    reason: str
    source: str


class ToolCallsOut(Schema):
    """Calls of one tool, failures first."""

    calls: list[CallOut]
    usage: UsageOut
    runs_looked_at: int
    runs_total: int


@router.get("/tool-usage", response=ToolUsageOut, summary="Calls, errors and time of every tool")
def usage(request: HttpRequest) -> HttpResponse:
    """Over the newest runs; the answer says of how many."""
    return json_response(tool_usage())


@router.get("/tools/{name}/calls", response=ToolCallsOut, summary="Calls of a tool, failures first")
def calls(request: HttpRequest, name: str, errors: bool = False, limit: int = 50) -> HttpResponse:
    """Each with the run and the event it is."""
    return json_response(tool_calls(name, errors=errors, limit=limit))


@router.get("/runs/{run_id}/files/{seq}/{number}", summary="A file or picture of an event")
def run_file(request: HttpRequest, run_id: str, seq: int, number: int) -> HttpResponse:
    """Pictures are shown, all else is offered for saving."""
    file = event_file(run_id, seq, number)
    return file_response(file.name, file.media_type, file.data)
