"""Opens ZIP containers, and refuses those that are made to do harm."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import PurePosixPath

from aworld.tools.documents.model import DocumentError

MOST_MEMBERS = 10_000
MOST_UNPACKED = 512 * 1024 * 1024
"""Bytes of all members together; each may be read at a time."""
_SUSPICIOUS = 32 * 1024 * 1024
_MOST_RATIO = 200
"""A table of zeros packs 1:100 at the most; what is larger and denser is a bomb."""


def open_zip(data: bytes, name: str) -> zipfile.ZipFile:
    """The container, once its directory has been looked at.

    Raises:
        DocumentError: too many members, too much in them, a password, or damage.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise DocumentError(f"{name!r} is damaged or cut off: {error}.") from None
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise DocumentError(
            f"{name!r} has {len(members)} members; up to {MOST_MEMBERS} are unpacked."
        )
    unpacked = sum(member.file_size for member in members)
    if unpacked > MOST_UNPACKED or (
        unpacked > _SUSPICIOUS and unpacked > _MOST_RATIO * max(1, len(data))
    ):
        raise DocumentError(
            f"{name!r} would unpack from {len(data)} bytes to {unpacked}: a ZIP bomb. It was not "
            "opened."
        )
    return archive


def check_office(archive: zipfile.ZipFile, name: str) -> None:
    """Look for a password, and for declarations that no Office file has but attacks on XML do.

    Raises:
        DocumentError: there is one.
    """
    for member in archive.infolist():
        if member.flag_bits & 1:
            raise DocumentError(f"{name!r} is encrypted with a password.")
        if member.filename.endswith((".xml", ".rels")):
            with archive.open(member) as file:
                start = file.read(2048)
            if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
                raise DocumentError(
                    f"{name!r} declares entities in {member.filename!r}, as attacks on readers of "
                    "XML do. It was not read."
                )


def problem_of(member: zipfile.ZipInfo) -> str:
    """Why a member may not be unpacked; "" where it may."""
    name = member.filename.replace("\\", "/")
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0] or "\0" in name:
        return "its path leads out of the folder"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "it is a link"
    mode = stat.S_IFMT(member.external_attr >> 16)
    if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "it is no plain file"
    if member.flag_bits & 1:
        return "it is encrypted with a password"
    return ""
