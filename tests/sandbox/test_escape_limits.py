"""Attempts to use more than is allowed, and to outlive the end."""

from __future__ import annotations

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from aworld.errors import SandboxError
from aworld.sandbox import SandboxLimits
from aworld.sandbox.bubblewrap import BubblewrapSandbox, Way
from tests.sandbox.escaping import LIMITS, WAYS, Attempt, cases, make, probe

pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")
MEMORY = "300 MB are allowed"
DISK = "20 MB are allowed"
FILE = "a file may have at most 4 MB"
SLEEP = "import time; time.sleep(15)"

USE = [
    Attempt(
        "threads",
        f"import threading\ndef nap(): {SLEEP}\n"
        "for _ in range(200): threading.Thread(target=nap, daemon=True).start()",
        "32 processes",
    ),
    Attempt(
        "memory that processes share",
        "import mmap, time\n"
        "for _ in range(5):\n"
        "    m = mmap.mmap(-1, 90_000_000); m.write(b'x' * 90_000_000); globals()[id(m)] = m\n"
        "time.sleep(15)",
        MEMORY,
    ),
    Attempt(
        "files that are in memory only",
        "import os, time\n"
        "held = [os.memfd_create('m') for _ in range(120)]\n"
        "for each in held: os.write(each, b'x' * 4_000_000)\n"
        "time.sleep(15)",
        MEMORY,
    ),
    Attempt("a full /tmp", "sh:cat /dev/zero > /tmp/a; cat /dev/zero > /tmp/b", FILE),
    Attempt("a full /dev/shm", "sh:for n in 1 2; do head -c 3000000 /dev/zero > /dev/shm/$n; done",
            "/tmp holds at most 4 MB"),
    Attempt("a large file", "open('a', 'wb').truncate(5_000_000)", FILE),
    Attempt(
        "many large files",
        "sh:for n in $(seq 50); do head -c 3000000 /dev/zero > $n; done; sleep 15",
        DISK,
    ),
    Attempt(
        "large files, quickly",
        "for n in range(12): open(str(n), 'wb').write(b'x' * 3_000_000)",
        DISK,
    ),
    Attempt("many small files", "for n in range(9000): open(str(n), 'w').close()",
            "the workspace has more than 500 files"),
    Attempt(
        "folders in folders",
        "import os\nfor n in range(300): os.mkdir('d'); os.chdir('d')",
        "nested more than 100 deep",
    ),
    Attempt("many open files", "x = [open('/dev/null') for _ in range(600)]", "512 files open"),
    Attempt("a large stack of output", "sh:yes | head -c 30000000; sleep 15", "64 KB of output"),
    Attempt("a core dump", "import os; os.abort()", ""),
]  # fmt: skip


@pytest.mark.parametrize(("attempt", "way"), cases(USE))
async def test_a_limit_holds_against(attempt: Attempt, way: Way, tmp_path: Path) -> None:
    outcome = await make(attempt, way, tmp_path)
    assert attempt.reason in outcome.reasons
    assert outcome.result.exit_code != 0 or outcome.result.refused
    assert not outcome.result.timed_out
    assert not list(tmp_path.glob("core*"))


