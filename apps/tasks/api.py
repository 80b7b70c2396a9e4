"""`/api/tasks`."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import File, Form, Router
from ninja.files import UploadedFile

from apps.shell.responses import json_response
from apps.tasks import selectors, services
from apps.tasks.schemas import ImportOut, TaskIn, TaskListOut, TaskOut

router = Router(tags=["tasks"])


@router.get("/tasks", response=TaskListOut, summary="Tasks of a set, or those that contain a text")
def task_list(
    request: HttpRequest, set: str = "", text: str = "", limit: int = 200, offset: int = 0
) -> HttpResponse:
    """`{tasks, total, sets: [{name, count}]}`."""
    return json_response(selectors.task_list(set=set, text=text, limit=limit, offset=offset))


@router.post("/tasks", response={201: TaskOut}, summary="Add a task")
def task_create(request: HttpRequest, body: TaskIn) -> HttpResponse:
    """201; 409 where the set has a task of that key."""
    return json_response(selectors.task_fields(services.task_create(body.dict())), 201)


@router.post("/tasks/import", response=ImportOut, summary="Add tasks from a JSONL or CSV file")
def tasks_import(
    request: HttpRequest,
    file: File[UploadedFile],
    set: Form[str],
    dry_run: Form[bool] = False,
) -> HttpResponse:
    """`{added, updated, problems: [{line, message}]}`; 422 with problems, nothing is written."""
    return json_response(
        services.tasks_import(
            file.name or "tasks", file.read(services.MOST_BYTES + 1), set, dry_run=dry_run
        )
    )


@router.get("/tasks/{task_id}", response=TaskOut, summary="One task")
def task_get(request: HttpRequest, task_id: str) -> HttpResponse:
    """404 where there is none."""
    return json_response(selectors.task_fields(selectors.task_get(task_id)))


@router.put("/tasks/{task_id}", response=TaskOut, summary="Change a task")
def task_update(request: HttpRequest, task_id: str, body: TaskIn) -> HttpResponse:
    """The task as it is now."""
    return json_response(selectors.task_fields(services.task_update(task_id, body.dict())))


@router.delete("/tasks/{task_id}", response={204: None}, summary="Remove a task")
def task_delete(request: HttpRequest, task_id: str) -> HttpResponse:
    """204."""
    services.task_delete(task_id)
    return HttpResponse(status=204)
