"""A tool is known by being defined: as a class, as a function, in a file of the owner's folder."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from aworld import BaseTool, ToolContext, ToolError, function_tool
from aworld.tools import definitions, registry, threads, user_tools
from aworld.tools.failures import ToolTimeout

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
TEXT: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}


@pytest.fixture(autouse=True)
def only_these(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own; what a test defines is taken back."""
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    (tmp_path / "tools").mkdir()
    before = {id(found.what) for found in definitions.definitions()}
    yield tmp_path / "tools"
    for found in definitions.definitions():
        if id(found.what) not in before:
            definitions.forget(found.what)


def problems(word: str) -> list[str]:
    found = registry.problems()
    return [f"{where}: {said}" for where, said in found if word in where + said]


async def call(name: str, **arguments: Any) -> str:
    return (await registry.call(name, ToolContext(agent="solver"), arguments)).text


async def test_a_subclass_is_known_at_once_by_its_classs_name_and_docstring() -> None:
    class ShoutLoudly(BaseTool):
        """Say it
        louder.

        Not for models.
        """

        def get_schema(self) -> dict[str, Any]:
            return TEXT

        def run(self, text: str) -> str:
            return text.upper()

    assert registry.describe(registry.get("shout_loudly")).description == "Say it louder."
    assert await call("shout_loudly", text="ho") == "HO"


async def test_run_may_take_a_context_and_may_wait_or_not() -> None:
    class WithContext(BaseTool):
        """Who."""

        def get_schema(self) -> dict[str, Any]:
            return TEXT

        async def run(self, context, text):  # type: ignore[no-untyped-def]
            return f"{text} {context.agent}"

    class ContextByName(BaseTool):
        """Who."""

        def get_schema(self) -> dict[str, Any]:
            return TEXT

        def run(self, text: str, *, where: ToolContext) -> str:
            return f"{text} {where.agent} in {threading.current_thread().name}"

    class ContextIsAnArgument(BaseTool):
        """What."""

        def get_schema(self) -> dict[str, Any]:
            return {"type": "object", "properties": {"context": {"type": "string"}}}

        def run(self, context: str) -> str:
            return context

    assert await call("with_context", text="a") == "a solver"
    assert await call("context_by_name", text="a") == "a solver in tool"
    assert await call("context_is_an_argument", context="mine") == "mine"


def test_what_is_abstract_needs_arguments_or_says_no_is_no_tool() -> None:
    class Half(BaseTool):
        """Not done."""

    class Remote(BaseTool):
        """Made with an address."""

        def __init__(self, address: str) -> None:
            self.address = address

        def get_schema(self) -> dict[str, Any]:
            return NOTHING

        def run(self) -> str:
            return self.address

    class Draft(Remote, register=False):
        """Left out."""

        def __init__(self) -> None:
            super().__init__("")

    assert not {"half", "remote", "draft"} & set(registry.names())
    assert problems("Half") == problems("Remote") == problems("Draft") == []
    registry.register(Remote("here"))
    assert "remote" in registry.names()
    registry.unregister("remote")


async def test_a_definition_that_is_run_again_takes_the_olds_place() -> None:
    for answer in ("old", "new"):

        class Reply(BaseTool):
            """Answer."""

            said = answer

            def get_schema(self) -> dict[str, Any]:
                return NOTHING

            def run(self) -> str:
                return self.said

    gc.collect()
    assert await call("reply") == "new"


async def test_a_decorated_function_is_known_too() -> None:
    @function_tool(effect="read_only")
    def twice(n: int) -> int:
        """Double it."""
        return 2 * n

    assert await call("twice", n=4.0) == "8"
    assert registry.describe(registry.get("twice")).effect == "read_only"


def test_a_name_is_given_once_and_what_ships_keeps_its_own() -> None:
    @function_tool
    def calculator(expression: str) -> str:
        """A wrong one."""
        return expression

    assert registry.sources()["calculator"] == "built in"
    (problem,) = problems("'calculator' already (built in)")
    assert "test_defining.py:" in problem
    registry.register(calculator)
    assert registry.get("calculator") is calculator
    registry.unregister("calculator")
    assert registry.sources()["calculator"] == "built in"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": "two words"}, "is named 'two words'"),
        ({"name": "x" * 65}, "at most 64"),
        ({"effect": "safe"}, "has the effect 'safe'"),
        ({"timeout_s": "long"}, "has the time limit 'long'"),
        ({"description": ""}, "has no description"),
        ({"get_schema": lambda self: []}, "a schema that is no object's"),
        ({"get_schema": lambda self: {**NOTHING, "default": object()}}, "no JSON"),
        ({"get_schema": lambda self: 1 / 0}, "ZeroDivisionError: division by zero"),
    ],
)
def test_a_definition_that_models_could_not_use_is_a_problem(
    fields: dict[str, Any], why: str
) -> None:
    good = {"__doc__": "A tool.", "get_schema": lambda self: NOTHING, "run": lambda self: ""}
    type("Crooked", (BaseTool,), {**good, **fields})
    assert len([said for said in problems(why) if "test_defining.py" in said]) == 1
    assert "crooked" not in registry.names()
    assert "calculator" in registry.names()


