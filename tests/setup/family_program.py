"""A parent with two children, run as a program of its own so that a test can kill it.

python family_program.py HOME     prints "ready PID PID", then waits for a signal
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from aworld_web.processes.child import ChildSpec
from aworld_web.processes.console import Console
from aworld_web.processes.family import Family
from aworld_web.processes.report import Parent, now_us

WAIT = "print('here', flush=True); import time; time.sleep(120)"


async def main(home: Path) -> None:
    parent = Parent(pid=os.getpid(), url="http://127.0.0.1:1", started_at=now_us())
    family = Family(home, parent, console=Console(sys.stderr))
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    family.begin()
    command = (sys.executable, "-uc", WAIT)
    pair = [
        family.start(ChildSpec(name, command, os.environ, ready_line="here"))
        for name in ("first", "second")
    ]
    for child in pair:
        await child.ready.wait()
    sys.stdout.write(f"ready {' '.join(str(child.state.pid) for child in pair)}\n")
    sys.stdout.flush()
    await ended.wait()
    await family.end()


asyncio.run(main(Path(sys.argv[1])))