@pytest.mark.parametrize("way", WAYS)
async def test_an_archive_that_unfolds_without_end_is_stopped(way: Way, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("big", b"\0" * 30_000_000)
    code = "import zipfile; zipfile.ZipFile('bomb.zip').extractall()"
    outcome = await make(Attempt("bomb", code, FILE), way, tmp_path)
    assert FILE in outcome.reasons
    assert (tmp_path / "big").stat().st_size <= 4 * 1024 * 1024


DODGES = [
    Attempt("a session of its own", "sh:setsid sh -c 'MARK' & MARK", ""),
    Attempt("deafness to signals", "sh:trap '' TERM INT HUP QUIT; MARK & MARK", ""),
    Attempt(
        "a daemon",
        "import os, subprocess\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0: subprocess.run('MARK', shell=True)\n"
        "    os._exit(0)\n"
        "subprocess.run('MARK', shell=True)",
        "",
    ),
    Attempt("stopping what watches it", "sh:kill -STOP 1 2; kill -STOP $PPID; MARK", ""),
    Attempt(
        "a hundred generations",
        "import os\nfor _ in range(100):\n    if os.fork(): os._exit(0)\nos.system('MARK')",
        "",
    ),
    Attempt("a new name", "sh:cp /bin/sleep init; ./init MARK", ""),
]  # fmt: skip


@pytest.mark.parametrize(("attempt", "way"), cases(DODGES))
async def test_the_end_cannot_be_dodged_by(attempt: Attempt, way: Way, tmp_path: Path) -> None:
    seconds = f"6{os.getpid()}"
    mark = f"sleep {seconds}"
    code = attempt.code.replace("./init MARK", f"./init {seconds}").replace("MARK", mark)
    placed = attempt._replace(code=code)
    limits = SandboxLimits(seconds=0.7, memory_mb=300, processes=32)
    outcome = await make(placed, way, tmp_path, limits=limits)
    ended_itself = attempt.name == "a hundred generations"
    assert ended_itself or "it was stopped after 0.7 s" in outcome.reasons
    running = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True)
    assert seconds not in running.stdout


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("target", ["1", "2", "$PPID", "-1", "0"])
async def test_it_can_only_end_itself(target: str, way: Way, tmp_path: Path) -> None:
    outside = subprocess.Popen(["sleep", "60"])
    try:
        script = f"sh:kill -9 {target}; kill -9 {outside.pid}; exit 3"
        outcome = await make(Attempt("kill", script, ""), way, tmp_path)
        assert outcome.result.exit_code != 0
        assert outside.poll() is None
    finally:
        outside.kill()
        outside.wait()


@pytest.mark.parametrize("way", WAYS)
async def test_a_full_workspace_can_be_tidied_but_not_filled_further(
    way: Way, tmp_path: Path
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(b"x" * 9_000_000)
    filled = await make(
        Attempt("fill", "open('d', 'wb').write(b'x' * 3_000_000)", ""), way, tmp_path
    )
    assert DISK in filled.reasons
    tidied = await make(Attempt("tidy", "sh:rm a b && echo tidied", ""), way, tmp_path)
    assert (tidied.result.stdout, tidied.result.refused) == ("tidied\n", "")


@pytest.mark.parametrize("way", WAYS)
async def test_nothing_starts_in_a_workspace_that_holds_twice_its_limit(
    way: Way, tmp_path: Path
) -> None:
    for number in range(5):
        (tmp_path / str(number)).write_bytes(b"x" * 9_000_000)
    with pytest.raises(SandboxError, match="holds 42 MB; 20 MB are allowed. It is too full"):
        await BubblewrapSandbox(way).run(["true"], workspace=tmp_path, limits=LIMITS)


@pytest.mark.parametrize("way", WAYS)
async def test_code_that_locks_itself_out_is_let_in_again(way: Way, tmp_path: Path) -> None:
    await make(Attempt("lock", "sh:touch kept; chmod 0 .", ""), way, tmp_path)
    outcome = await make(Attempt("again", "sh:ls", ""), way, tmp_path)
    assert outcome.result.stdout == "kept\n"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.skipif(os.geteuid() == 0, reason="Root can look into every folder.")
async def test_a_closed_folder_hides_nothing_from_the_limit(way: Way, tmp_path: Path) -> None:
    code = (
        "sh:mkdir d; chmod 0 d; for n in $(seq 9); do head -c 3000000 /dev/zero > $n; sleep 1; done"
    )
    outcome = await make(Attempt("closed", code, ""), way, tmp_path)
    assert "a folder that cannot be looked into" in outcome.reasons
    (tmp_path / "d").chmod(0o700)
