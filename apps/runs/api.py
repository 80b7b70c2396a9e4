"""`/api/runs` and what belongs to a run; `/api/processes`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import IO, Any, Literal, cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import File, Router, Schema
from ninja.files import UploadedFile

from apps.agents.model_selectors import model_list
from apps.runs import selectors, services
from apps.runs.copying import run_copied
from apps.runs.encoding import run_fields
from apps.runs.prompt import prompt_of
from apps.runs.schemas import (
    EventsOut,
    ProcessOut,
    PromptOut,
    RunDetailOut,
    RunListOut,
    RunOut,
    TextOut,
)
from apps.runs.selectors import EventQuery, RunQuery
from apps.runs.workers import processes_with_runs
from apps.shell.responses import json_response, raw_json
from aworld.interchange.archive import SUFFIX
from aworld.storage.base import RunRecord

router = Router(tags=["runs"])
PIECE = 256 * 1024
"""Bytes of an archive that are sent at once."""


class RunIn(Schema):
    """A new run: of a stored team (`team_id`) or of a definition (`team`). `environment` is
    `suite/id` of a task to do in its environment; then its own question is asked where `input` is
    empty."""

    input: str = ""
    environment: str = ""
    team_id: str = ""
    team: dict[str, Any] | None = None
    task_id: str = ""
    priority: int = 0


class RunChange(Schema):
    """What may change on a run; absent fields stay."""

    priority: int | None = None
    position: float | None = None
    before: str | None = None
    tags: list[str] | None = None


class AnswerIn(Schema):
    """An answer to the `person.asked` with seq `span`."""

    span: int
    answer: str


def _run(record: RunRecord, status: int = 200) -> HttpResponse:
    return json_response(run_fields(record), status)


def _by(request: HttpRequest) -> str:
    return str(request.user.get_username())


@router.get("/runs", response=RunListOut, summary="Runs, failures first")
def run_list(
    request: HttpRequest,
    status: str = "",
    team: str = "",
    source: str = "",
    task_id: str = "",
    tool: str = "",
    tag: str = "",
    text: str = "",
    errors: bool = False,
    order: str = "failures_first",
    limit: int = 50,
    offset: int = 0,
) -> HttpResponse:
    """`{runs, total, counts}`; several values of a field are separated by commas."""
    query = RunQuery(status, team, source, task_id, tool, tag, text, errors, order, limit, offset)
    return json_response(selectors.run_list(query))


@router.post("/runs", response={201: RunOut}, summary="Queue a run")
def run_create(request: HttpRequest, body: RunIn) -> HttpResponse:
    """201 with the run; 422 with `problems` where the team cannot run."""
    record = services.run_create(
        input=body.input,
        by=_by(request),
        team_id=body.team_id,
        team=body.team,
        task_id=body.task_id,
        priority=body.priority,
        environment=body.environment,
    )
    return _run(record, 201)


@router.post("/runs/import", response={200: RunOut, 201: RunOut}, summary="Take in a run's archive")
def run_import(request: HttpRequest, file: File[UploadedFile]) -> HttpResponse:
    """The run: 201, or 200 where it was there already."""
    imported = services.run_import(cast("IO[bytes]", file))
    return _run(imported.record, 201 if imported.new else 200)


@router.get("/runs/{run_id}", response=RunDetailOut, summary="One run with its team")
def run_get(request: HttpRequest, run_id: str) -> HttpResponse:
    """With `team`, `forks` and `labels`."""
    return json_response(selectors.run_detail(run_id))


@router.patch("/runs/{run_id}", response=RunOut, summary="Reorder the queue, or tag a run")
def run_change(request: HttpRequest, run_id: str, body: RunChange) -> HttpResponse:
    """409 where the run has left the queue."""
    record = services.run_change(
        run_id,
        priority=body.priority,
        position=body.position,
        before=body.before,
        tags=body.tags,
    )
    return _run(record)


@router.delete("/runs/{run_id}", response={204: None}, summary="Remove a run")
def run_delete(request: HttpRequest, run_id: str) -> HttpResponse:
    """204; 409 while it runs."""
    services.run_delete(run_id)
    return HttpResponse(status=204)


@router.post("/runs/{run_id}/cancel", response=RunOut, summary="End a run")
def run_cancel(request: HttpRequest, run_id: str) -> HttpResponse:
    """The run; a running one ends a moment later."""
    return _run(services.run_cancel(run_id, _by(request)))


@router.post("/runs/{run_id}/pause", response=RunOut, summary="Stop a run at its next step")
def run_pause(request: HttpRequest, run_id: str) -> HttpResponse:
    """409 where it is not running."""
    return _run(services.run_pause(run_id, _by(request)))


@router.post("/runs/{run_id}/resume", response=RunOut, summary="Let a paused run go on")
def run_resume(request: HttpRequest, run_id: str) -> HttpResponse:
    """409 where it is not paused."""
    return _run(services.run_resume(run_id, _by(request)))


@router.post("/runs/{run_id}/answer", response=RunOut, summary="Answer what an agent asked")
def run_answer(request: HttpRequest, run_id: str, body: AnswerIn) -> HttpResponse:
    """409 where nobody asks there."""
    return _run(services.run_answer(run_id, body.span, body.answer, _by(request)))


@router.get("/runs/{run_id}/events", response=EventsOut, summary="Events after a seq")
def run_events(
    request: HttpRequest,
    run_id: str,
    after: int = -1,
    limit: int = 1000,
    kinds: str = "",
    actors: str = "",
    min_severity: int = 0,
) -> HttpResponse:
    """`{events, last_seq}` in order of seq."""
    return raw_json(
        selectors.events_json(run_id, EventQuery(after, limit, kinds, actors, min_severity))
    )


@router.get("/runs/{run_id}/events/{seq}", summary="One event, its payload whole")
def run_event(request: HttpRequest, run_id: str, seq: int) -> HttpResponse:
    """Large payloads come from the blob store."""
    return raw_json(selectors.whole_event_json(run_id, seq))


@router.get("/runs/{run_id}/bars", summary="The timeline's columns, binary")
def run_bars(
    request: HttpRequest, run_id: str, level: int = 0, start: float = 0, end: float = 0
) -> HttpResponse:
    """`BAR1`: see the architecture."""
    body = selectors.bars_bytes(run_id, level, start, end)
    return HttpResponse(body, content_type="application/octet-stream")


@router.get(
    "/runs/{run_id}/context/{seq}",
    response=PromptOut,
    summary="The prompt of a model call, as sent",
)
def run_context(request: HttpRequest, run_id: str, seq: int) -> HttpResponse:
    """`{messages, tools, parameters}`."""
    return json_response(prompt_of(run_id, seq))


@router.get("/runs/{run_id}/copy", response=TextOut, summary="The run as text that runs it again")
def run_copy(
    request: HttpRequest, run_id: str, as_: Literal["python", "curl"] = "python"
) -> HttpResponse:
    """`{text}`; the parameter is `as`."""
    form = request.GET.get("as", as_)
    models = {model["name"]: model for model in model_list()}
    origin = f"{request.scheme}://{request.get_host()}"
    return json_response({"text": run_copied(run_id, form, origin=origin, models=models)})


@router.get("/runs/{run_id}/archive", summary="The run as one file")
def run_archive(request: HttpRequest, run_id: str) -> StreamingHttpResponse:
    """A zip that `/api/runs/import` takes."""
    response = StreamingHttpResponse(
        _pieces(services.run_archive(run_id)), content_type="application/zip"
    )
    response["Content-Disposition"] = f'attachment; filename="{run_id}{SUFFIX}"'
    return response


async def _pieces(file: IO[bytes]) -> AsyncIterator[bytes]:
    """The file piece by piece; closed at the end."""
    with file:
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece


@router.get(
    "/processes",
    response=list[ProcessOut],
    tags=["shell"],
    summary="Processes, and what each worker runs",
)
def process_list(request: HttpRequest) -> HttpResponse:
    """`[{name, state, pid, restarts, since, last_line, runs}]`."""
    return json_response(processes_with_runs())
