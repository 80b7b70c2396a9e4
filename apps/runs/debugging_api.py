"""`/api/runs/{id}/…` for whoever debugs a run, and breakpoints."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router

from apps.runs import debugging, debugging_selectors
from apps.runs import debugging_schemas as schemas
from apps.runs.debugging_hold import hold_take
from apps.runs.encoding import run_fields
from apps.runs.schemas import RunOut
from apps.shell.responses import json_response
from aworld.storage.base import RunRecord

router = Router(tags=["debugging"])


def _run(record: RunRecord, status: int = 200) -> HttpResponse:
    return json_response(run_fields(record), status)


def _by(request: HttpRequest) -> str:
    return str(request.user.get_username())


@router.get(
    "/runs/{run_id}/state", response=schemas.StateOut, summary="What every node knew after a step"
)
def run_state(request: HttpRequest, run_id: str, seq: int = -1) -> HttpResponse:
    """Without `seq` the newest one."""
    return json_response(debugging_selectors.run_state(run_id, seq))


@router.post("/runs/{run_id}/step", response=RunOut, summary="Do one thing")
def run_step(request: HttpRequest, run_id: str) -> HttpResponse:
    """409 where it is not paused."""
    return _run(debugging.run_step(run_id, _by(request)))


@router.post("/runs/{run_id}/run-to", response=RunOut, summary="Go on to a step")
def run_run_to(request: HttpRequest, run_id: str, body: schemas.RunToIn) -> HttpResponse:
    """409 where it is not paused, or the step is past."""
    return _run(debugging.run_run_to(run_id, body.seq, _by(request)))


@router.post("/runs/{run_id}/edit", response=RunOut, summary="Change what the nodes see")
def run_edit(request: HttpRequest, run_id: str, body: schemas.EditIn) -> HttpResponse:
    """409 with `extra.acted_on` where a node has acted on it, 400 where the fields do not fit."""
    return _run(debugging.run_edit(run_id, body.target, body.after, _by(request)))


@router.post("/runs/{run_id}/substitute", response=RunOut, summary="Answer in another's place")
def run_substitute(request: HttpRequest, run_id: str, body: schemas.SubstituteIn) -> HttpResponse:
    """`span` -1 means what is held back."""
    return _run(debugging.run_substitute(run_id, body.span, body.payload, _by(request)))


@router.post("/runs/{run_id}/arm", response=RunOut, summary="These breakpoints from now on")
def run_arm(request: HttpRequest, run_id: str, body: schemas.BreakpointsIn) -> HttpResponse:
    """409 where the run has ended."""
    return _run(debugging.run_arm(run_id, body.breakpoints, _by(request)))


@router.get(
    "/runs/{run_id}/fork-plan",
    response=schemas.ForkPlanOut,
    summary="What a fork would do again",
)
def fork_plan(request: HttpRequest, run_id: str, at: int, policies: str = "") -> HttpResponse:
    """`policies` is a JSON object."""
    return json_response(debugging_selectors.fork_plan(run_id, at, policies))


@router.post(
    "/runs/{run_id}/fork", response={201: RunOut}, summary="Fork a run, and queue the fork"
)
def run_fork(request: HttpRequest, run_id: str, body: schemas.ForkIn) -> HttpResponse:
    """201 with the fork."""
    fork = debugging.run_fork(
        run_id, body.at, edits=body.edits, policies=body.policies, by=_by(request)
    )
    return _run(fork, 201)


@router.get(
    "/runs/{run_id}/family", response=schemas.FamilyOut, summary="All forks round a run, as a tree"
)
def run_family(request: HttpRequest, run_id: str) -> HttpResponse:
    """From its oldest ancestor."""
    return json_response(debugging_selectors.run_family(run_id))


@router.get(
    "/runs/{run_id}/replay", response=schemas.ReplayOut, summary="Run the nodes again over the log"
)
def run_replay(request: HttpRequest, run_id: str) -> HttpResponse:
    """No model and no tool is called."""
    return json_response(debugging_selectors.run_replay(run_id))


@router.post("/runs/{run_id}/debugger", response=schemas.HoldOut, summary="Take or give back a run")
def run_debugger(request: HttpRequest, run_id: str, body: schemas.HoldIn) -> HttpResponse:
    """409 where someone else holds it."""
    held = hold_take(run_id, _by(request), take=body.take)
    return json_response({"holder": None if held is None else held._asdict()})


@router.post(
    "/breakpoints/try", response=schemas.TrialOut, summary="Where they would have stopped past runs"
)
def breakpoints_try(request: HttpRequest, body: schemas.TryIn) -> HttpResponse:
    """Newest runs first."""
    return json_response(
        debugging_selectors.breakpoints_try(body.breakpoints, body.team, body.limit_runs)
    )
