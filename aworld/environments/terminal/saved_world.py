"""A world as bytes: its folders as a tar archive, and where the shell stands."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from aworld.errors import EnvironmentFault
from aworld.sandbox.disk_usage import usage_of_folder

MOST_BYTES = 16 * 1024 * 1024
"""A larger workspace is brought back by repeating the actions."""
_SHELL = "shell.json"


class ShellState(msgspec.Struct, frozen=True):
    """What a shell remembers."""

    folder: str
    variables: str = ""
    """As `declare` prints them."""


def save(folders: Mapping[str, Path], shell: ShellState) -> bytes | None:
    """Pack folders by their names in the archive; None where they are too large."""
    there = {name: folder for name, folder in folders.items() if folder.is_dir()}
    if sum(usage_of_folder(folder).used for folder in there.values()) > MOST_BYTES:
        return None
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz", compresslevel=1) as archive:
        data = msgspec.json.encode(shell)
        head = tarfile.TarInfo(_SHELL)
        head.size = len(data)
        archive.addfile(head, io.BytesIO(data))
        for name, folder in there.items():
            archive.add(folder, name, filter=_anonymous)
    return target.getvalue()


def load(saved: bytes, folders: Mapping[str, Path]) -> ShellState:
    """Unpack into folders that are empty.

    Raises:
        EnvironmentFault: it is no such archive, or leads out of the folders.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(saved), mode="r:gz") as archive:
            head = archive.extractfile(_SHELL)
            if head is None:
                raise EnvironmentFault("The snapshot has no state of the shell.")
            shell = msgspec.json.decode(head.read(), type=ShellState)
            for member in archive.getmembers():
                name, _, inside = member.name.partition("/")
                if inside and name in folders:
                    member.name = inside
                    if member.islnk():
                        member.linkname = member.linkname.removeprefix(f"{name}/")
                    archive.extract(member, folders[name], filter="tar")
    except (tarfile.TarError, KeyError, OSError, EOFError, msgspec.MsgspecError) as error:
        raise EnvironmentFault(f"The snapshot cannot be brought back: {error}.") from error
    return shell


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if member.isdev() and not member.isfifo():
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
