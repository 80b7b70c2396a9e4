"""What a run's archive holds, looked at and checked before anything of it is kept."""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

from aworld.errors import ConfigurationError, Unwritable
from aworld.events.union import Event, decode_json, encode

FORMAT = "aworld.run"
VERSION = 1
SUFFIX = ".aworld.zip"

MOST_BYTES = 4 * 1024**3
"""Of all members together, unpacked."""
MOST_MEMBERS = 100_000
MOST_RATIO = 400
"""Unpacked to packed, of a member above 1 MB; text packs about 20 to 1."""
MOST_PIECE = 256 * 1024**2
"""Of what is held in memory at once: a line of the events, a blob."""
DAMAGE = (zipfile.BadZipFile, EOFError, zlib.error, RuntimeError, OSError, ValueError)
"""What damage raises; an unknown encryption or packing is a RuntimeError."""

_BLOB = re.compile(r"blobs/([0-9a-f]{64})")
_NAMES = frozenset({"manifest.json", "run.json", "events.jsonl"})


class Manifest(msgspec.Struct, frozen=True):
    """What the archive says it holds."""

    format: str
    version: int
    run_id: str
    events: int
    blobs: int
    events_sha256: str


def refuse_harm(archive: zipfile.ZipFile) -> None:
    """Look at the directory of the zip before anything is unpacked.

    Raises:
        ConfigurationError: names that do not belong there, or sizes that are too large.
    """
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise ConfigurationError(
            f"The archive has {len(members)} members; at most {MOST_MEMBERS} are read."
        )
    seen: set[str] = set()
    for member in members:
        if member.filename in seen:
            raise ConfigurationError(f"The archive holds {member.filename!r} twice.")
        seen.add(member.filename)
        if member.filename not in _NAMES and not _BLOB.fullmatch(member.filename):
            raise ConfigurationError(
                f"The archive holds {member.filename!r}, which does not belong into a run's "
                "archive; nothing was read."
            )
        if member.file_size > MOST_RATIO * max(member.compress_size, 2500):
            raise ConfigurationError(
                f"{member.filename!r} would unpack to {member.file_size} bytes from "
                f"{member.compress_size}: that looks like a zip bomb; nothing was read."
            )
        if member.file_size > MOST_PIECE and member.filename != "events.jsonl":
            raise ConfigurationError(
                f"{member.filename!r} has {member.file_size} bytes; at most {MOST_PIECE} are read."
            )
    total = sum(member.file_size for member in members)
    if total > MOST_BYTES:
        raise ConfigurationError(
            f"The archive would unpack to {total} bytes; at most {MOST_BYTES} are read."
        )
    for name in sorted(_NAMES - seen):
        raise ConfigurationError(
            f"The archive has no {name!r}, so it is no run's archive. Choose a file that ends "
            f"with {SUFFIX!r}."
        )


def read_struct(archive: zipfile.ZipFile, name: str, kind: type[Any]) -> Any:
    """A member that is one JSON object.

    Raises:
        ConfigurationError: it is none of that kind.
    """
    try:
        return msgspec.json.decode(archive.read(name), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{name!r} in the archive cannot be read: {error}.") from None


def check_events(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Whether the events are the manifest's, whole, and such as a log can keep.

    Raises:
        ConfigurationError: they are not.
    """
    digest = hashlib.sha256()
    with archive.open("events.jsonl") as lines:
        while chunk := lines.read(1 << 20):
            digest.update(chunk)
    if digest.hexdigest() != manifest.events_sha256:
        raise ConfigurationError(
            "The archive's events are not those its manifest names: it was changed or damaged. "
            "Fetch it again."
        )
    first = ""
    for event in archived_events(archive):
        first = first or event.kind
        try:
            encode(event)
        except Unwritable as error:
            raise ConfigurationError(f"The archive cannot be kept. {error}") from None
    if first != "run.created":
        raise ConfigurationError(
            f"The archive's events begin with {first or 'nothing'!r}, not with 'run.created': it "
            "holds no whole run. Export it anew."
        )


def archived_events(archive: zipfile.ZipFile) -> Iterator[Event]:
    """The events in order.

    Raises:
        ConfigurationError: a line is none, or not the next one.
    """
    with archive.open("events.jsonl") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(MOST_PIECE), b"")):
            try:
                event = decode_json(line)
            except (msgspec.DecodeError, UnicodeDecodeError, AttributeError, TypeError) as error:
                raise ConfigurationError(
                    f"Line {number + 1} of 'events.jsonl' is no event: {error}."
                ) from None
            if event.seq != number:
                raise ConfigurationError(
                    f"Line {number + 1} of 'events.jsonl' has seq {event.seq}, not {number}: "
                    "events are missing or out of order."
                )
            yield event


def check_blobs(archive: zipfile.ZipFile) -> None:
    """Whether each blob's content is what its name says.

    Raises:
        ConfigurationError: one is not.
    """
    for _ in blobs_of(archive):
        pass


def blobs_of(archive: zipfile.ZipFile) -> Iterator[bytes]:
    """Each blob, once its content was compared with its name.

    Raises:
        ConfigurationError: they differ.
    """
    for member in archive.infolist():
        named = _BLOB.fullmatch(member.filename)
        if not named:
            continue
        data = archive.read(member)
        if hashlib.sha256(data).hexdigest() != named.group(1):
            raise ConfigurationError(
                f"{member.filename!r} does not have the content that its name says: the archive "
                "was changed or damaged. Fetch it again."
            )
        yield data
