"""A second process on a store: `append RUN`, or `claim WORKER`. It opens what the environment says.

`append` claims the run and appends blocks for ever, and prints each acknowledged seq.
`claim` waits for a line on its input, then claims until nothing is left, and prints what it got.
"""

from __future__ import annotations

import sys

from aworld.config import load
from aworld.events.conversation import MessageSent
from aworld.events.union import Event
from aworld.storage.base import Store
from aworld.storage.open import open_store


def say(*words: object) -> None:
    """One line to whoever started this."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def append(store: Store, run_id: str) -> None:
    """Until killed."""
    lease = store.claim("writer", ttl_s=0.0, run_id=run_id)
    assert lease is not None
    seq = store.get_run(run_id).last_seq + 1
    while True:
        block = [
            Event(run_id, seq + n, 1_767_225_600_000_000 + seq + n, "ann",
                  MessageSent(f"{seq + n} " + "x" * 1000))
            for n in range(20)
        ]  # fmt: skip
        seq = store.append(run_id, lease.epoch, block) + 1
        say(seq - 1)


def claim(store: Store, worker: str) -> None:
    """Until nothing is left."""
    say("ready")
    sys.stdin.readline()
    while (lease := store.claim(worker, ttl_s=60.0)) is not None:
        say(lease.run_id, lease.epoch)


if __name__ == "__main__":
    {"append": append, "claim": claim}[sys.argv[1]](open_store(load()), sys.argv[2])
