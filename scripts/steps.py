"""Steps of the set-up: each is done once for its inputs, and says what it does while it does it."""

from __future__ import annotations

import contextlib
import hashlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / ".aworld" / "setup.log"
"""The whole output of the last set-up."""

STILL_EVERY_S = 20.0

_printing = threading.Lock()


class SetupError(Exception):
    """The set-up cannot go on; the message says what is missing and its cure."""


class Step(NamedTuple):
    """Something to be done unless `stamp` says that it was done for the same `key`."""

    name: str
    key: str
    stamp: Path
    work: Callable[[], None]


def say(text: str) -> None:
    """One line for the person who watches."""
    with _printing:
        print(f"setup │ {text}", flush=True)


def content_key(paths: Iterable[Path], *more: str) -> str:
    """A hash of these files' contents (a missing one counts as empty) and of further words."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() if path.is_file() else b"")
        digest.update(b"\0")
    for word in more:
        digest.update(word.encode() + b"\0")
    return digest.hexdigest()


def is_done(step: Step) -> bool:
    """Whether the step was done for what its inputs are now."""
    try:
        return step.stamp.read_text(encoding="utf-8") == step.key
    except OSError:
        return False


def do(step: Step) -> None:
    """Do the step where it is needed. Raises SetupError."""
    if is_done(step):
        return
    started = time.monotonic()
    say(f"{step.name} …")
    try:
        with _sign_of_life(step.name, started):
            step.work()
        step.stamp.parent.mkdir(parents=True, exist_ok=True)
        step.stamp.write_text(step.key, encoding="utf-8")
    except OSError as fault:
        raise SetupError(sentence_for(str(fault), step.name)) from fault
    say(f"{step.name}: done in {time.monotonic() - started:.0f} s")


@contextlib.contextmanager
def _sign_of_life(name: str, started: float) -> Iterator[None]:
    """Say now and then that a long step is still under way."""
    over = threading.Event()

    def tell() -> None:
        while not over.wait(STILL_EVERY_S):
            say(f"{name}: still going, {time.monotonic() - started:.0f} s")

    teller = threading.Thread(target=tell)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def side_by_side(groups: Sequence[Sequence[Step]]) -> None:
    """Do groups of steps at the same time, each group in its order. Raises the first SetupError."""
    failed: list[SetupError] = []

    def follow(group: Sequence[Step]) -> None:
        try:
            for step in group:
                do(step)
        except SetupError as fault:
            failed.append(fault)

    threads = [threading.Thread(target=follow, args=(group,)) for group in groups]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def call(
    command: Sequence[str],
    *,
    what: str,
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run a command with its output in the log. Raises SetupError with a clear sentence."""
    try:
        LOG.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        with _printing, LOG.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{done.stdout}\n")
    except OSError as fault:
        raise SetupError(sentence_for(str(fault), what)) from fault
    if done.returncode != 0:
        tail = "\n".join(done.stdout.strip().splitlines()[-12:])
        print(tail, file=sys.stderr)
        raise SetupError(sentence_for(done.stdout, what))


CURES: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("No space left on device", "ENOSPC", "Disk quota exceeded"),
        "the disk is full. Make about 2 GB of room (see: df -h .) and run the command again",
    ),
    (
        ("ensurepip is not", "No module named ensurepip", "No module named venv"),
        "this Python has no venv module. Debian, Ubuntu: apt-get install python3-venv, "
        "then run the command again",
    ),
    (
        (
            "gcc: No such file",
            "command 'gcc' failed",
            "command 'cc' failed",
            "x86_64-linux-gnu-gcc' failed",
            "Unable to find a compiler",
            "CMAKE_C_COMPILER not set",
        ),
        "a package without a ready-made wheel for this machine has to be compiled, and there is "
        "no compiler. Debian, Ubuntu: apt-get install build-essential python3-dev; macOS: "
        "xcode-select --install; or use Python 3.11 to 3.13, for which wheels exist",
    ),
    (
        (
            "Temporary failure in name resolution",
            "NewConnectionError",
            "ENOTFOUND",
            "EAI_AGAIN",
            "ECONNREFUSED",
            "Network is unreachable",
        ),
        "the package registry cannot be reached. Check the network, or the proxy that pip and "
        "npm are set to use, and run the command again",
    ),
    (
        ("Permission denied", "EACCES", "Read-only file system"),
        "the folder cannot be written. Use a checkout that belongs to you",
    ),
)


def sentence_for(output: str, what: str) -> str:
    """What went wrong with `what`, told from a command's output, and what to do about it."""
    for signs, cure in CURES:
        if any(sign in output for sign in signs):
            return f"{what} did not succeed: {cure}."
    return f"{what} did not succeed. The whole output is in {LOG}."
