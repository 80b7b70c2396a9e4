"""What every store promises of snapshots, commands, labels and blobs."""

from __future__ import annotations

import hashlib

import pytest

from aworld.errors import NotFound
from aworld.events.action import ToolReturned
from aworld.storage.base import BlobInfo, Command, Label
from tests.contracts.stores import START, Place, said


def test_the_newest_snapshot_up_to_a_seq_is_found(place: Place) -> None:
    place.run()
    place.log("r", *said(*"abcdef"))
    assert place.store.latest_snapshot("r") is None
    place.store.put_snapshot("r", 1, b"one" * 1000)
    place.store.put_snapshot("r", 4, b"four")
    assert place.store.latest_snapshot("r") == (4, b"four")
    assert place.store.latest_snapshot("r", before=4) == (4, b"four")
    assert place.store.latest_snapshot("r", before=3) == (1, b"one" * 1000)
    assert place.store.latest_snapshot("r", before=0) is None


def test_commands_are_numbered_densely_for_each_run(place: Place) -> None:
    place.run("a")
    place.run("b")
    assert place.store.put_command("a", "pause", {}, by="person:eve") == 0
    place.time.pass_seconds(1)
    assert place.store.put_command("a", "answer", {"span": 3, "answer": "好"}, by="person:eve") == 1
    assert place.store.put_command("b", "cancel", {}, by="person:bob") == 0
    assert place.store.commands("a", after=0) == [
        Command(1, "answer", {"span": 3, "answer": "好"}, "person:eve", START + 1_000_000)
    ]
    assert [command.name for command in place.store.commands("a")] == ["pause", "answer"]
    assert place.store.commands("a", after=1) == []


def test_labels_are_kept_in_order_whatever_their_value(place: Place) -> None:
    place.run()
    place.store.put_label("r", "score", 0.5, by="grader")
    place.store.put_label("r", "note", {"text": "看这里"}, by="eve", seq=3)
    assert place.store.labels("r") == [
        Label("r", -1, "score", 0.5, "grader", START),
        Label("r", 3, "note", {"text": "看这里"}, "eve", START),
    ]


def test_a_blob_is_kept_once_by_its_digest(place: Place) -> None:
    data = bytes(range(256)) * 200
    digest = hashlib.sha256(data).hexdigest()
    assert place.store.put_blob(data) == digest == place.store.put_blob(data)
    assert place.store.get_blob(digest) == data
    assert place.store.blob_info(digest) == BlobInfo(digest, len(data))


@pytest.mark.parametrize("name", ["0" * 64, "", "../../etc/passwd", "A" * 64])
def test_a_blob_that_is_not_there_is_named_in_the_error(place: Place, name: str) -> None:
    with pytest.raises(NotFound):
        place.store.get_blob(name)
    with pytest.raises(NotFound):
        place.store.blob_info(name)


def test_young_blobs_are_not_swept(place: Place) -> None:
    place.run()
    digest = place.store.put_blob(b"nobody names me yet")
    place.log("r", ToolReturned("t", "x", attachments=({"blob": place.store.put_blob(b"kept")},)))
    assert place.store.sweep_blobs() == 0
    assert place.store.get_blob(digest) == b"nobody names me yet"
