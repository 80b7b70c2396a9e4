"""Queueing a run for every task of a suite."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Router, Schema

from apps.agents import selectors as agents
from apps.runs.services import run_create
from apps.shell.refusals import Invalid
from apps.shell.responses import json_response
from apps.tasks.environment_selectors import TaskQuery, suite_tasks
from aworld.environments.record import reference_of

MOST_RUNS = 1_000
"""That one request may queue."""

router = Router(tags=["environments"])


class SuiteRunIn(Schema):
    """Which team does which tasks of the suite; empty fields leave none out. `attempts` is how
    often each is done."""

    team_id: str
    level: str = ""
    tag: str = ""
    graded: bool | None = None
    text: str = ""
    attempts: int = 1


class SuiteRunOut(Schema):
    """The runs that were queued."""

    queued: int
    run_ids: list[str]
    tag: str


def suite_run_create(suite: str, team_id: str, query: TaskQuery, attempts: int, by: str) -> Any:
    """`{queued, run_ids, tag}`: a run for each task that fits, in the suite's order.

    Raises:
        Missing: no such suite or team.
        Invalid: no task fits, too many do, or the team cannot run.
    """
    tasks = suite_tasks(suite, query)
    agents.team_get(team_id)
    count = len(tasks) * attempts
    if attempts < 1 or not 0 < count <= MOST_RUNS:
        raise Invalid(
            _("That would queue %(count)d runs; between 1 and %(most)d are taken at once.")
            % {"count": max(0, count), "most": MOST_RUNS}
        )
    tag = f"suite:{suite}"
    queued = [
        run_create(input="", by=by, team_id=team_id, environment=reference_of(task), tags=(tag,))
        for _attempt in range(attempts)
        for task in tasks
    ]
    return {"queued": count, "run_ids": [record.run_id for record in queued], "tag": tag}


@router.post("/suites/{suite}/runs", response={201: SuiteRunOut}, summary="Run a whole suite")
def suite_run(request: HttpRequest, suite: str, body: SuiteRunIn) -> HttpResponse:
    """201 with the runs, all queued."""
    query = TaskQuery(body.level, body.tag, body.graded, body.text)
    by = str(request.user.get_username())
    return json_response(suite_run_create(suite, body.team_id, query, body.attempts, by), 201)
