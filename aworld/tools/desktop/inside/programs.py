"""Starting programs in the desktop, and files of the jail for whoever asks from outside."""

from __future__ import annotations

import base64
import os
import shlex
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

_MOST_OUTPUT = 1024 * 1024
_MOST_DEPTH = 40

Command = str | list[str]


def run(
    command: Command, *, shell: bool, timeout_s: float, environment: dict[str, str], cwd: str
) -> dict[str, Any]:
    """Run a command to its end, and what it wrote. Its children may go on."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = _popen(command, shell, environment, cwd, out, err)
        timed_out = False
        try:
            process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            timed_out = True
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return {
            "returncode": process.returncode,
            "stdout": _written(out),
            "stderr": _written(err),
            "timed_out": timed_out,
        }


def launch(command: Command, *, shell: bool, environment: dict[str, str], cwd: str) -> int:
    """Start a program and leave it running; its process id."""
    with open(os.devnull, "wb") as nothing:
        return _popen(command, shell, environment, cwd, nothing, nothing).pid


def _popen(
    command: Command, shell: bool, environment: dict[str, str], cwd: str, out: Any, err: Any
) -> subprocess.Popen[bytes]:
    if isinstance(command, list) and shell:
        command = " ".join(command) if len(command) > 1 else command[0]
    argv = ["/bin/bash", "-c", command] if shell and isinstance(command, str) else command
    if isinstance(argv, str):
        argv = shlex.split(argv)
    return subprocess.Popen(
        ["/usr/bin/env", "--", *argv],
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=err,
        env=environment,
        cwd=cwd,
        start_new_session=True,
    )


def _written(stream: Any) -> str:
    stream.seek(0)
    return str(stream.read(_MOST_OUTPUT).decode("utf-8", "replace"))


def read_file(path: str, most: int) -> dict[str, Any]:
    """A regular file's bytes in base64, or why there are none. A pipe would never end."""
    there = Path(path)
    if not there.is_file():
        return {"missing": "it is a folder or no file" if there.exists() else "it does not exist"}
    size = there.stat().st_size
    if size > most:
        return {"missing": f"it has {size} bytes; {most} are allowed"}
    try:
        with there.open("rb") as opened:
            return {"data": base64.b64encode(opened.read(most)).decode("ascii")}
    except OSError as error:
        return {"missing": f"it cannot be read: {error.strerror}"}


def write_file(path: str, data: str, executable: bool) -> None:
    """Write a file, with the folders above it."""
    there = Path(path)
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_bytes(base64.b64decode(data))
    if executable:
        there.chmod(0o755)


def tree(path: str, most: int = 5000) -> dict[str, Any] | None:
    """A folder as OSWorld tells it: type, name, children; None where there is none."""
    if not os.path.isdir(path):
        return None
    left = [most]
    return _folder(path, left, 0)


def _folder(path: str, left: list[int], depth: int) -> dict[str, Any]:
    children: list[dict[str, Any]] = []
    for name in sorted(os.listdir(path)) if depth < _MOST_DEPTH else ():
        left[0] -= 1
        if left[0] < 0:
            break
        below = os.path.join(path, name)
        if os.path.isdir(below) and not os.path.islink(below):
            children.append(_folder(below, left, depth + 1))
        else:
            children.append({"type": "file", "name": name})
    return {"type": "directory", "name": os.path.basename(path), "children": children}
