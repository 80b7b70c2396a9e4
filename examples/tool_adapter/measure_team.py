"""Measure whole teams on the local model: `python measure_team.py --seeds 2001 2002`.

The teams that ship run in this process just as `aworld run` runs them, recorded in a store of their
own; what is counted is read from that log. A question counts as right only if the final answer is
exactly the right number and a calculator that really ran gave this number to the solver. The model
is started here unless `--url` names a server.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import held_out
import msgspec

from aworld.agents.build import FindModel, build_team
from aworld.agents.catalogue import runnable_team
from aworld.agents.pipeline import handed_in
from aworld.agents.result import RunFailedError, RunResult
from aworld.agents.runner import open_models, run_built
from aworld.environments.math import word_problems
from aworld.environments.math.word_problems import Problem
from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.conversation import MessageSent, VerificationFailed, VerificationPassed
from aworld.events.union import AnyPayload
from aworld.storage.base import RunRecord, Store
from aworld.storage.sqlite import SqliteStore
from aworld.tools import registry

GENERATORS: dict[str, Callable[[int, int], list[Problem]]] = {
    "held_out": held_out.draw,
    "demo": word_problems.draw,
}


class Job(NamedTuple):
    """One question for one team."""

    team: str
    questions: str
    """The generator: a key of `GENERATORS`."""
    seed: int
    problem: Problem
    seconds: float | None = None
    """The run's time limit where the machine is too busy for the team's own."""


class Outcome(msgspec.Struct, frozen=True):
    """What a team made of one question."""

    team: str
    questions: str
    seed: int
    problem: Problem
    answer: str
    """As an environment would get it; "" where the run failed."""
    first_answer: str
    """What came before any objection: with temperature 0, the answer of the solver alone."""
    verified: bool | None
    """What the verifier said last; None where there is none, or it said nothing clear."""
    calculated: bool
    """Whether a calculator that really ran gave the answer."""
    first_calculated: bool
    """The same of the first answer."""
    sent_back: int
    """How often the verifier sent an answer back."""
    log: tuple[str, ...]
    """Calls with their results, answers and verdicts, in order."""

    @property
    def right(self) -> bool:
        """Exactly the right number, and really calculated."""
        return self.answer == self.problem.answer and self.calculated

    @property
    def right_at_first(self) -> bool:
        """The same of the first answer."""
        return self.first_answer == self.problem.answer and self.first_calculated


async def run_job(job: Job, find_model: FindModel, store: Store) -> Outcome:
    """Run the team once; a run that fails is an outcome like any other."""
    team = runnable_team(job.team)
    if job.seconds is not None:
        limits = msgspec.structs.replace(team.limits, seconds=job.seconds)
        team = msgspec.structs.replace(team, limits=limits)
    built = build_team(team, find_model, registry.get)
    started: list[str] = []

    def remember(record: RunRecord, _url: str) -> None:
        started.append(record.run_id)

    try:
        result: RunResult | None = await run_built(
            team, built, job.problem.question, store=store, source="script", on_started=remember
        )
        failure = ""
    except RunFailedError as error:
        result, failure = None, str(error)
    payloads = [store.resolve(event) for event in store.read(started[0])]
    return outcome_of(job, payloads, result, failure)


def outcome_of(
    job: Job, payloads: Sequence[AnyPayload], result: RunResult | None, failure: str = ""
) -> Outcome:
    """What a run's log says of it."""
    given = [p.content for p in payloads if isinstance(p, MessageSent) and p.purpose == "answer"]
    answer = handed_in(result.answer) if result else ""
    first = handed_in(given[0]) if given else ""
    return Outcome(
        *job[:4],
        answer=answer,
        first_answer=first,
        verified=result.verified if result else None,
        calculated=any(_gave(payload, answer) for payload in payloads),
        first_calculated=any(_gave(payload, first) for payload in payloads),
        sent_back=sum(isinstance(p, MessageSent) and p.purpose == "critique" for p in payloads),
        log=(*_told(payloads), *((failure,) if failure else ())),
    )


def _gave(payload: AnyPayload, answer: str) -> bool:
    return (
        isinstance(payload, ToolReturned)
        and payload.tool == "calculator"
        and not payload.source
        and payload.text == answer
    )


def _told(payloads: Sequence[AnyPayload]) -> Iterator[str]:
    for payload in payloads:
        match payload:
            case ToolCalled():
                yield f"{payload.tool} {msgspec.json.encode(payload.arguments).decode()}"
            case ToolReturned():
                yield f"  → {payload.text}"
            case ToolFailed():
                yield f"  failed: {payload.error}"
            case MessageSent() if payload.purpose == "answer":
                yield f"answer: {payload.content}"
            case VerificationPassed():
                yield f"verified: {payload.evidence}"
            case VerificationFailed():
                yield f"rejected: {payload.evidence}"


