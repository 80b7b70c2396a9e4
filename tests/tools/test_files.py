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
from aworld.tools.workspace import searching


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
    "path",
    ["../secret", "a/../../secret", "/etc/passwd", "/workspace/../secret", "x\0y", "x\ud800"],
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
    with pytest.raises(MalformedCall, match="'write' needs 'path' and 'text'"):
        await files(workspace, "write", path="x")


async def test_a_run_without_a_workspace_has_no_files() -> None:
    with pytest.raises(ToolRefused, match="no workspace"):
        await registry.call("files", ToolContext(), {"action": "list"})


async def test_a_long_text_comes_in_pages(workspace: Path) -> None:
    (workspace / "long").write_text("line\n" * 10_000, encoding="utf-8")
    text = await files(workspace, "read", path="long")
    assert "page 1 of 3; the next one: read_result(" in text


async def test_lines_of_a_file_of_any_size_can_be_read(workspace: Path) -> None:
    (workspace / "big").write_text("".join(f"{n}\n" for n in range(400_000)), encoding="utf-8")
    assert await files(workspace, "read", path="big", first_line=399_999) == "399998\n399999\n"
    with pytest.raises(ToolError, match="has 400000 lines, so none from 400001 on"):
        await files(workspace, "read", path="big", first_line=400_001)
    with pytest.raises(ToolError, match="more than 1048576 bytes. Ask for fewer"):
        await files(workspace, "read", path="big", first_line=2)


@pytest.mark.parametrize(
    ("name", "data", "reader"),
    [("a.pdf", b"%PDF-1.7\xff", "the tool 'documents'"), ("a.bin", b"a\0b", "code")],
)
async def test_what_is_no_text_is_said_to_be_read_by_another_tool(
    workspace: Path, name: str, data: bytes, reader: str
) -> None:
    (workspace / name).write_bytes(data)
    with pytest.raises(ToolError, match=f"not a UTF-8 text. Read it with {reader}"):
        await files(workspace, "read", path=name)


async def test_all_files_below_are_listed_with_sizes(workspace: Path) -> None:
    await files(workspace, "write", path="a/b/c.txt", text="123")
    await files(workspace, "write", path="a/d.txt", text="")
    (workspace / "a" / "up").symlink_to("..")
    assert await files(workspace, "list", deep=True) == "a/b/c.txt (3 bytes)\na/d.txt (0 bytes)"
    assert await files(workspace, "list", path="a", deep=True) == (
        "b/c.txt (3 bytes)\nd.txt (0 bytes)"
    )


async def test_a_pattern_finds_lines(workspace: Path) -> None:
    await files(workspace, "write", path="a.py", text="def one():\n    pass\ndef two(): ...\n")
    assert await files(workspace, "search", pattern=r"^def (\w+)\(\):$") == "a.py:1: def one():"
    assert await files(workspace, "search", pattern="three") == (
        "The pattern 'three' stands in none of 1 files."
    )
    with pytest.raises(ToolError, match="no regular expression of Python: .*position 0"):
        await files(workspace, "search", pattern="*")


async def test_a_pattern_that_never_ends_is_stopped(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "SECONDS", 0.5)
    await files(workspace, "write", path="a", text="a" * 60 + "b")
    with pytest.raises(ToolError, match="takes more than 0.5 s"):
        await files(workspace, "search", pattern="(a+)+$")


async def test_many_hits_are_cut_and_say_so(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await files(workspace, "write", path="a", text="x\n" * 300)
    for what in ({"text": "x"}, {"pattern": "x"}):
        lines = (await files(workspace, "search", **what)).splitlines()
        assert (len(lines), lines[-1]) == (201, "… cut: the first 200 lines are shown.")
    monkeypatch.setattr(searching, "MOST_FILES", 0)
    assert "only the first 0 files" in await files(workspace, "search", text="x")


async def test_files_and_folders_are_moved_and_deleted(workspace: Path) -> None:
    await files(workspace, "write", path="a/one.txt", text="1")
    assert await files(workspace, "move", path="a/one.txt", to="b/c/two.txt") == (
        "Moved 'a/one.txt' to 'b/c/two.txt'."
    )
    await files(workspace, "move", path="b", to="d")
    assert (workspace / "d/c/two.txt").read_text(encoding="utf-8") == "1"
    await files(workspace, "write", path="other", text="2")
    with pytest.raises(ToolError, match="'other' is there already"):
        await files(workspace, "move", path="d", to="other")
    with pytest.raises(ToolError, match="no 'gone'"):
        await files(workspace, "move", path="gone", to="x")
    with pytest.raises(ToolError, match="cannot be opened"):
        await files(workspace, "move", path="d", to="d/inside")
    assert await files(workspace, "delete", path="d") == "Deleted the folder 'd' with 1 file."
    assert await files(workspace, "delete", path="other") == "Deleted 'other'."
    with pytest.raises(ToolError, match="no 'other'"):
        await files(workspace, "delete", path="other")
    for path in ("", "/workspace", "."):
        with pytest.raises(ToolError, match="is the workspace itself"):
            await files(workspace, "delete", path=path)


async def test_moving_and_deleting_stay_inside(workspace: Path) -> None:
    (workspace / "link").symlink_to("../secret")
    (workspace / "out").symlink_to("..")
    (workspace / "full").mkdir()
    (workspace / "full" / "up").symlink_to("../..")
    for path in ("../secret", "out/secret", "/etc/passwd"):
        with pytest.raises(ToolError):
            await files(workspace, "delete", path=path)
        with pytest.raises(ToolError):
            await files(workspace, "move", path=path, to="mine")
        with pytest.raises(ToolError):
            await files(workspace, "move", path="link", to=path)
    await files(workspace, "delete", path="link")
    await files(workspace, "delete", path="full")
    assert (workspace.parent / "secret").read_text(encoding="utf-8") == "s3cret"
