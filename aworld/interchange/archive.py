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
from typing import IO, NamedTuple

import msgspec

from aworld.environments.record import trusted
from aworld.errors import ConfigurationError, NotFound
from aworld.events.action import ToolReturned
from aworld.events.envelope import Clock
from aworld.events.union import Event, Offloaded, encode_json
from aworld.interchange.members import (
    DAMAGE,
    FORMAT,
    SUFFIX,
    VERSION,
    Manifest,
    archived_events,
    blobs_of,
    check_blobs,
    check_events,
    read_struct,
    refuse_harm,
)
from aworld.storage.base import ENDED, RunRecord, Store

__all__ = ["SUFFIX", "Imported", "read_archive", "write_archive"]

_PAGE = 2000
_WORKER = "import"
_CARRIED_OUT = "carried_out"
"""Stands for a command that the run heeded before it was exported."""
_MOST_COMMANDS = 10_000
"""A log that names a higher one was made to harm."""


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
        try:
            manifest, record = _checked(archive)
        except DAMAGE as error:
            raise ConfigurationError(
                f"The archive is damaged ({error}). Fetch it again."
            ) from error
        return _import(store, archive, manifest, record)


def _checked(archive: zipfile.ZipFile) -> tuple[Manifest, RunRecord]:
    """All of it is read once before anything is kept."""
    refuse_harm(archive)
    manifest = read_struct(archive, "manifest.json", Manifest)
    if manifest.format != FORMAT or manifest.version > VERSION:
        raise ConfigurationError(
            f"The archive has format {manifest.format!r} version {manifest.version}; this version "
            f"reads {FORMAT!r} up to version {VERSION}. Update, or export it anew."
        )
    record = read_struct(archive, "run.json", RunRecord)
    check_events(archive, manifest)
    check_blobs(archive)
    return manifest, record


def _import(
    store: Store, archive: zipfile.ZipFile, manifest: Manifest, record: RunRecord
) -> Imported:
    run_id, there = _identity(store, record, manifest)
    if there:
        return Imported(store.get_run(run_id), new=False)
    for data in blobs_of(archive):
        store.put_blob(data)
    _create(store, record, run_id)
    try:
        _append(store, archive, run_id)
    except BaseException:
        # Half a run would count as one whose worker fell silent, and be worked on.
        store.delete_run(run_id)
        raise
    return Imported(_close(store, run_id), new=True)


def _append(store: Store, archive: zipfile.ZipFile, run_id: str) -> None:
    block: list[Event] = []
    commands = 0
    for event in archived_events(archive):
        block.append(msgspec.structs.replace(event, run_id=run_id))
        commands = max(commands, getattr(event.payload, "command", -1) + 1)
        if len(block) >= _PAGE:
            store.append(run_id, 1, block)
            block = []
    if block:
        store.append(run_id, 1, block)
    # The log names commands by number; what is commanded here must get a number of its own.
    for _ in range(min(commands, _MOST_COMMANDS)):
        store.put_command(run_id, _CARRIED_OUT, {}, by=_WORKER)


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
            environment=trusted(record.environment),
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