async def measure(jobs: Sequence[Job], at_once: int, store: Store, done: list[Outcome]) -> None:
    """Run every job, `at_once` of them side by side, and put what comes out into `done`; a dot or
    a cross for each on stderr."""
    places = asyncio.Semaphore(at_once)

    async def one(job: Job, find_model: FindModel) -> None:
        async with places:
            outcome = await run_job(job, find_model, store)
        done.append(outcome)
        sys.stderr.write("." if outcome.right else "x")
        sys.stderr.flush()

    async with open_models() as find_model:
        await asyncio.gather(*(one(job, find_model) for job in jobs))


class Figure(msgspec.Struct, frozen=True):
    """The counts of one team on one seed."""

    team: str
    questions: str
    seed: int
    asked: int
    right: int
    right_at_first: int
    """Before any objection: what the solver alone would have."""
    right_but_rejected: int
    verified_but_wrong: int


def figures_of(outcomes: Sequence[Outcome]) -> list[Figure]:
    """One for each team and seed, in the order asked."""
    groups: dict[tuple[str, str, int], list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault((one.team, one.questions, one.seed), []).append(one)
    return [
        Figure(
            *key,
            asked=len(group),
            right=sum(one.right for one in group),
            right_at_first=sum(one.right_at_first for one in group),
            right_but_rejected=sum(one.right and one.verified is False for one in group),
            verified_but_wrong=sum(one.verified is True and not one.right for one in group),
        )
        for key, group in groups.items()
    ]


def report(outcomes: Sequence[Outcome]) -> str:
    """The figures, and every miss with what its team did."""
    lines = []
    for one in outcomes:
        if not one.right:
            lines.append(
                f"MISS {one.team}, {one.questions} {one.seed}: {one.problem.question}\n"
                f"  {one.problem.expression} = {one.problem.answer}, answered {one.answer!r}"
                + ("" if one.calculated else ", not calculated")
            )
            lines += [f"    {line}" for line in one.log]
    for figure in figures_of(outcomes):
        lines.append(
            f"{figure.team}, {figure.questions} {figure.seed}: {figure.right}/{figure.asked} right "
            f"({figure.right_at_first} at first, {figure.right_but_rejected} rejected all the "
            f"same), {figure.verified_but_wrong} wrong ones verified"
        )
    return "\n".join(lines)


def positive(text: str) -> int:
    """A whole number above 0, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small: give 1 or more")
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teams", nargs="+", default=["arithmetic"])
    parser.add_argument("--questions", choices=GENERATORS, default="held_out")
    parser.add_argument("--seeds", type=int, nargs="+", default=[2001, 2002])
    parser.add_argument("--count", type=positive, default=30, help="questions of a seed")
    parser.add_argument("--at-once", type=positive, default=2)
    parser.add_argument("--seconds", type=positive, help="a run may take, on a busy machine")
    parser.add_argument("--url", help="a server that is up, such as http://127.0.0.1:8111/v1")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    # A termination ends like Ctrl-C: the model's server stops, what is measured is told.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    jobs = [
        Job(team, arguments.questions, seed, problem, arguments.seconds)
        for seed in arguments.seeds
        for problem in GENERATORS[arguments.questions](seed, arguments.count)
        for team in arguments.teams
    ]
    with tempfile.TemporaryDirectory(prefix="aworld-measure-") as home:
        # Neither the runs nor the connections of whoever measures take part.
        os.environ["AWORLD_HOME"] = home
        os.environ.pop("AWORLD_MONGODB_URI", None)
        if arguments.url:
            os.environ["AWORLD_LOCAL_MODEL_URL"] = arguments.url
        else:
            os.environ.pop("AWORLD_LOCAL_MODEL_URL", None)
        store = SqliteStore(Path(home) / "runs.sqlite3", Path(home) / "blobs")
        outcomes: list[Outcome] = []
        try:
            asyncio.run(measure(jobs, arguments.at_once, store, outcomes))
        except KeyboardInterrupt:
            sys.stderr.write(f"\nInterrupted: {len(outcomes)} of {len(jobs)} are measured.")
        finally:
            store.close()
    sys.stderr.write("\n")
    if arguments.json:
        found = {"figures": figures_of(outcomes), "outcomes": outcomes}
        print(msgspec.json.encode(found).decode())
    else:
        print(report(outcomes))
    if len(outcomes) < len(jobs):
        sys.exit(1)


if __name__ == "__main__":
    main()
