"""A world as bytes: the workspace as a tar archive, and where the shell stands."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import msgspec

from aworld.errors import EnvironmentFault
from aworld.sandbox.disk_usage import usage_of_folder

MOST_BYTES = 16 * 1024 * 1024
"""A larger workspace is brought back by repeating the actions."""
_SHELL = "shell.json"
_FILES = "files"


class ShellState(msgspec.Struct, frozen=True):
    """What a shell remembers."""

    folder: str
    variables: str = ""
    """As `declare` prints them."""


def save(workspace: Path, shell: ShellState) -> bytes | None:
    """Pack; None where it is too large."""
    if usage_of_folder(workspace).used > MOST_BYTES:
        return None
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz", compresslevel=1) as archive:
        data = msgspec.json.encode(shell)
        head = tarfile.TarInfo(_SHELL)
        head.size = len(data)
        archive.addfile(head, io.BytesIO(data))
        archive.add(workspace, _FILES, filter=_anonymous)
    return target.getvalue()


def load(saved: bytes, workspace: Path) -> ShellState:
    """Unpack over an empty workspace.

    Raises:
        EnvironmentFault: it is no such archive, or leads out of the workspace.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(saved), mode="r:gz") as archive:
            head = archive.extractfile(_SHELL)
            if head is None:
                raise EnvironmentFault("The snapshot has no state of the shell.")
            shell = msgspec.json.decode(head.read(), type=ShellState)
            for member in archive.getmembers():
                inside = member.name.removeprefix(f"{_FILES}/")
                if inside != member.name:
                    member.name = inside
                    if member.islnk():
                        member.linkname = member.linkname.removeprefix(f"{_FILES}/")
                    archive.extract(member, workspace, filter="tar")
    except (tarfile.TarError, KeyError, OSError, EOFError, msgspec.MsgspecError) as error:
        raise EnvironmentFault(f"The snapshot cannot be brought back: {error}.") from error
    return shell


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if member.isdev() and not member.isfifo():
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