FILE = '''\
"""My tools."""
from aworld import BaseTool, function_tool
from ._words import greeting


class Greet(BaseTool):
    """Greet somebody."""

    effect = "read_only"

    def get_schema(self):
        return {"type": "object", "properties": {"who": {"type": "string"}}}

    def run(self, who="you"):
        return f"{greeting} {who}"


@function_tool
def part(who: str) -> str:
    """Say good-bye."""
    return f"bye {who}"
'''


async def test_a_file_in_the_owners_folder_is_found_read_again_and_forgotten(
    only_these: Path,
) -> None:
    (only_these / "_words.py").write_text("greeting = 'hello'", encoding="utf-8")
    file = only_these / "mine.py"
    file.write_text(FILE, encoding="utf-8")
    assert (await call("greet", who="Ada"), await call("part", who="Ada")) == (
        "hello Ada",
        "bye Ada",
    )
    assert registry.sources()["greet"] == str(file)
    file.write_text(FILE.replace("bye {who}", "see you, {who}"), encoding="utf-8")
    assert await call("part", who="Ada") == "see you, Ada"
    file.unlink()
    assert not {"greet", "part"} & set(registry.names())


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("x = 1\nimport no_such_module_here\n", 2, "No module named 'no_such_module_here'"),
        ("def f(:\n", 1, "SyntaxError"),
        ("\n\nraise SystemExit(3)", 3, "SystemExit: 3"),
        ("\0", None, "null bytes"),
        ("from aworld import function_tool\n@function_tool\ndef f(x): ...", 2, "'x' of tool 'f'"),
    ],
)
def test_a_broken_file_is_named_with_its_line_and_breaks_nothing_else(
    only_these: Path, text: str, line: int | None, why: str
) -> None:
    (only_these / "broken.py").write_text(text, encoding="utf-8")
    (only_these / "_words.py").write_text("greeting = ''", encoding="utf-8")
    (only_these / "good.py").write_text(FILE, encoding="utf-8")
    assert {"greet", "part", "calculator"} <= set(registry.names())
    (problem,) = problems("broken.py")
    assert why in problem
    assert line is None or f"broken.py:{line}: " in problem


def test_packages_bring_tools_by_entry_points(
    only_these: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = only_these.parent / "packaged_for_tests"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "tools.py").write_text(FILE.replace("._words", ".words"), encoding="utf-8")
    (package / "words.py").write_text("greeting = 'good day'", encoding="utf-8")
    monkeypatch.syspath_prepend(str(only_these.parent))
    points = [
        EntryPoint("good", "packaged_for_tests.tools:Greet", user_tools.GROUP),
        EntryPoint("bad", "packaged_for_tests.missing", user_tools.GROUP),
    ]
    monkeypatch.setattr(user_tools, "entry_points", lambda group: points)
    monkeypatch.setattr(user_tools.user_tools, "_points", None)
    assert {"greet", "part"} <= set(registry.names())
    (problem,) = problems("entry point 'bad'")
    assert "No module named 'packaged_for_tests.missing'" in problem


async def test_a_function_that_hangs_takes_nothing_from_the_others() -> None:
    release = threading.Event()

    @function_tool(timeout_s=0.02)
    def hang() -> str:
        """Never come back."""
        release.wait(30)
        return "late"

    for _ in range(40):
        with pytest.raises(ToolTimeout, match="did not finish within 0.02 s"):
            await call("hang")
    assert await call("calculator", expression="1+1") == "2"
    release.set()


async def test_calls_that_never_end_are_limited_in_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "MOST_THREADS", 0)

    @function_tool
    def quick() -> str:
        """Come back."""
        return "here"

    with pytest.raises(ToolError, match="earlier calls of tools still run"):
        await call("quick")


@pytest.mark.parametrize(
    ("error", "said"), [(SystemExit(3), "3"), (KeyboardInterrupt(), "KeyboardInterrupt")]
)
async def test_a_function_cannot_end_the_worker(error: BaseException, said: str) -> None:
    @function_tool
    def leave() -> str:
        """End the program."""
        raise error

    with pytest.raises(ToolError, match=said):
        await call("leave")


async def test_stop_iteration_does_not_make_the_call_wait_for_ever() -> None:
    @function_tool
    def first() -> str:
        """The first of nothing."""
        return next(iter(()))

    with pytest.raises(ToolError, match="StopIteration"):
        await registry.call("first", ToolContext(), {}, timeout_s=30)
