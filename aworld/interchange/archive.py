"""A run as one file, `NAME.aworld.zip`, that a colleague opens.

    manifest.json    format, version, run_id, events, blobs, sha256 of events.jsonl
    run.json         the run's row
    events.jsonl     one event a line, as the browser gets it
    blobs/<sha256>   the large payloads and attachments that the events name

Archives come from strangers: only these names are read, sizes are bounded before anything is
unpacked, every hash is checked, and nothing is ever written to a path out of the file.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

import msgspec

from aworld.errors import ConfigurationError, NotFound
from aworld.events.action import ToolReturned
from aworld.events.envelope import Clock
from aworld.events.union import Event, Offloaded, decode_json, encode_json
from aworld.storage.base import ENDED, RunRecord, Store

FORMAT = "aworld.run"
VERSION = 1
SUFFIX = ".aworld.zip"

MOST_BYTES = 4 * 1024**3
"""Of all members together, unpacked."""
MOST_MEMBERS = 100_000
MOST_RATIO = 400
"""Unpacked to packed, of a member above 1 MB; text packs about 20 to 1."""
_PAGE = 2000
_WORKER = "import"

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


class Imported(NamedTuple):
    """The run that an archive became."""

    record: RunRecord
    new: bool
    """False where the store had it already."""


def write_archive(store: Store, run_id: str, file: IO[bytes]) -> Manifest:
    """Write a run as it is now; a fork is written whole, with its parent's prefix.

    Raises:
        NotFound: no such run.
    """
    record = store.get_run(run_id)
    digest, count, blobs = hashlib.sha256(), 0, set[str]()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr("run.json", msgspec.json.format(msgspec.json.encode(record)))
        with archive.open("events.jsonl", "w", force_zip64=True) as lines:
            for event in _events(store, run_id, record.last_seq):
                line = encode_json(event) + b"\n"
                digest.update(line)
                lines.write(line)
                count += 1
                blobs.update(_named_blobs(store, event))
        for sha256 in sorted(blobs):
            archive.writestr(f"blobs/{sha256}", store.get_blob(sha256))
        manifest = Manifest(FORMAT, VERSION, run_id, count, len(blobs), digest.hexdigest())
        archive.writestr("manifest.json", msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def read_archive(store: Store, file: IO[bytes]) -> Imported:
    """Put an archive's run into the store.

    The run keeps its id, unless another run has it: then it gets one made from its content, so
    that the same archive always becomes the same run.

    Raises:
        ConfigurationError: not such an archive, damaged, too large or made to harm.
    """
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        raise ConfigurationError(
            f"This file is no zip archive. Choose a file that ends with {SUFFIX!r}, "
            "as 'Copy as archive' makes it."
        ) from None
    with archive:
        _refuse_harm(archive)
        try:
            return _import(store, archive)
        except (zipfile.BadZipFile, EOFError) as error:
            raise ConfigurationError(
                f"The archive is damaged ({error}). Fetch it again."
            ) from error


def _import(store: Store, archive: zipfile.ZipFile) -> Imported:
    manifest = _read_struct(archive, "manifest.json", Manifest)
    if manifest.format != FORMAT or manifest.version > VERSION:
        raise ConfigurationError(
            f"The archive has format {manifest.format!r} version {manifest.version}; this version "
            f"reads {FORMAT!r} up to version {VERSION}. Update, or export it anew."
        )
    record = _read_struct(archive, "run.json", RunRecord)
    _check_events(archive, manifest)
    run_id, there = _identity(store, record, manifest)
    if there:
        return Imported(store.get_run(run_id), new=False)
    _import_blobs(store, archive)
    _create(store, record, run_id)
    block: list[Event] = []
    for event in _archived_events(archive):
        block.append(msgspec.structs.replace(event, run_id=run_id))
        if len(block) >= _PAGE:
            store.append(run_id, 1, block)
            block = []
    if block:
        store.append(run_id, 1, block)
    return Imported(_close(store, run_id), new=True)


def _refuse_harm(archive: zipfile.ZipFile) -> None:
    """Look at the directory of the zip before anything is unpacked."""
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


def _read_struct(archive: zipfile.ZipFile, name: str, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(archive.read(name), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{name!r} in the archive cannot be read: {error}.") from None


def _check_events(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    digest = hashlib.sha256()
    with archive.open("events.jsonl") as lines:
        while chunk := lines.read(1 << 20):
            digest.update(chunk)
    if digest.hexdigest() != manifest.events_sha256:
        raise ConfigurationError(
            "The archive's events are not those its manifest names: it was changed or damaged. "
            "Fetch it again."
        )


def _archived_events(archive: zipfile.ZipFile) -> Iterator[Event]:
    with archive.open("events.jsonl") as lines:
        for number, line in enumerate(lines):
            try:
                event = decode_json(line)
            except (msgspec.DecodeError, UnicodeDecodeError, AttributeError) as error:
                raise ConfigurationError(
                    f"Line {number + 1} of 'events.jsonl' is no event: {error}."
                ) from None
            if event.seq != number:
                raise ConfigurationError(
                    f"Line {number + 1} of 'events.jsonl' has seq {event.seq}, not {number}: "
                    "events are missing or out of order."
                )
            yield event


def _identity(store: Store, record: RunRecord, manifest: Manifest) -> tuple[str, bool]:
    """The id to import under, and whether that run is there already."""
    if not re.fullmatch(r"[A-Za-z0-9_.:-]{1,128}", record.run_id):
        raise ConfigurationError(
            f"The run's id {record.run_id!r} is no id: letters, digits and '_.:-' only."
        )
    own = _stored_digest(store, record.run_id)
    if own is None or own == manifest.events_sha256:
        return record.run_id, own is not None
    content = hashlib.sha256(f"{record.run_id}\n{manifest.events_sha256}".encode()).hexdigest()
    run_id = content[:32]
    return run_id, _stored_digest(store, run_id) is not None


def _stored_digest(store: Store, run_id: str) -> str | None:
    """sha256 of the run's `events.jsonl` as it would be written now; None for no such run."""
    try:
        last_seq = store.get_run(run_id).last_seq
    except NotFound:
        return None
    digest = hashlib.sha256()
    for event in _events(store, run_id, last_seq):
        digest.update(encode_json(event) + b"\n")
    return digest.hexdigest()


