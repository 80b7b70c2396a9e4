"""`aworld tools`: the list, one tool, one call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aworld.command_line.main import main

TOOL = '''\
from aworld import BaseTool


class Sum(BaseTool):
    """Add numbers up."""

    effect = "read_only"

    def get_schema(self):
        numbers = {"type": "array", "items": {"type": "number"}}
        return {"type": "object", "properties": {"numbers": numbers}, "required": ["numbers"]}

    def run(self, numbers):
        return sum(numbers), (b"1", "text/plain")
'''


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "mine.py").write_text(TOOL, encoding="utf-8")
    (tmp_path / "tools" / "wrong.py").write_text("x = \n", encoding="utf-8")
    return tmp_path


def test_the_list_has_the_owners_tools_and_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    assert main(["tools"]) == 0
    said = capsys.readouterr()
    lines = {line.split()[0]: line for line in said.out.splitlines()}
    assert "read only" in lines["calculator"] and "unsafe" in lines["files"]
    assert lines["sum"].endswith(f"Add numbers up. ({home}/tools/mine.py)")
    assert f"{home}/tools/wrong.py:1: SyntaxError: invalid syntax" in said.err


def test_the_list_as_json_has_schemas_sources_and_problems(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["tools", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    tools = {tool["name"]: tool for tool in said["tools"]}
    assert tools["calculator"]["source"] == "built in"
    assert tools["sum"]["parameters"]["required"] == ["numbers"]
    assert any("SyntaxError" in problem["message"] for problem in said["problems"])


def test_one_tool_is_shown_with_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "calculator"]) == 0
    said = capsys.readouterr().out
    assert "read only, at most" in said and '"expression"' in said
    assert main(["tools", "calculater"]) == 1
    assert "Did you mean 'calculator'?" in capsys.readouterr().err


def test_a_call_prints_the_result_and_keeps_the_files(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    assert main(["tools", "calculator", "--call", '{"expression": "23*47"}']) == 0
    assert capsys.readouterr().out == "1081\n"
    call = ["tools", "sum", "--call", '{"numbers": [1, 2]}', "--save", "kept"]
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "text": "3",
        "data": None,
        "attachments": [{"name": "file-1.txt", "media_type": "text/plain", "size": 1}],
    }
    assert (home / "kept" / "file-1.txt").read_bytes() == b"1"
    assert main(call) == 1
    assert "cannot be kept in 'kept': File exists" in capsys.readouterr().err


def test_files_of_a_call_lie_in_its_workspace(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    write = '{"action": "write", "path": "a.txt", "text": "x"}'
    assert main(["tools", "files", "--call", write]) == 0
    assert (home / "workspaces" / "command-line" / "a.txt").is_file()
    assert main(["tools", "files", "--call", write, "--workspace", "here"]) == 0
    assert (home / "here" / "a.txt").is_file()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["calculator", "--call", "23*47"], "are no arguments"),
        (["calculator", "--call", "[1]"], "Give a JSON object"),
        (["calculator", "--call", '{"expression": "1/0"}'], "Division by zero"),
        (["calculator", "--call", '{"expr": "1"}'], "did you mean 'expression'"),
        (["--call", "{}"], "Say which tool"),
    ],
)
def test_what_cannot_be_called_says_why(
    capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    assert main(["tools", *words]) == 1
    assert why in capsys.readouterr().err
    assert main(["tools", *words, "--json"]) == 1
    assert why in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_file_is_no_workspace(
    below: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").write_text("", encoding="utf-8")
    place = f"{tmp_path}/notes{below}"
    assert main(["tools", "files", "--call", '{"action": "list"}', "--workspace", place]) == 1
    assert "cannot be a workspace" in capsys.readouterr().err


def test_a_tool_without_files_needs_no_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").write_text("", encoding="utf-8")
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path / "notes"))
    assert main(["tools", "calculator", "--call", '{"expression": "1+1"}']) == 0
    assert capsys.readouterr().out == "2\n"
