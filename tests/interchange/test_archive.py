"""A run as a file: whole, the same twice, and harmless."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aworld.errors import ConfigurationError
from aworld.events.run import RunFinished, RunPaused
from aworld.events.union import Event, encode_json
from aworld.interchange import members
from aworld.interchange.archive import read_archive, write_archive
from aworld.storage.base import Store
from aworld.storage.sqlite import SqliteStore
from tests.web import recorded


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = SqliteStore(tmp_path / "here.sqlite3", tmp_path / "here-blobs")
    yield opened
    opened.close()


@pytest.fixture
def colleague(tmp_path: Path) -> Iterator[Store]:
    opened = SqliteStore(tmp_path / "there.sqlite3", tmp_path / "there-blobs")
    yield opened
    opened.close()


def archived(store: Store, run_id: str) -> io.BytesIO:
    file = io.BytesIO()
    write_archive(store, run_id, file)
    file.seek(0)
    return file


def changed(file: io.BytesIO, members: dict[str, bytes | None]) -> io.BytesIO:
    """The archive with members replaced, added, or left out where None."""
    result = io.BytesIO()
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as to:
        for name in source.namelist():
            if name not in members:
                to.writestr(name, source.read(name))
        for name, data in members.items():
            if data is not None:
                to.writestr(name, data)
    result.seek(0)
    return result


def lines(store: Store, run_id: str) -> list[bytes]:
    return [encode_json(event) for event in store.read(run_id)]


def test_a_colleague_sees_the_same_run(store: Store, colleague: Store) -> None:
    run = recorded.failed_run(store)

    imported = read_archive(colleague, archived(store, run.run_id))

    kept = (
        "run_id",
        "team",
        "input",
        "status",
        "error",
        "errors",
        "tool_calls",
        "last_seq",
        "created_at",
        "finished_at",
    )
    assert imported.new
    assert imported.record.source == "import"
    assert {name: getattr(imported.record, name) for name in kept} == {
        name: getattr(run, name) for name in kept
    }
    assert lines(colleague, run.run_id) == lines(store, run.run_id)
    assert colleague.expired() == []


def test_large_payloads_travel_with_the_run(store: Store, colleague: Store) -> None:
    question = "长" * 20_000
    run = recorded.finished_run(store, question)

    read_archive(colleague, archived(store, run.run_id))

    event = colleague.read_seqs(run.run_id, [3])[0]
    assert event.kind == "message.sent"
    assert msgspec.to_builtins(colleague.resolve(event))["content"] == question


def test_importing_twice_is_one_run(store: Store, colleague: Store) -> None:
    run = recorded.finished_run(store)
    file = archived(store, run.run_id)

    first = read_archive(colleague, file)
    second = read_archive(colleague, file)

    assert (second.new, second.record.run_id) == (False, first.record.run_id)
    assert colleague.list_runs().total == 1


def test_another_content_under_the_same_id_becomes_another_run(
    store: Store, colleague: Store
) -> None:
    run = recorded.queued_run(store)
    early = archived(store, run.run_id)
    recorded.append(store, run.run_id, ("supervisor", RunFinished(answer="5"), {}))
    late = archived(store, run.run_id)

    ids = [read_archive(colleague, file).record.run_id for file in (early, late, late, early)]

    assert ids[0] == run.run_id
    assert ids[1] != run.run_id
    assert ids[2:] == [ids[1], ids[0]]
    assert {event.run_id for event in colleague.read(ids[1])} == {ids[1]}
    assert colleague.list_runs().total == 2


def test_a_run_that_was_exported_before_its_end_is_not_taken_up_by_itself(
    store: Store, colleague: Store
) -> None:
    run = recorded.queued_run(store)

    imported = read_archive(colleague, archived(store, run.run_id)).record

    assert imported.status == "parked"
    assert colleague.claim("worker", ttl_s=60) is None


def test_a_command_to_an_imported_run_has_a_number_that_its_log_has_not_used(
    store: Store, colleague: Store
) -> None:
    run = recorded.queued_run(store)
    lease = store.claim("worker", ttl_s=60)
    assert lease is not None
    after = store.get_run(run.run_id).last_seq
    paused = Event(run.run_id, after + 1, 9, "supervisor", RunPaused(by="ann", command=2))
    store.append(run.run_id, lease.epoch, [paused])

    imported = read_archive(colleague, archived(store, run.run_id)).record

    assert colleague.put_command(imported.run_id, "resume", {}, by="ann") == 3


def without_manifest(file: io.BytesIO) -> io.BytesIO:
    return changed(file, {"manifest.json": None})


def with_path_out(file: io.BytesIO) -> io.BytesIO:
    return changed(file, {"../../etc/cron.d/x": b"boo"})


def with_bomb(file: io.BytesIO) -> io.BytesIO:
    return changed(file, {"blobs/" + "0" * 64: bytes(20_000_000)})


def with_wrong_blob(file: io.BytesIO) -> io.BytesIO:
    return changed(file, {"blobs/" + "0" * 64: b"something else"})


def with_changed_events(file: io.BytesIO) -> io.BytesIO:
    with zipfile.ZipFile(file) as source:
        events = source.read("events.jsonl")
    return changed(file, {"events.jsonl": events.replace(b"Division", b"Addition")})


def with_newer_version(file: io.BytesIO) -> io.BytesIO:
    with zipfile.ZipFile(file) as source:
        manifest: dict[str, Any] = json.loads(source.read("manifest.json"))
    return changed(file, {"manifest.json": json.dumps({**manifest, "version": 99}).encode()})


def with_wrong_row(file: io.BytesIO) -> io.BytesIO:
    return changed(file, {"run.json": b'{"run_id": 7}'})


def with_events(file: io.BytesIO, *events: bytes) -> io.BytesIO:
    """With a manifest that fits them."""
    data = b"".join(event + b"\n" for event in events)
    with zipfile.ZipFile(file) as source:
        manifest: dict[str, Any] = json.loads(source.read("manifest.json"))
    manifest |= {"events": len(events), "events_sha256": hashlib.sha256(data).hexdigest()}
    return changed(file, {"events.jsonl": data, "manifest.json": json.dumps(manifest).encode()})


def first_events(file: io.BytesIO) -> list[bytes]:
    with zipfile.ZipFile(file) as source:
        return source.read("events.jsonl").splitlines()[:3]


def with_a_gap(file: io.BytesIO) -> io.BytesIO:
    first, _, third = first_events(file)
    return with_events(file, first, third)


def with_a_broken_line(file: io.BytesIO) -> io.BytesIO:
    return with_events(file, first_events(file)[0], b'{"x": 1}')


def with_a_huge_number(file: io.BytesIO) -> io.BytesIO:
    first = json.loads(first_events(file)[0])
    return with_events(file, json.dumps({**first, "at": 10**30}).encode())


def without_events(file: io.BytesIO) -> io.BytesIO:
    return with_events(file)


def encrypted(file: io.BytesIO) -> io.BytesIO:
    data = file.getvalue()
    # The flag in each entry of the directory at the end.
    return io.BytesIO(re.sub(rb"(PK\x01\x02.{4})\x00", b"\\1\x01", data, flags=re.DOTALL))


def with_broken_packing(file: io.BytesIO) -> io.BytesIO:
    data = bytearray(file.getvalue())
    start = data.index(b"events.jsonl") + len(b"events.jsonl") + 40
    data[start : start + 60] = bytes(range(60))
    return io.BytesIO(bytes(data))


def no_zip(file: io.BytesIO) -> io.BytesIO:
    return io.BytesIO(b"<html>")


def cut_off(file: io.BytesIO) -> io.BytesIO:
    return io.BytesIO(file.getvalue()[:-200])


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (without_manifest, "'manifest.json'"),
        (with_path_out, "'../../etc/cron.d/x'"),
        (with_bomb, "zip bomb"),
        (with_wrong_blob, "does not have the content"),
        (with_changed_events, "changed or damaged"),
        (with_newer_version, "version 99"),
        (with_wrong_row, "'run.json'"),
        (with_a_gap, "has seq 2, not 1"),
        (with_a_broken_line, "Line 2"),
        (with_a_huge_number, "64 bits"),
        (without_events, "begin with 'nothing'"),
        (encrypted, "damaged"),
        (with_broken_packing, "damaged"),
        (no_zip, "no zip archive"),
        (cut_off, "no zip archive"),
    ],
)
def test_a_harmful_or_damaged_archive_is_refused_and_leaves_nothing(
    store: Store, colleague: Store, harm: Any, says: str
) -> None:
    run = recorded.failed_run(store)
    file = harm(archived(store, run.run_id))

    with pytest.raises(ConfigurationError) as refused:
        read_archive(colleague, file)

    assert says in str(refused.value)
    assert colleague.list_runs().total == 0


def test_an_archive_that_would_unpack_to_too_much_is_refused(
    store: Store, colleague: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = recorded.failed_run(store)
    monkeypatch.setattr(members, "MOST_BYTES", 1000)

    with pytest.raises(ConfigurationError, match="at most 1000"):
        read_archive(colleague, archived(store, run.run_id))
