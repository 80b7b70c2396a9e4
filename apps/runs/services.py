"""Creating runs, and what people do to them. The log stays the truth: a command goes to the
store's queue, and whoever drives the run carries it out."""

from __future__ import annotations

import tempfile
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _

from apps.agents import selectors as agents
from apps.runs import wake
from apps.runs.debugging_hold import hold_check
from apps.runs.selectors import run_record
from apps.runs.stores import run_store
from apps.shell.refusals import Conflict, Invalid
from aworld.environments.base import Task
from aworld.environments.record import environment_of, reference_of
from aworld.environments.registry import find_task
from aworld.errors import AWorldError, ConfigurationError, StoreError
from aworld.interchange.archive import Imported, read_archive, write_archive
from aworld.runtime import control, launch
from aworld.storage.base import RunFilter, RunRecord

MOST_INPUT = 1_000_000
"""Characters of a question."""
MOST_PRIORITY = 1_000
MOST_TAGS = 50


def run_create(
    *,
    input: str,
    by: str,
    team_id: str = "",
    team: dict[str, Any] | None = None,
    task_id: str = "",
    priority: int = 0,
    environment: str = "",
    tags: tuple[str, ...] = (),
) -> RunRecord:
    """Queue a run of a stored team, or of a definition as it stands; `environment` is `suite/id`
    of a task to do, whose own question is asked where `input` is empty.

    Raises:
        Missing: no such team.
        Invalid: no question, neither or both teams, a team that cannot run, or no such task.
    """
    task = _task(environment) if environment else None
    if task is not None:
        input, task_id = input.strip() or task.question, task_id or reference_of(task)
    if not input.strip():
        raise Invalid(_("The run has no question. Write one."))
    if len(input) > MOST_INPUT:
        raise Invalid(
            _("The question has %(length)d characters; at most %(most)d are taken.")
            % {"length": len(input), "most": MOST_INPUT}
        )
    if bool(team_id) == bool(team):
        raise Invalid(_("Name the team: either 'team_id' or 'team' with a definition."))
    definition = _with_breakpoints(team_id) if team_id else dict(team or {})
    if definition.get("breakpoints"):
        definition["breakpoints"] = agents.breakpoints_read(definition["breakpoints"])
    problems = agents.team_problems(definition)
    if problems:
        raise Invalid(
            _("Team %(name)r cannot run: %(first)s")
            % {"name": str(definition.get("name", "")), "first": problems[0]["message"]},
            problems=problems,
        )
    record = launch.create_run(
        run_store(),
        team=definition,
        input=input,
        source="web",
        task_id=task_id,
        environment=environment_of(task) if task is not None else None,
        priority=_priority(priority),
        tags=((f"by:{by}",) if by else ()) + tags,
    )
    wake.queued(record.run_id)
    return record


def _task(reference: str) -> Task:
    try:
        return find_task(reference)
    except ConfigurationError as error:
        raise Invalid(str(error)) from error


def _with_breakpoints(team_id: str) -> dict[str, Any]:
    """A stored team's definition, and the breakpoints that are in force now."""
    stored = agents.team_get(team_id)
    definition = {**stored.definition}
    definition.pop("breakpoints", None)
    return {**definition, "breakpoints": stored.breakpoints} if stored.breakpoints else definition


def _priority(value: int) -> int:
    if abs(value) > MOST_PRIORITY:
        raise Invalid(
            _("The priority %(value)d is out of range; use -%(most)d to %(most)d.")
            % {"value": value, "most": MOST_PRIORITY}
        )
    return value


def _commanded(record: RunRecord) -> RunRecord:
    wake.commanded(record.run_id, record.last_seq)
    return record


def run_cancel(run_id: str, by: str) -> RunRecord:
    """End a run; one that has ended stays as it is.

    Raises:
        Missing: no such run.
    """
    run_record(run_id)
    return _commanded(control.cancel(run_store(), run_id, by=by))


def run_pause(run_id: str, by: str) -> RunRecord:
    """Stop a run at its next gates.

    Raises:
        Missing: no such run.
        Conflict: it is not running, or someone else debugs it.
    """
    hold_check(run_id, by)
    try:
        return _commanded(control.pause(run_store(), run_id, by=by))
    except StoreError:
        raise
    except AWorldError as error:
        raise Conflict(str(error)) from None


