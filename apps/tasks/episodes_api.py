"""`/api/episodes`: a person acts in an environment by hand."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema

from apps.shell.responses import file_response, json_response
from apps.tasks import environment_services as services
from apps.tasks.environment_selectors import task_named
from apps.tasks.environments_api import ActionOut, TaskFileOut
from aworld.environments.base import Action
from aworld.environments.by_hand import HandView

router = Router(tags=["environments"])


class EpisodeIn(Schema):
    """The task to begin, as `suite/id`."""

    task: str


class ActionIn(Schema):
    """One of the task's actions."""

    name: str
    arguments: dict[str, Any] = {}


class AnswerIn(Schema):
    """What is handed in."""

    answer: str = ""


class ObservationOut(Schema):
    """What is seen; `done` where the world accepts no further action."""

    text: str
    data: Any
    attachments: list[TaskFileOut]
    done: bool


class VerdictOut(Schema):
    """The environment's judgement; `score` null where the task is not graded."""

    score: float | None
    why: str
    details: dict[str, Any]
    near_miss: str


class EpisodeOut(Schema):
    """An episode: what can be done, what is seen, what was done. It is closed `idle_limit_s`
    seconds after it was last used."""

    id: str
    task: str
    environment: str
    question: str
    by: str
    actions: list[ActionOut]
    observation: ObservationOut
    steps: int
    verdict: VerdictOut | None
    journal: list[dict[str, Any]]
    idle_s: float
    idle_limit_s: float


class EpisodeRowOut(Schema):
    """An open episode in a list."""

    id: str
    task: str
    by: str
    mine: bool
    steps: int
    idle_s: float


def _by(request: HttpRequest) -> str:
    return str(request.user.get_username())


def _shown(view: HandView, status: int = 200) -> HttpResponse:
    seen = view.observation
    shown = {
        "text": seen.text,
        "data": seen.data,
        "done": seen.done,
        "attachments": [
            {
                "name": file.name,
                "media_type": file.media_type,
                "size": len(file.data),
                # The address changes with the picture, so that a browser may keep it.
                "url": f"/api/episodes/{view.id}/files/{number}?is={_digest(file.data)}",
            }
            for number, file in enumerate(seen.attachments)
        ],
    }
    return json_response({**msgspec.structs.asdict(view), "observation": shown}, status)


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


@router.get("/episodes", response=list[EpisodeRowOut], summary="Episodes that are open here")
def episode_list(request: HttpRequest) -> HttpResponse:
    """Of this web process, oldest first."""
    rows = [
        {
            "id": view.id,
            "task": view.task,
            "by": view.by,
            "mine": view.by == _by(request),
            "steps": view.steps,
            "idle_s": view.idle_s,
        }
        for view in services.hands().views()
    ]
    return json_response(rows)


@router.post("/episodes", response={201: EpisodeOut}, summary="Begin a task by hand")
def episode_open(request: HttpRequest, body: EpisodeIn) -> HttpResponse:
    """201 once its world is there; 409 where too many are open, or it cannot be made."""
    suite, _, task_id = body.task.partition("/")
    return _shown(services.episode_open(task_named(suite, task_id), _by(request)), 201)


@router.get("/episodes/{id}", response=EpisodeOut, summary="One episode")
def episode_get(request: HttpRequest, id: str) -> HttpResponse:
    """404 where it was closed."""
    return _shown(services.episode_get(id, _by(request)))


@router.post("/episodes/{id}/step", response=EpisodeOut, summary="Act")
def episode_step(request: HttpRequest, id: str, body: ActionIn) -> HttpResponse:
    """422 where it cannot be done, 409 where the world broke."""
    action = Action(body.name, body.arguments)
    return _shown(services.episode_step(id, _by(request), action))


@router.post("/episodes/{id}/observe", response=EpisodeOut, summary="Look, changing nothing")
def episode_observe(request: HttpRequest, id: str) -> HttpResponse:
    """The newest observation."""
    return _shown(services.episode_observe(id, _by(request)))


@router.post("/episodes/{id}/reset", response=EpisodeOut, summary="Begin the same task anew")
def episode_reset(request: HttpRequest, id: str) -> HttpResponse:
    """In a fresh world, under the same id."""
    return _shown(services.episode_reset(id, _by(request)))


@router.post("/episodes/{id}/verify", response=EpisodeOut, summary="Hand in an answer")
def episode_verify(request: HttpRequest, id: str, body: AnswerIn) -> HttpResponse:
    """With the verdict; one may act on and hand in again."""
    return _shown(services.episode_verify(id, _by(request), body.answer))


@router.get("/episodes/{id}/files/{number}", summary="A picture or file of what is seen")
def episode_file(request: HttpRequest, id: str, number: int) -> HttpResponse:
    """Of the newest observation."""
    file = services.episode_file(id, _by(request), number)
    return file_response(file.name, file.media_type, file.data)


@router.delete("/episodes/{id}", response={204: None}, summary="End an episode")
def episode_close(request: HttpRequest, id: str) -> HttpResponse:
    """204."""
    services.episode_close(id, _by(request))
    return HttpResponse(status=204)
