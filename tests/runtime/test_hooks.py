"""Hooks at the gate: they allow, deny, ask and change, and a replay does without them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from aworld import hooks
from aworld.errors import ConfigurationError
from aworld.events.control import GateDecided
from aworld.hooks import Moment, register
from aworld.runtime.hook_files import all_hooks
from tests.runtime.approving import Written, add, approval_of, calls
from tests.teams import sqlite


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No hook outlives its test."""
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path / "home"))
    yield
    for hook in hooks.registered():
        hooks.unregister(hook.name)


async def test_a_hook_denies_a_call_with_its_reason(tmp_path: Path) -> None:
    @register(when=("before_tool",))
    def keep_clean(moment: Moment) -> hooks.Decision:
        return hooks.deny("No a here.") if moment.arguments["line"] == "a" else None

    run = Written(sqlite(tmp_path), [calls(add("a")), calls(add("b")), "Done."])
    await run.end()
    assert run.journal.lines == ["add b"]
    assert [(p.error, p.reason) for p in run.payloads("tool.failed")] == [("No a here.", "refused")]
    hooks.unregister("keep_clean")
    assert run.replayed().identical


async def test_a_hook_changes_arguments_and_the_log_says_which(tmp_path: Path) -> None:
    @register(when=("before_tool",))
    async def in_capitals(moment: Moment) -> hooks.Decision:
        return hooks.change({**moment.arguments, "line": moment.arguments["line"].upper()})

    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."])
    await run.end()
    assert run.journal.lines == ["add A"]
    [decided] = run.payloads("gate.decided")
    assert (decided.by, decided.decision) == ("hook:in_capitals", "change")
    assert decided.changed == {"action": "add", "line": "A"}
    hooks.unregister("in_capitals")
    assert run.replayed().identical


async def test_what_a_hook_does_to_its_copy_is_no_change(tmp_path: Path) -> None:
    @register(when=("before_tool",))
    def meddle(moment: Moment) -> None:
        moment.arguments["line"] = "meddled"

    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."])
    await run.end()
    assert run.journal.lines == ["add a"]


async def test_a_hook_lets_a_person_decide(tmp_path: Path) -> None:
    register(lambda _: hooks.ask("Is this wise?"), name="wise", when=("before_tool",))
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."])
    [asked] = await run.asked()
    assert asked.payload.question == "Is this wise?"  # type: ignore[union-attr]
    assert approval_of(asked).hook == "wise"
    run.answer(asked, "allow")
    await run.end()
    assert run.journal.lines == ["add a"]


async def test_a_result_is_changed_before_anybody_sees_it(tmp_path: Path) -> None:
    @register(when=("after_tool",))
    def no_names(moment: Moment) -> hooks.Decision:
        assert moment.result is not None
        return hooks.change({"text": moment.result["text"].replace("secret", "***")})

    run = Written(sqlite(tmp_path), [calls(add("secret")), "Done."])
    await run.end()
    assert [p.text for p in run.payloads("tool.returned")] == ["Wrote ***."]
    assert run.payloads("gate.decided")[0].stage == "after"


async def test_a_result_can_be_kept_back(tmp_path: Path) -> None:
    register(lambda _: hooks.deny("Too much."), name="filter", when=("after_tool",))
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."])
    await run.end()
    assert run.journal.lines == ["add a"]
    assert [p.error for p in run.payloads("tool.failed")] == ["Too much."]


async def test_the_prompt_and_the_answer_of_a_model_pass_hooks_too(tmp_path: Path) -> None:
    seen: list[str] = []

    @register(when=("before_model",))
    def shorter(moment: Moment) -> hooks.Decision:
        seen.append(moment.arguments["messages"][-1]["content"])
        messages = [*moment.arguments["messages"][:-1], {"role": "user", "content": "Say it."}]
        return hooks.change({"messages": messages})

    @register(when=("after_model",))
    def signed(moment: Moment) -> hooks.Decision:
        assert moment.result is not None
        return hooks.change({"text": f"{moment.result['text']} (checked)"})

    run = Written(sqlite(tmp_path), ["Done."])
    record = await run.end()
    assert record.answer == "Done. (checked)"
    assert seen == ["How much is 2+2?"]
    assert [p.by for p in run.payloads("gate.decided")] == ["hook:shorter", "hook:signed"]
    for name in ("shorter", "signed"):
        hooks.unregister(name)
    assert run.replayed().identical