def run_resume(run_id: str, by: str) -> RunRecord:
    """Let a paused run go on.

    Raises:
        Missing: no such run.
        Conflict: it is not paused, or someone else debugs it.
    """
    hold_check(run_id, by)
    try:
        return _commanded(control.resume(run_store(), run_id, by=by))
    except StoreError:
        raise
    except AWorldError as error:
        raise Conflict(str(error)) from None


def run_answer(run_id: str, span: int, answer: str, by: str) -> RunRecord:
    """Answer what an agent asked a person.

    Raises:
        Missing: no such run.
        Conflict: nobody asks there, or someone else debugs it.
    """
    hold_check(run_id, by)
    try:
        return _commanded(control.answer(run_store(), run_id, span, answer, by=by))
    except StoreError:
        raise
    except AWorldError as error:
        raise Conflict(str(error)) from None


def run_change(
    run_id: str,
    *,
    priority: int | None = None,
    position: float | None = None,
    before: str | None = None,
    tags: list[str] | None = None,
) -> RunRecord:
    """Change a run's place in the queue, or its tags.

    `before` places it directly ahead of another queued run, with that one's priority.

    Raises:
        Missing: no such run.
        Conflict: it is not in the queue any more.
        Invalid: a priority out of range, too many tags, or `before` itself.
    """
    record = run_record(run_id)
    if before:
        priority, position = _place_before(record, before)
    if priority is not None:
        priority = _priority(priority)
    if tags is not None:
        _set_tags(run_id, tags)
    if priority is not None or position is not None:
        moved = run_store().set_run(
            run_id, priority=priority, position=position, only_if=("queued",)
        )
        if not moved:
            raise Conflict(
                _("Run %(run)r is %(status)s, so its place in the queue cannot change any more.")
                % {"run": run_id, "status": run_record(run_id).status}
            )
        wake.commanded(run_id, record.last_seq)
    return run_record(run_id)


def _set_tags(run_id: str, tags: list[str]) -> None:
    trimmed = tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
    if len(trimmed) > MOST_TAGS or any(len(tag) > 100 for tag in trimmed):
        raise Invalid(
            _("A run has at most %(most)d tags of at most 100 characters.") % {"most": MOST_TAGS}
        )
    run_store().set_run(run_id, tags=trimmed)


def _place_before(record: RunRecord, before: str) -> tuple[int, float]:
    """Priority and position directly ahead of another queued run."""
    if before == record.run_id:
        raise Invalid(_("A run cannot be placed before itself."))
    target = run_record(before)
    if target.status != "queued":
        raise Conflict(
            _("Run %(run)r is %(status)s and has no place in the queue any more.")
            % {"run": before, "status": target.status}
        )
    queue = (
        run_store().list_runs(RunFilter(statuses=("queued",)), order="queue", limit=100_000).runs
    )
    others = [run for run in queue if run.run_id != record.run_id]
    index = next((i for i, run in enumerate(others) if run.run_id == before), 0)
    ahead = others[index - 1] if index else None
    if ahead is None or ahead.priority != target.priority:
        return target.priority, target.position - 1.0
    return target.priority, (ahead.position + target.position) / 2


def run_delete(run_id: str) -> None:
    """Remove a run and what belongs to it.

    Raises:
        Missing: no such run.
        Conflict: a worker holds it.
    """
    record = run_record(run_id)
    if record.status in ("running", "paused"):
        raise Conflict(
            _("Run %(run)r is %(status)s. Cancel it, then delete it.")
            % {"run": run_id, "status": record.status}
        )
    run_store().delete_run(run_id)
    wake.commanded(run_id, -1)


def run_archive(run_id: str) -> IO[bytes]:
    """The run as an archive: a file without a name, at its beginning.

    Raises:
        Missing: no such run.
    """
    run_record(run_id)
    folder = settings.HOME / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - the response closes it
    try:
        write_archive(run_store(), run_id, file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def run_import(file: IO[bytes]) -> Imported:
    """Take an archive in; the same archive twice is one run.

    Raises:
        ConfigurationError: no archive, damaged, too large or made to harm.
    """
    imported = read_archive(run_store(), file)
    wake.commanded(imported.record.run_id, imported.record.last_seq)
    return imported