def _import_blobs(store: Store, archive: zipfile.ZipFile) -> None:
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
        store.put_blob(data)


def _create(store: Store, record: RunRecord, run_id: str) -> None:
    """The row without its counts, which the events bring again; leased, so nobody takes it."""
    store.create_run(
        RunRecord(
            run_id=run_id,
            project_id=record.project_id,
            team_name=record.team_name,
            team=record.team,
            input=record.input,
            task_id=record.task_id,
            attempt=record.attempt,
            seed=record.seed,
            source="import",
            tags=record.tags,
            priority=record.priority,
            created_at=record.created_at,
            status="running",
            worker=_WORKER,
            epoch=1,
            lease_until=Clock().now() + 600_000_000,
        )
    )


def _close(store: Store, run_id: str) -> RunRecord:
    """Give the lease back. A run exported before its end stays parked: no worker goes on with it
    unless someone resumes it."""
    from aworld.storage.base import Lease

    record = store.get_run(run_id)
    if record.status not in ENDED:
        store.set_run(run_id, status="parked")
    store.release(Lease(run_id, _WORKER, 1, record.lease_until))
    return store.get_run(run_id)


def _events(store: Store, run_id: str, last_seq: int) -> Iterator[Event]:
    """Events 0 … last_seq."""
    after = -1
    while after < last_seq:
        page = store.read(run_id, after=after, limit=min(_PAGE, last_seq - after))
        if not page:
            return
        yield from page
        after = page[-1].seq


def _named_blobs(store: Store, event: Event) -> Iterator[str]:
    """The blobs an event cannot be shown without."""
    payload = event.payload
    if isinstance(payload, Offloaded):
        yield payload.blob
        payload = store.resolve(event)
    if isinstance(payload, ToolReturned):
        yield from (str(file["blob"]) for file in payload.attachments if file.get("blob"))