async def test_a_hook_that_denies_the_model_ends_the_agents_work_with_its_reason(
    tmp_path: Path,
) -> None:
    register(lambda _: hooks.deny("Out of hours."), name="hours", when=("before_model",))
    run = Written(sqlite(tmp_path), ["Done."])
    record = await run.end()
    assert record.status == "failed"
    assert "Out of hours." in record.error


@pytest.mark.parametrize(
    ("does", "told"),
    [
        (lambda _: 1 / 0, "failed: ZeroDivisionError"),
        (lambda _: "yes", "gave 'yes'. It must give"),
        (lambda _: hooks.change({"action": "burn", "line": "a"}), "so that it does not fit"),
        (lambda _: hooks.change({"action": "add", "line": 2**70}), "so that it does not fit"),
        (lambda _: hooks.deny(""), "does not allow it"),
    ],
    ids=["raises", "no decision", "unfit", "unwritable", "no reason"],
)
async def test_a_hook_that_goes_wrong_denies(tmp_path: Path, does: object, told: str) -> None:
    register(does, name="broken", when=("before_tool",))  # type: ignore[call-overload]
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."])
    record = await run.end()
    assert record.status == "finished"
    assert run.journal.lines == []
    [failed] = run.payloads("tool.failed")
    assert told in failed.error
    assert isinstance(run.payloads("gate.decided")[0], GateDecided)


async def test_hooks_are_called_by_order_then_as_registered_and_see_earlier_changes(
    tmp_path: Path,
) -> None:
    def adds(letter: str) -> hooks.Decision | object:
        return lambda moment: hooks.change(
            {**moment.arguments, "line": moment.arguments["line"] + letter}
        )

    register(adds("3"), name="third", order=1, when=("before_tool",))  # type: ignore[call-overload]
    register(adds("1"), name="first", order=-1, when=("before_tool",))  # type: ignore[call-overload]
    register(adds("2"), name="second", when=("before_tool",))  # type: ignore[call-overload]
    run = Written(sqlite(tmp_path), [calls(add("")), "Done."])
    await run.end()
    assert run.journal.lines == ["add 123"]


async def test_a_plain_hook_that_waits_stops_no_other_agent(tmp_path: Path) -> None:
    released = threading.Event()

    @register(when=("before_tool",))
    def slow(moment: Moment) -> None:
        if moment.tool == "journal":
            assert released.wait(20)

    run = Written(sqlite(tmp_path), [calls(add("a"), ("look", {"at": "x"})), "Done."])
    await run.driven.until(lambda _: bool(run.payloads("tool.returned")))
    assert run.journal.lines == []
    released.set()
    await run.end()
    assert run.journal.lines == ["add a"]


def test_files_of_the_home_folder_are_read_again_when_they_change(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "hooks"
    folder.mkdir(parents=True)
    file = folder / "guards.py"
    text = "from aworld.hooks import register\n@register\ndef {}(moment): ...\n"
    file.write_text(text.format("one"), encoding="utf-8")
    assert [hook.name for hook in all_hooks()] == ["one"]
    file.write_text(text.format("another"), encoding="utf-8")
    assert [hook.name for hook in all_hooks()] == ["another"]
    file.unlink()
    assert all_hooks() == []


def test_a_file_that_cannot_be_read_keeps_runs_from_starting(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "hooks"
    folder.mkdir(parents=True)
    text = "from aworld.hooks import register\n@register\ndef one(moment): ...\n1 / 0\n"
    (folder / "guards.py").write_text(text, encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ConfigurationError, match=r"guards\.py.*ZeroDivisionError"):
            all_hooks()
    assert hooks.registered() == []


def test_a_moment_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="before_tool"):
        register(lambda _: None, when=("before_lunch",))
