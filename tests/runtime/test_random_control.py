"""Runs that are paused, edited, stepped, forked and answered at random, by workers that are killed.

Whatever happens, no run is stuck, no event is lost, and what must not be done twice is not.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from aworld.agents.nodes import recorded_nodes
from aworld.errors import AWorldError, StoreError
from aworld.events.action import ToolCalled
from aworld.events.run import RunPaused, RunResumed
from aworld.events.union import Event
from aworld.runtime import control
from aworld.runtime.fork import fork_run
from aworld.runtime.held import next_wanted
from aworld.runtime.launch import create_run
from aworld.runtime.recovery import read_log
from aworld.runtime.replay import replay
from aworld.storage.base import ENDED, RunRecord, Store
from tests.runtime.scenes import DEPOSIT, TEAMS
from tests.teams import sqlite

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120
BREAKPOINTS: list[dict[str, Any]] = [
    {"id": "result", "kinds": ["tool.returned"], "every": 2},
    {"id": "call", "when": "before", "kinds": ["tool.called"], "every": 3},
    {"id": "model", "when": "before", "kinds": ["llm.requested"], "from_hit": 2, "once": True},
    {"id": "answer", "kinds": ["llm.responded"], "every": 4},
]


class Workers:
    """One worker process at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._process = self._start()

    def kill(self) -> None:
        """The worker dies at once; another one starts."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._process = self._start()

    def stop(self) -> None:
        """The last one dies."""
        self._process.kill()
        self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        self._number += 1
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.runtime.control_worker",
                str(self._folder),
                f"worker-{self._number}",
            ],
            cwd=ROOT,
            env={**os.environ, "AWORLD_HOME": str(self._folder)},
        )


class Hand:
    """A person who does things to runs at random."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store = store
        self.chance = random.Random(seed)
        self.runs: list[str] = []
        self.most = 0
        """Runs, forks included."""
        self.done: Counter[str] = Counter()
        self.seen: dict[str, list[Event]] = {}
        """The longest log that was read of each run."""

    def create(self, count: int) -> None:
        """New runs, each with some breakpoints."""
        self.most = 2 * count
        for _ in range(count):
            team = self.chance.choice(list(TEAMS.values()))
            agents = [{**a, "tools": [*a["tools"], DEPOSIT]} for a in team["agents"]]
            chosen = self.chance.sample(BREAKPOINTS, self.chance.randrange(3))
            record = create_run(
                self.store,
                team={**team, "agents": agents, "breakpoints": chosen},
                input="How much is 2+2?",
                source="script",
                seed=self.chance.randrange(10_000),
            )
            self.runs.append(record.run_id)

    def act(self) -> None:
        """One thing to one run, mostly to one that is under way."""
        record = self.store.get_run(self.chance.choice(self.runs))
        for _ in range(20):
            if record.status in {"running", "paused", "parked"} or self.chance.random() < 0.02:
                break
            record = self.store.get_run(self.chance.choice(self.runs))
        deeds = {
            "queued": [self.look],
            "lost": [self.look],
            "paused": [self.edit, self.step, self.resume, self.run_to, self.answer, self.fork],
            "parked": [self.edit, self.step, self.resume, self.answer],
            "running": [self.pause, self.arm, self.look],
        }.get(record.status, [self.fork, self.look])
        deed = self.chance.choice(deeds)
        try:
            deed(record)
        except StoreError:
            raise
        except AWorldError:
            return  # The run went on meanwhile, or nothing of the kind is possible there.
        self.done[deed.__name__] += 1

    def log(self, record: RunRecord) -> list[Event]:
        """A run's log; all that was seen of it before must be in it."""
        log = read_log(self.store, record.run_id)
        before = self.seen.get(record.run_id, [])
        assert log[: len(before)] == before, f"events of {record.run_id} are lost"
        self.seen[record.run_id] = log
        return log

    def wait_for_worker(self) -> None:
        """Until the first run is taken."""
        deadline = time.monotonic() + PATIENCE_S
        while all(self.store.get_run(run).status == "queued" for run in self.runs):
            assert time.monotonic() < deadline, "no worker came"
            time.sleep(0.01)

    # -- deeds -----------------------------------------------------------------------------------

    def look(self, record: RunRecord) -> None:
        self.log(record)

    def pause(self, record: RunRecord) -> None:
        control.pause(self.store, record.run_id, by="ann")

    def resume(self, record: RunRecord) -> None:
        control.resume(self.store, record.run_id, by="ann")

    def step(self, record: RunRecord) -> None:
        control.step(self.store, record.run_id, by="ann")

    def run_to(self, record: RunRecord) -> None:
        seq = record.last_seq + self.chance.randrange(1, 8)
        control.run_to(self.store, record.run_id, seq, by="ann")

    def arm(self, record: RunRecord) -> None:
        chosen = self.chance.sample(BREAKPOINTS, 1)
        control.arm(self.store, record.run_id, chosen, by="ann")

    def edit(self, record: RunRecord) -> None:
        results = [e for e in self.log(record)[-12:] if e.kind == "tool.returned"]
        if results:
            nodes = recorded_nodes(self.store, record)
            text = {"text": f"edited {self.chance.random()}"}
            control.edit(self.store, record.run_id, results[-1].seq, text, nodes=nodes, by="ann")

    def answer(self, record: RunRecord) -> None:
        wanted = next_wanted(self.log(record), recorded_nodes(self.store, record))
        if wanted is not None and wanted.kind in {"llm.requested", "tool.called"}:
            payload = {"text": "Answer: by hand"}
            control.substitute(self.store, record.run_id, -1, payload, opened=wanted, by="ann")

    def fork(self, record: RunRecord) -> None:
        if len(self.runs) < self.most and record.last_seq > 5:
            at = self.chance.randrange(4, record.last_seq)
            policy = {DEPOSIT: self.chance.choice(["live", "mock:done", "replay"])}
            nodes = recorded_nodes(self.store, record)
            fork = fork_run(self.store, record.run_id, at, nodes=nodes, policies=policy, by="ann")
            self.runs.append(fork.run_id)

    # -- the end ---------------------------------------------------------------------------------

    def finish(self) -> None:
        """Let everything go on until it ends.

        Raises:
            AssertionError: some run is stuck.
        """
        deadline = time.monotonic() + PATIENCE_S
        left = list(self.runs)
        for run_id in left:
            with suppress(AWorldError):
                control.arm(self.store, run_id, [], by="ann")
        while left:
            assert time.monotonic() < deadline, self._stuck(left)
            for record in [self.store.get_run(run_id) for run_id in left]:
                if record.status in ENDED:
                    left.remove(record.run_id)
                elif record.status in {"paused", "parked"}:
                    with suppress(AWorldError):
                        control.resume(self.store, record.run_id, by="ann")
            time.sleep(0.1)

    def _stuck(self, left: list[str]) -> str:
        record = self.store.get_run(left[0])
        last = [f"{e.seq} {e.actor} {e.payload}" for e in self.log(record)[-8:]]
        return f"{len(left)} runs are stuck; {record.run_id} is {record.status}: {last}"


