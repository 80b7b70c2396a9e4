"""`/api/environments` and `/api/suites`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import File, Form, Router, Schema
from ninja.files import UploadedFile

from apps.shell.refusals import Forbidden, Invalid
from apps.shell.responses import file_response, json_response
from apps.tasks import environment_selectors as selectors
from apps.tasks import environment_services as services
from apps.tasks.environment_selectors import TaskQuery
from aworld.environments.imported import MOST_BYTES

router = Router(tags=["environments"])


class SupportOut(Schema):
    """Whether something works on this machine; `why` says what is missing."""

    name: str
    supported: bool
    why: str


class SuiteOut(Schema):
    """A set of tasks."""

    name: str
    title: str
    tasks: int
    imported: bool


class EnvironmentOut(Schema):
    """A kind of environment. The first of `support` says whether anything of it works here."""

    name: str
    title: str
    description: str
    support: list[SupportOut]
    suites: list[SuiteOut]


class CountOut(Schema):
    """A word and how many tasks have it."""

    name: str
    count: int


class TaskRowOut(Schema):
    """A task, its question shortened, never with its answer."""

    id: str
    suite: str
    reference: str
    environment: str
    question: str
    level: str
    tags: list[str]
    graded: bool
    max_steps: int | None
    seconds: float | None
    file_names: list[str]


class SuitePageOut(Schema):
    """A page of a suite's tasks."""

    suite: str
    environment: str
    title: str
    imported: bool
    tasks: list[TaskRowOut]
    total: int
    count: int
    levels: list[CountOut]
    tags: list[CountOut]
    ungraded: int


class TaskFileOut(Schema):
    """A file that the team may read."""

    name: str
    media_type: str
    size: int
    url: str


class ActionOut(Schema):
    """What can be done in the task's world; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]
    effect: Literal["read_only", "idempotent", "unsafe"]


class SuiteTaskOut(TaskRowOut):
    """A task whole, without its answer."""

    network: list[str]
    environment_title: str
    files: list[TaskFileOut]
    actions: list[ActionOut]


class ImportedOut(Schema):
    """A suite that was brought; `at` in UTC microseconds."""

    name: str
    environment: str
    tasks: int
    title: str
    by: str
    at: int
    below: str


@router.get("/environments", response=list[EnvironmentOut], summary="Kinds of environments")
def environment_list(request: HttpRequest) -> HttpResponse:
    """With suites, counts, and what is missing on this machine."""
    return json_response(selectors.environment_list())


@router.get("/suites/{suite}/tasks", response=SuitePageOut, summary="Tasks of a suite")
def suite_tasks(
    request: HttpRequest,
    suite: str,
    level: str = "",
    tag: str = "",
    graded: bool | None = None,
    text: str = "",
    limit: int = 100,
    offset: int = 0,
) -> HttpResponse:
    """Levels and tags are counted over the whole suite."""
    query = TaskQuery(level, tag, graded, text, limit, offset)
    return json_response(selectors.suite_page(suite, query))


@router.get("/suites/{suite}/task", response=SuiteTaskOut, summary="One task of a suite")
def suite_task(request: HttpRequest, suite: str, id: str) -> HttpResponse:
    """Its question, files and actions; never its answer."""
    return json_response(selectors.task_fields(selectors.task_named(suite, id)))


@router.get("/suites/{suite}/files/{number}", summary="A file of a task")
def suite_file(request: HttpRequest, suite: str, number: int, task: str) -> HttpResponse:
    """One of those that the team may read."""
    file = selectors.task_file(selectors.task_named(suite, task), number)
    return file_response(file.name, file.media_type, file.data)


@router.post(
    "/environments/{name}/import", response={201: ImportedOut}, summary="Bring a suite of tasks"
)
def suite_import(
    request: HttpRequest,
    name: str,
    files: File[list[UploadedFile]],
    suite: Form[str],
    paths: Form[str] = "",
    title: Form[str] = "",
) -> HttpResponse:
    """201. One archive (.zip) or the files of a folder, whose paths `paths` gives, a line each.
    For staff: what a task brings is run on this machine, in the sandbox."""
    _need_staff(request)
    if sum(file.size or 0 for file in files) > MOST_BYTES:
        raise Invalid(
            _("The import has more than %(most)d MB. Split it.") % {"most": MOST_BYTES // 2**20}
        )
    given = paths.splitlines() if paths else [str(file.name) for file in files]
    if len(given) != len(files) or len(set(given)) != len(given):
        raise Invalid(_("'paths' has to name each file once, a line each, in their order."))
    contents = {path: file.read() for path, file in zip(given, files, strict=True)}
    made = services.suite_import(name, suite, contents, title=title, by=_by(request))
    return json_response(msgspec.to_builtins(made), 201)


@router.delete("/suites/{suite}", response={204: None}, summary="Remove a suite that was brought")
def suite_delete(request: HttpRequest, suite: str) -> HttpResponse:
    """204; runs of its tasks stay."""
    _need_staff(request)
    services.suite_remove(suite)
    return HttpResponse(status=204)


def _by(request: HttpRequest) -> str:
    return str(request.user.get_username())


def _need_staff(request: HttpRequest) -> None:
    if not getattr(request.user, "is_staff", False):
        raise Forbidden(
            _(
                "Only staff may bring or remove suites: what a task brings is run on the server's "
                "machine. Ask someone who may, or have your account made one of staff."
            )
        )
