"""The custom tool of docs/tools.md, taken from there: found in its folder, used by a team."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aworld.events.action import ToolFailed, ToolReturned
from aworld.tools import definitions, registry
from aworld.tools.catalogue import built_in
from tests.teams import call, run_team, sqlite

DOCS = Path(__file__).parents[2] / "docs"
TEAM: dict[str, Any] = {
    "name": "store",
    "topology": "single",
    "agents": [{"name": "clerk", "model": "m", "tools": ["stock", "convert"]}],
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    (tmp_path / "tools").mkdir()
    yield tmp_path
    for name in ("stock", "convert"):
        definitions.forget_module(f"aworld_user_tools.{name}")


async def test_the_documented_tools_work_in_a_team(home: Path) -> None:
    text = (DOCS / "tools.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for name in ("stock", "convert"):
        (code,) = [b for b in blocks if f"class {name.title()}" in b or f"def {name}(" in b]
        assert len(code.splitlines()) <= 20
        (home / "tools" / f"{name}.py").write_text(code, encoding="utf-8")
    assert registry.describe(registry.get("stock")).effect == "read_only"
    replies = [
        call("stock", {"article": "screw"}),
        call("stock", {"article": "bolt"}),
        call("convert", {"minutes": 90}),
        "Answer: 120",
    ]
    store = sqlite(home)
    record, events = await run_team(store, TEAM, replies, "How many bolts?")
    assert record.answer == "Answer: 120"
    (failed,) = [e.payload for e in events if isinstance(e.payload, ToolFailed)]
    assert failed.error == "There is no 'screw'. Articles: bolt, nut."
    first, second = [e.payload for e in events if isinstance(e.payload, ToolReturned)]
    assert (first.text, first.data) == (
        '{"article":"bolt","count":120}',
        {"article": "bolt", "count": 120},
    )
    assert second.data == 1.5
    store.close()


def test_each_built_in_tool_of_the_table_has_its_page() -> None:
    text = (DOCS / "tools.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[`(\w+)`\]\(tools/(\w+)\.md\)", text, re.MULTILINE)
    assert all(name == page for name, page in listed)
    effects = {name: tool.effect.replace("_", " ") for name, tool in built_in().items()}
    said = dict(re.findall(r"^\| \[`(\w+)`\]\S+ \| ([a-z ]+) \|", text, re.MULTILINE))
    assert said == effects
    own = {"calculator", "logic_check", "files", "code_interpreter", "read_result"}
    assert [name for name in own if not (DOCS / "tools" / f"{name}.md").is_file()] == []
