"""What every store promises to several processes, and to one that is killed."""

from __future__ import annotations

import random

from aworld.events.conversation import MessageSent
from tests.contracts.stores import Place

ROUNDS = 3


def test_no_acknowledged_event_is_lost_when_the_writer_is_killed(place: Place) -> None:
    place.run()
    chance = random.Random(20260101)
    acknowledged = -1
    for _ in range(ROUNDS):
        writer = place.process("append", "r")
        assert writer.stdout is not None and writer.stdin is not None
        for _ in range(chance.randrange(1, 12)):
            acknowledged = int(writer.stdout.readline())
        writer.kill()
        # What it said between the last line read and its death counts as well.
        said = [int(line) for line in writer.stdout.read().splitlines() if line]
        acknowledged = max([acknowledged, *said])
        writer.wait()
        writer.stdout.close()
        writer.stdin.close()

        events = place.store.read("r", limit=1_000_000)
        assert [event.seq for event in events] == list(range(len(events)))
        assert len(events) > acknowledged
        assert place.store.get_run("r").last_seq == events[-1].seq
        assert all(
            isinstance(e.payload, MessageSent) and e.payload.content.startswith(f"{e.seq} ")
            for e in events
        )
        assert sum(place.store.bars("r", 12).count) == len(events)


def test_claims_of_two_processes_never_meet(place: Place) -> None:
    names = {place.run(f"r{number}") for number in range(40)}
    workers = [place.process("claim", name) for name in ("one", "two")]
    for worker in workers:
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    claims = []
    for worker in workers:
        out, _ = worker.communicate(timeout=60)
        claims += [line.split() for line in out.splitlines()]
        assert worker.returncode == 0
    assert sorted(claims) == sorted([name, "1"] for name in names)
