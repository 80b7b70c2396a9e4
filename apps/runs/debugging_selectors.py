"""What somebody who debugs a run sees of it, and of its family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from apps.agents.selectors import breakpoints_read, team_get
from apps.runs.debugging import refusals
from apps.runs.selectors import run_record
from apps.runs.stores import run_store
from apps.shell.refusals import Missing, Refusal
from aworld.agents.nodes import recorded_nodes
from aworld.errors import ConfigurationError, NotFound
from aworld.runtime.breakpoint_trial import try_on_history
from aworld.runtime.breakpoints import Breakpoint
from aworld.runtime.catching_up import catch_up_of
from aworld.runtime.fork import check_policies, check_step, plan
from aworld.runtime.near_folds import FoldCache
from aworld.runtime.recovery import read_log
from aworld.runtime.replay import replay
from aworld.runtime.run_state import RunState, read_state
from aworld.storage.base import RunFilter, RunRecord

MOST_RUNS = 2_000
"""Runs on which breakpoints are tried; also children of one run in its family."""

folds = FoldCache()
"""Where people step through runs, the next step is a fold of one event."""


def run_state(run_id: str, seq: int) -> RunState:
    """What every node knew after step `seq`; -1 is the last.

    Raises:
        Missing: no such run or step.
        ConfigurationError: the run's team cannot be read.
    """
    store, record = run_store(), run_record(run_id)
    if not -1 <= seq <= record.last_seq or record.last_seq < 0:
        raise Missing(_("Run %(run)r has no event %(seq)d.") % {"run": run_id, "seq": seq})
    return read_state(store, record, recorded_nodes(store, record), seq, folds)


def fork_plan(run_id: str, at: int, policies: str) -> dict[str, Any]:
    """`{effects, counts, environment}`: what the run did behind step `at`, what a fork would do,
    and how it would bring its environment's world back, None where there is none.

    Raises:
        Missing: no such run.
        Refusal: 400, the step or a policy does not fit.
    """
    record = run_record(run_id)
    with refusals():
        try:
            read = msgspec.json.decode(policies or "{}", type=dict[str, str])
        except msgspec.DecodeError as error:
            raise ConfigurationError(
                f"The policies {policies!r} are no JSON object of texts: {error}."
            ) from None
        chosen = check_policies(read)
        log = read_log(run_store(), run_id)
        prefix = [event for event in log if event.seq <= at]
        check_step(record, prefix, at)
        effects = plan(log, at, chosen)
    back = catch_up_of(prefix)
    counted = Counter(effect.policy.partition(":")[0] for effect in effects)
    return {
        "effects": [effect._asdict() for effect in effects],
        "counts": {word: counted[word] for word in ("live", "replay", "mock", "ask")},
        "environment": None if back is None else {**back._asdict(), "text": str(back)},
    }


def run_replay(run_id: str) -> dict[str, Any]:
    """`{identical, compared, last_seq, difference, text}`.

    Raises:
        Missing: no such run.
        ConfigurationError: the run's team cannot be read.
    """
    store, record = run_store(), run_record(run_id)
    report = replay(run_id, read_log(store, run_id), recorded_nodes(store, record))
    difference = report.difference
    return {
        "identical": report.identical,
        "compared": report.compared,
        "last_seq": report.last_seq,
        "difference": None if difference is None else difference._asdict(),
        "text": str(report),
    }


def run_family(run_id: str) -> dict[str, Any]:
    """`{root: Branch}`: the run's oldest ancestor that is there, and all that was forked from it.

    Raises:
        Missing: no such run.
    """
    store, root = run_store(), run_record(run_id)
    seen = {root.run_id}
    while root.parent_run_id and root.parent_run_id not in seen:
        seen.add(root.parent_run_id)
        try:
            root = store.get_run(root.parent_run_id)
        except NotFound:
            break
    top = _branch(root)
    waiting = [top]
    while waiting:
        branch = waiting.pop()
        branch["children"] = [_branch(child) for child in _children(branch["run_id"])]
        waiting.extend(branch["children"])
    return {"root": top}


def _children(run_id: str) -> Iterator[RunRecord]:
    where = RunFilter(parent_run_id=run_id)
    yield from run_store().list_runs(where, order="oldest", limit=MOST_RUNS).runs


def _branch(record: RunRecord) -> dict[str, Any]:
    return {
        "run_id": record.run_id,
        "status": record.status,
        "parent_seq": record.parent_seq,
        "answer": record.answer,
        "error": record.error,
        "created_at": record.created_at,
        "children": [],
    }


def breakpoints_try(plain: list[Any], team: str, limit_runs: int) -> dict[str, Any]:
    """`{stops, runs_stopped, runs_looked_at, places}`; `team` is a stored team's id, or a name.

    Raises:
        Refusal: 400, a breakpoint cannot be used, or the number of runs makes no sense.
    """
    if not 1 <= limit_runs <= MOST_RUNS:
        raise Refusal(
            _("Breakpoints are tried on 1 to %(most)d runs, not on %(count)d.")
            % {"most": MOST_RUNS, "count": limit_runs}
        )
    breakpoints = [msgspec.convert(one, Breakpoint) for one in breakpoints_read(plain)]
    where = RunFilter(teams=(_team_name(team),)) if team else RunFilter()
    with refusals():
        trial = try_on_history(run_store(), breakpoints, where, limit_runs=limit_runs)
    return {
        "stops": trial.stops,
        "runs_stopped": trial.runs_stopped,
        "runs_looked_at": trial.runs_looked_at,
        "places": [
            {
                "run_id": place.run_id,
                "seq": place.seq,
                "breakpoint": place.breakpoint_id,
                "note": place.note,
            }
            for place in trial.places
        ],
    }


def _team_name(team: str) -> str:
    try:
        return str(team_get(team).name)
    except Missing:
        return team
