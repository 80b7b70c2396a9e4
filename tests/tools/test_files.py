"""Files of the workspace, and nothing beyond it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from aworld.errors import ToolError
from aworld.tools import registry
from aworld.tools.base import ToolContext
from aworld.tools.failures import MalformedCall, ToolRefused


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("s3cret", encoding="utf-8")
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


async def files(workspace: Path, action: str, **arguments: Any) -> str:
    context = ToolContext(workspace=str(workspace))
    return (await registry.call("files", context, {"action": action, **arguments})).text


async def test_what_was_written_can_be_read(workspace: Path) -> None:
    assert await files(workspace, "write", path="a/b.txt", text="一\n二\n") == (
        "Wrote 8 bytes to 'a/b.txt'."
    )
    assert await files(workspace, "append", path="a/b.txt", text="三") == (
        "Added 3 bytes to 'a/b.txt'; it has 11 now."
    )
    assert await files(workspace, "read", path="a/b.txt") == "一\n二\n三"
    assert await files(workspace, "read", path="./a/b.txt", first_line=2, lines=1) == "二\n"
    assert await files(workspace, "read", path="/workspace/a/b.txt", first_line=3) == "三"


async def test_a_passage_is_replaced_where_it_stands_once(workspace: Path) -> None:
    await files(workspace, "write", path="x.py", text="a = 1\nb = 1\nc = 2\n")
    assert await files(workspace, "patch", path="x.py", old="b = 1", new="b = 3") == (
        "Replaced the passage at line 2 of 'x.py'."
    )
    assert (workspace / "x.py").read_text(encoding="utf-8") == "a = 1\nb = 3\nc = 2\n"
    with pytest.raises(ToolError, match="stands 3 times in 'x.py'"):
        await files(workspace, "patch", path="x.py", old=" = ", new="=")
    with pytest.raises(ToolError, match="does not stand in 'x.py'"):
        await files(workspace, "patch", path="x.py", old="d", new="e")


async def test_a_folder_is_listed_with_sizes(workspace: Path) -> None:
    assert await files(workspace, "list") == "(empty)"
    await files(workspace, "write", path="sub/x", text="1")
    await files(workspace, "write", path="y", text="12")
    (workspace / "z").symlink_to("y")
    assert await files(workspace, "list") == "sub/\ny (2 bytes)\nz (link)"
    assert await files(workspace, "list", path="sub") == "x (1 bytes)"


async def test_lines_are_found_in_all_files_below(workspace: Path) -> None:
    await files(workspace, "write", path="a/1.txt", text="方程\nno\n方程 2")
    await files(workspace, "write", path="b.txt", text="x 方程")
    (workspace / "binary").write_bytes(b"\xff\xfe\x00")
    assert await files(workspace, "search", text="方程") == (
        "a/1.txt:1: 方程\na/1.txt:3: 方程 2\nb.txt:1: x 方程"
    )
    assert await files(workspace, "search", text="方程", path="a") == (
        "a/1.txt:1: 方程\na/1.txt:3: 方程 2"
    )
    assert await files(workspace, "search", text="none") == "'none' stands in none of 3 files."


@pytest.mark.parametrize(
    "path", ["../secret", "a/../../secret", "/etc/passwd", "/workspace/../secret", "x\0y"]
)
async def test_a_path_that_leads_out_is_refused(workspace: Path, path: str) -> None:
    for action in ("read", "write", "append"):
        with pytest.raises(ToolRefused):
            await files(workspace, action, path=path, text="overwritten")
    assert (workspace.parent / "secret").read_text(encoding="utf-8") == "s3cret"


async def test_links_are_not_followed(workspace: Path) -> None:
    (workspace / "file").symlink_to("../secret")
    (workspace / "folder").symlink_to("..")
    for path in ("file", "folder/secret"):
        for action in ("read", "write", "append", "patch"):
            with pytest.raises(ToolError):
                await files(workspace, action, path=path, text="x", old="s3", new="x")
    with pytest.raises(ToolError):
        await files(workspace, "list", path="folder")
    assert await files(workspace, "search", text="s3cret") == "'s3cret' stands in none of 0 files."
    assert (workspace.parent / "secret").read_text(encoding="utf-8") == "s3cret"


async def test_a_pipe_is_refused_and_not_waited_for(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    with pytest.raises(ToolError, match="not a plain file"):
        await files(workspace, "read", path="pipe")
    with pytest.raises(ToolError):
        await files(workspace, "write", path="pipe", text="x")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"action": "read", "path": "none.txt"}, "There is no 'none.txt' in the workspace"),
        ({"action": "read", "path": "folder"}, "is a folder|not a plain file"),
        ({"action": "read", "path": "."}, "is the workspace itself"),
        ({"action": "read", "path": "binary"}, "not a UTF-8 text"),
        ({"action": "read", "path": "short", "first_line": 9}, "has 1 lines, so none from 9 on"),
        ({"action": "write", "path": "x", "text": "x" * 1_100_000}, "at most 1048576 are allowed"),
        ({"action": "read", "path": "huge"}, "larger than 1048576 bytes"),
        ({"action": "append", "path": "huge", "text": "x"}, "at most 1048576 are allowed"),
        ({"action": "write", "path": "short/x", "text": "x"}, "'short' cannot be opened"),
        ({"action": "write", "path": "/".join("a" * 40), "text": "x"}, "too deep"),
        ({"action": "search", "text": ""}, "is empty"),
    ],
)
async def test_what_cannot_be_done_says_why(
    workspace: Path, arguments: dict[str, Any], why: str
) -> None:
    (workspace / "folder").mkdir()
    (workspace / "short").write_text("one line", encoding="utf-8")
    (workspace / "binary").write_bytes(b"\xff\xfe\x00")
    (workspace / "huge").write_bytes(b"x" * 2_000_000)
    with pytest.raises(ToolError, match=why):
        await files(workspace, **arguments)


async def test_an_action_without_what_it_needs_is_malformed(workspace: Path) -> None:
    with pytest.raises(MalformedCall, match="'write' needs 'text'"):
        await files(workspace, "write", path="x")


async def test_a_run_without_a_workspace_has_no_files() -> None:
    with pytest.raises(ToolRefused, match="no workspace"):
        await registry.call("files", ToolContext(), {"action": "list"})


async def test_a_long_text_is_cut_and_says_so(workspace: Path) -> None:
    (workspace / "long").write_text("x" * 50_000, encoding="utf-8")
    text = await files(workspace, "read", path="long")
    assert text.startswith("x" * 40_000 + "\n… cut: 40000 of 50000 characters are shown.")
