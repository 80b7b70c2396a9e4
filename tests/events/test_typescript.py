"""The front end's types come from the schema and are never behind it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aworld.events import traits, typescript
from aworld.events.union import KINDS


def test_the_committed_file_is_what_the_schema_gives() -> None:
    assert typescript.TARGET.read_text(encoding="utf-8") == typescript.render()


def test_check_passes_on_a_fresh_file_and_names_the_command_on_a_stale_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "events.ts"
    assert typescript.main(["--target", str(target)]) == 0
    assert typescript.main(["--check", "--target", str(target)]) == 0

    target.write_text(target.read_text("utf-8").replace("number", "string"), "utf-8")

    assert typescript.main(["--check", "--target", str(target)]) == 1
    assert typescript.COMMAND in capsys.readouterr().err


def test_check_fails_where_there_is_no_file(tmp_path: Path) -> None:
    assert typescript.main(["--check", "--target", str(tmp_path / "none.ts")]) == 1


def test_every_kind_is_a_member_of_the_payload_union() -> None:
    text = typescript.render()
    union = re.search(r"export type Payload =\n(.*?);", text, re.DOTALL)
    assert union is not None
    members = [line.strip("| ") for line in union[1].splitlines()]
    assert members == [cls.__name__ for cls in KINDS.values()]
    for kind, cls in KINDS.items():
        assert f'export interface {cls.__name__} {{\n  kind: "{kind}";' in text


def test_the_tables_say_what_the_traits_say() -> None:
    text = typescript.render()
    assert '"tool.failed": 2,' in text
    assert '"limit.reached": 1,' in text
    assert '"llm.responded": "model",' in text
    for name, kinds in (("OPENERS", traits.OPENERS), ("CLOSERS", traits.CLOSERS)):
        found = re.search(rf"export const {name}: .*?\[\n(.*?)\n\]", text, re.DOTALL)
        assert found is not None
        assert {line.strip(' ",') for line in found[1].splitlines()} == kinds


def test_fields_with_a_default_are_optional_and_keep_their_documentation() -> None:
    text = typescript.render()
    assert "  /** UTC microseconds. */\n  last_heartbeat: number;" in text
    assert "  timeout_s?: number | null;" in text
    assert "  payload: Payload;" in text


def test_a_type_without_a_counterpart_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="bytes"):
        typescript.type_of(bytes)


def test_a_union_inside_a_list_keeps_its_brackets() -> None:
    assert typescript.type_of(list[int | None]) == "(number | null)[]"