def hammer(folder: Path, seed: int, *, runs: int, deeds: int, kills: int) -> Hand:
    """Do it, and check what must hold."""
    store = sqlite(folder)
    hand = Hand(store, seed)
    hand.create(runs)
    workers = Workers(folder)
    try:
        hand.wait_for_worker()
        for kill in range(kills + 1):
            if kill:
                workers.kill()
            for _ in range(deeds // (kills + 1)):
                hand.act()
                time.sleep(0.02)
        hand.finish()
    finally:
        workers.stop()
    check(hand, folder)
    store.close()
    return hand


def check(hand: Hand, folder: Path) -> None:
    """No event lost, no deposit made twice, no command carried out twice, every log true."""
    deposits = Counter((folder / "deposits").read_text(encoding="utf-8").splitlines())
    assert [line for line, times in deposits.items() if times > 1] == []
    for run_id in hand.runs:
        record = hand.store.get_run(run_id)
        log = hand.log(record)
        assert [event.seq for event in log] == list(range(len(log)))
        assert record.last_seq == log[-1].seq
        report = replay(run_id, log, recorded_nodes(hand.store, record))
        assert report.identical, f"{run_id}: {report} {report.difference}"
        own = [e for e in log if e.seq > record.parent_seq]
        holds = [e.payload for e in own if isinstance(e.payload, RunPaused | RunResumed)]
        commands = Counter((type(p).__name__, p.command) for p in holds if p.command >= 0)
        assert max(commands.values(), default=0) <= 1, commands
        called = [
            f"{run_id} {e.actor} {e.payload.arguments['key']}"
            for e in log
            if isinstance(e.payload, ToolCalled) and e.payload.tool == DEPOSIT
        ]
        assert {line for line in deposits if line.startswith(run_id)} <= set(called)


def test_thirty_runs_survive_three_killed_workers(tmp_path: Path) -> None:
    hand = hammer(tmp_path, 7, runs=30, deeds=240, kills=3)
    assert len(hand.runs) >= 30
    assert set(hand.done) >= {"edit", "step", "resume", "pause", "fork", "answer"}, hand.done


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_five_hundred_runs_survive_sixty_killed_workers(tmp_path: Path, seed: int) -> None:
    hammer(tmp_path, seed, runs=50, deeds=480, kills=6)
