"""Known solutions, and doing nothing, through the real environment: what proves a task's scoring.

A task is sound where its known solution scores 1.0 and doing nothing scores 0.0.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from aworld.environments import registry
from aworld.environments.base import Action, Environment, Observation, Place, Task, Verdict
from aworld.environments.episode import Episode
from aworld.environments.record import reference_of
from aworld.errors import ConfigurationError, EnvironmentFault, ToolError
from aworld.llm.base import Completion, ToolCall


class Attempt(msgspec.Struct, frozen=True):
    """What came of one task."""

    task: str
    """`suite/id`."""
    environment: str
    graded: bool
    score: float | None
    """None where the task is not graded, and where the environment broke."""
    why: str
    answer: str
    actions: tuple[Action, ...]
    seconds: float
    error: str = ""
    """What broke; "" where nothing did."""

    def is_sound(self, wanted: float) -> bool:
        """Whether it scored as it must: `wanted` where it is graded, and no fault where not."""
        return not self.error and (not self.graded or self.score == wanted)


async def attempt_solution(task: Task) -> Attempt:
    """Do a task by its known solution, in folders of its own.

    Raises:
        ConfigurationError: it has none, or there is no such environment.
    """
    oracle = registry.kind(task.environment).oracle(task)
    if oracle is None:
        raise ConfigurationError(f"Task {reference_of(task)!r} has no known solution.")
    begun, answer, actions = time.monotonic(), "", list[Action]()
    verdict, error = None, ""
    with own_place(task) as place:
        try:
            episode = Episode(task, place)
            try:
                first = await episode.reset()
                watched = _watched(episode, actions)
                answer = await oracle.solve(watched, first)
                verdict = await episode.verify(answer)
            finally:
                await episode.close()
        except (EnvironmentFault, ToolError) as fault:
            error = str(fault)
        except Exception as fault:  # The solution's own code: one bad task must not hide the rest.
            error = f"The known solution failed: {type(fault).__name__}: {fault}"
    return _attempt(task, verdict, answer, actions, time.monotonic() - begun, error)


async def attempt_nothing(task: Task) -> Attempt:
    """Reset, do nothing, and hand in an empty answer."""
    begun, verdict, error = time.monotonic(), None, ""
    with own_place(task) as place:
        try:
            episode = Episode(task, place)
            try:
                await episode.reset()
                verdict = await episode.verify("")
            finally:
                await episode.close()
        except EnvironmentFault as fault:
            error = str(fault)
    return _attempt(task, verdict, "", (), time.monotonic() - begun, error)


def as_script(attempt: Attempt) -> list[Completion]:
    """The attempt as a model would make it, for `ScriptedModel`: a call for each action, then the
    answer."""
    calls = [
        Completion("", (ToolCall(f"call_{i}", action.name, action.arguments),), "tool_calls")
        for i, action in enumerate(attempt.actions)
    ]
    return [*calls, Completion(attempt.answer.strip() or "Done.")]


@contextmanager
def own_place(task: Task) -> Iterator[Place]:
    """Folders for one episode outside any run, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="aworld-episode-", ignore_cleanup_errors=True) as made:
        yield Place(Path(made) / "workspace", Path(made) / "private", run_id=Path(made).name)


def _watched(episode: Episode, actions: list[Action]) -> Environment:
    """The environment itself, its steps taken through the episode and written down."""

    async def step(action: Action) -> Observation:
        actions.append(action)
        return await episode.step(action)

    # On the instance: a known solution may need the very class of its environment.
    vars(episode.environment)["step"] = step
    return episode.environment


def _attempt(
    task: Task,
    verdict: Verdict | None,
    answer: str,
    actions: Iterable[Action],
    seconds: float,
    error: str,
) -> Attempt:
    return Attempt(
        task=reference_of(task),
        environment=task.environment,
        graded=task.graded,
        score=verdict.score if verdict is not None else None,
        why=verdict.why if verdict is not None else "",
        answer=answer,
        actions=tuple(actions),
        seconds=round(seconds, 3),
        error=error,
    )
