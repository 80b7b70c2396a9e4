"""What every store promises of events: dense, fenced, whole, found."""

from __future__ import annotations

import msgspec
import pytest

from aworld.errors import NotFound, SequenceConflict, StaleEpoch, Unwritable
from aworld.events.action import ToolFailed, ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.model import LlmResponded
from aworld.events.run import ErrorRaised, LimitReached
from aworld.events.union import Event, Offloaded, Unknown, decode, encode_payload
from aworld.storage.base import OFFLOAD_BYTES
from tests.contracts.stores import START, Place, event, said, small_run


def test_events_come_back_as_they_were_written(place: Place) -> None:
    place.run()
    events = small_run("r")
    assert place.store.append("r", 0, events[:3]) == 2
    assert place.store.append("r", 0, events[3:]) == 7
    assert place.store.read("r") == events
    assert place.store.read("r", after=2, limit=3) == events[3:6]
    assert place.store.read("r", after=7) == []
    assert place.open().read_seqs("r", [6, 1, 99, 1]) == [events[1], events[6]]


@pytest.mark.parametrize("value", [10**30, "\ud800", object()])
def test_an_event_that_no_log_can_keep_is_refused_by_name(place: Place, value: object) -> None:
    place.run()
    odd = msgspec.structs.replace(small_run("r")[0], payload=ToolReturned("sum", "", value, "c"))
    with pytest.raises(Unwritable, match=r"'tool.returned' of .* in run 'r'"):
        place.store.append("r", 0, [odd])
    assert place.store.get_run("r").last_seq == -1


def test_a_block_that_leaves_a_gap_is_refused_whole(place: Place) -> None:
    place.run()
    events = small_run("r")
    place.store.append("r", 0, events[:2])
    with pytest.raises(SequenceConflict, match="'r' ends at seq 1"):
        place.store.append("r", 0, events[3:])
    with pytest.raises(SequenceConflict, match="without gaps"):
        place.store.append("r", 0, [events[2], events[4]])
    assert place.store.read("r") == events[:2]
    assert place.store.get_run("r").last_seq == 1


def test_the_same_events_twice_are_written_once(place: Place) -> None:
    place.run()
    events = small_run("r")
    place.store.append("r", 0, events[:5])
    assert place.store.append("r", 0, events[2:4]) == 4
    assert place.store.append("r", 0, events) == 7
    run = place.store.get_run("r")
    assert place.store.read("r") == events
    assert (run.model_calls, run.tool_calls, run.input_tokens) == (1, 1, 20)


def test_a_whole_number_in_a_float_field_is_the_same_event_again(place: Place) -> None:
    place.run()
    events = place.log("r", LimitReached("steps", 1, 2))
    assert place.store.append("r", 0, events) == events[-1].seq


def test_another_event_under_a_taken_number_is_refused(place: Place) -> None:
    place.run()
    events = place.log("r", *said("one", "two", "three"))
    other = msgspec.structs.replace(events[1], payload=MessageSent("zwei"))
    with pytest.raises(SequenceConflict, match="another event at seq 1"):
        place.store.append("r", 0, [events[0], other, *events[2:], event("r", 3, other.payload)])
    assert place.store.read("r") == events


def test_a_writer_that_lost_its_lease_cannot_write(place: Place) -> None:
    place.run()
    old = place.store.claim("one", ttl_s=1)
    assert old is not None
    place.store.append("r", old.epoch, [event("r", 0, said("one")[0])])
    place.time.pass_seconds(2)
    new = place.store.claim("two", ttl_s=1, run_id="r")
    assert new is not None
    with pytest.raises(StaleEpoch, match="epoch 2"):
        place.store.append("r", old.epoch, [event("r", 1, said("late")[0])])
    place.store.append("r", new.epoch, [event("r", 1, said("in time")[0])])
    assert [e.payload for e in place.store.read("r")] == said("one", "in time")


def test_events_of_no_run_or_of_another_are_refused(place: Place) -> None:
    place.run()
    with pytest.raises(NotFound, match="'nobody'"):
        place.store.append("nobody", 0, [event("nobody", 0, said("x")[0])])
    with pytest.raises(SequenceConflict, match="'other'"):
        place.store.append("r", 0, [event("other", 0, said("x")[0])])


def test_a_large_payload_lies_in_the_blob_store_and_resolves_whole(place: Place) -> None:
    place.run()
    large = ToolReturned("files", "页" * OFFLOAD_BYTES)
    events = place.log("r", MessageSent("small"), large)
    small, stored = place.store.read("r")
    stand_in = stored.payload
    assert isinstance(stand_in, Offloaded)
    assert (stand_in.of, stand_in.tool, stored.kind) == ("tool.returned", "files", "tool.returned")
    assert stand_in.size == len(encode_payload(large))
    assert large.text.startswith(stand_in.preview[-900:]) and len(stand_in.preview) <= 1000
    assert place.store.resolve(stored) == large
    assert place.store.resolve(small) == MessageSent("small")
    assert place.store.get_blob(stand_in.blob) == encode_payload(large)
    assert place.store.append("r", 0, events) == 1  # Whole or offloaded, it is the same event.
    assert place.store.append("r", 0, [small, stored]) == 1


def test_what_is_offloaded_still_counts_in_the_summary(place: Place) -> None:
    place.run()
    place.log("r", LlmResponded("x" * OFFLOAD_BYTES, input_tokens=3, output_tokens=4))
    run = place.store.get_run("r")
    assert (run.input_tokens, run.output_tokens) == (3, 4)
    assert sum(place.store.bars("r", 1).tokens) == 7


def test_a_payload_just_below_the_limit_stays_in_the_log(place: Place) -> None:
    place.run()
    room = OFFLOAD_BYTES - len(encode_payload(MessageSent("")))
    control = MessageSent("\x01" * 2800)  # Six bytes each in JSON.
    place.log("r", MessageSent("x" * room), MessageSent("x" * (room + 1)), control)
    kinds = [type(e.payload) for e in place.store.read("r")]
    assert kinds == [MessageSent, Offloaded, Offloaded]


def test_a_newer_version_s_payload_is_kept_whole(place: Place) -> None:
    place.run()
    newer = msgspec.msgpack.encode({
        "run_id": "r", "seq": 0, "at": START, "actor": "ann",
        "payload": {"kind": "dream.dreamt", "of": ["sheep", 3]},
    })  # fmt: skip
    place.store.append("r", 0, [decode(newer)])
    (kept,) = place.store.read("r")
    assert kept.kind == "dream.dreamt"
    assert kept.payload == Unknown(of="dream.dreamt", data={"of": ["sheep", 3]})
    assert place.store.query("r", kinds=["dream.dreamt"]) == [kept]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "e\u0301 \ufdfd \U0002070e",
        "\U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f\u200d\U0001f308",
        "a\\u0041\"'\n",
        "\u202eabc",
    ],
    ids=["empty", "zero", "rare", "emoji", "escapes", "right-to-left"],
)
def test_text_survives_as_it_is(place: Place, text: str) -> None:
    place.run()
    events = place.log("r", MessageSent(text), actor=text or "ann")
    assert place.store.read("r") == events


def many(place: Place, count: int) -> list[Event]:
    """A long run: every 7th event a tool's failure, every 50th a limit, one fault."""
    place.run()
    events = [
        event(
            "r",
            n,
            ErrorRaised("bug") if n == 1234
            else LimitReached("steps", 1, 2) if n % 50 == 0
            else ToolFailed("t", "no") if n % 7 == 0
            else MessageSent(str(n)),
            actor=("ann", "ben")[n % 2],
        )
        for n in range(count)
    ]  # fmt: skip
    for first in range(0, count, 400):
        place.store.append("r", 0, events[first : first + 400])
    return events


def test_events_are_found_by_kind_actor_severity_and_time(place: Place) -> None:
    events = many(place, 2600)
    store = place.store

    def kind(*kinds: str) -> list[Event]:
        return [e for e in events if e.kind in kinds]

    assert store.query("r", kinds=["error.raised"]) == [events[1234]]
    assert store.query("r", kinds=["tool.failed", "limit.reached"]) == kind(
        "tool.failed", "limit.reached"
    )
    assert store.query("r", actors=["ben"], limit=5000) == events[1::2]
    assert store.query("r", actors=["nobody"]) == []
    assert store.query("r", kinds=["no.kind"]) == []
    wrong = kind("tool.failed", "limit.reached", "error.raised")
    assert store.query("r", min_severity=1) == wrong
    assert store.query("r", min_severity=2) == kind("tool.failed", "error.raised")
    window = store.query("r", from_at=START + 2_000_000, to_at=START + 2_010_000)
    assert window == events[2000:2011]
    assert store.query("r", from_at=START + 2_595_500) == events[2596:]
    messages = [e for e in kind("message.sent") if e.actor == "ann" and e.seq > 2000]
    found = store.query("r", kinds=["message.sent"], actors=["ann"], after=2000, limit=3)
    assert found == messages[:3]
    assert store.query("r", min_severity=1, after=2550) == [
        e for e in events[2551:] if e.kind != "message.sent"
    ]


def test_any_stretch_of_a_long_run_reads_the_same(place: Place) -> None:
    events = many(place, 1500)
    for after, limit in ((-1, 1500), (254, 3), (255, 300), (399, 1), (1490, 1000)):
        assert place.store.read("r", after=after, limit=limit) == events[after + 1 :][:limit]
    seqs = [0, 255, 256, 399, 400, 1499]
    assert place.store.read_seqs("r", seqs) == [events[seq] for seq in seqs]
