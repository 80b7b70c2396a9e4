"""Unified diffs as models write them: what fits is applied whole, what does not changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aworld.errors import ToolError
from aworld.tools import registry
from aworld.tools.base import ToolContext

CODE = "".join(f"line {number}\n" for number in range(1, 11))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(CODE, encoding="utf-8")
    return tmp_path


async def patch(workspace: Path, diff: str, **more: Any) -> str:
    context = ToolContext(workspace=str(workspace))
    arguments = {"action": "patch", "diff": diff, **more}
    return (await registry.call("files", context, arguments)).text


def text(workspace: Path, name: str = "a.txt") -> str:
    return (workspace / name).read_bytes().decode()


TWO_PLACES = """\
diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,3 @@ heading
 line 1
+new
 line 2
@@ -9,2 +10,1 @@
-line 9
 line 10
"""


async def test_a_diff_changes_all_its_places(workspace: Path) -> None:
    assert await patch(workspace, TWO_PLACES) == "Changed 2 places of 'a.txt'."
    wanted = CODE.replace("line 1\n", "line 1\nnew\n").replace("line 9\n", "")
    assert text(workspace) == wanted


async def test_wrong_line_numbers_do_not_matter_where_the_context_is_clear(
    workspace: Path,
) -> None:
    diff = "@@ -99,1 +3,7 @@\n line 4\n-line 5\n+five\n"
    await patch(workspace, diff, path="a.txt")
    assert text(workspace) == CODE.replace("line 5", "five")


async def test_one_diff_makes_renames_and_deletes_files(workspace: Path) -> None:
    (workspace / "old").write_text("1\n2\n", encoding="utf-8")
    diff = (
        "--- /dev/null\n+++ b/sub/new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n\n"
        "--- a/a.txt\n+++ b/renamed.txt\n@@ -1 +1 @@\n-line 1\n+first\n"
        "--- a/old\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n"
    )
    assert (await patch(workspace, diff)).splitlines() == [
        "Changed 1 place of 'sub/new.txt'.",
        "Deleted 'a.txt'.",
        "Changed 1 place of 'renamed.txt'.",
        "Deleted 'old'.",
    ]
    assert text(workspace, "sub/new.txt") == "a\nb\n"
    assert text(workspace, "renamed.txt") == CODE.replace("line 1\n", "first\n", 1)


async def test_a_diff_that_does_not_fit_says_which_line_and_changes_nothing(
    workspace: Path,
) -> None:
    (workspace / "b.txt").write_text("b\n", encoding="utf-8")
    diff = "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\n" + TWO_PLACES.replace(
        "-line 9", "-line nine"
    )
    why = "Place 2 of the diff of 'a.txt' does not fit: line 10 is 'line 9', where the diff"
    with pytest.raises(ToolError, match=why):
        await patch(workspace, diff)
    assert (text(workspace), text(workspace, "b.txt")) == (CODE, "b\n")


@pytest.mark.parametrize(
    ("diff", "why"),
    [
        ("@@ -1 +1 @@\n-x\n+y\n", "names no file"),
        ("--- a/a.txt\n+++ b/a.txt\n", "no unified diff"),
        ("please change line 1", "no unified diff"),
        ("--- a/gone\n+++ b/gone\n@@ -1 +1 @@\n-x\n+y\n", "no 'gone' in the workspace"),
        (
            "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+y\n",
            "makes 'a.txt', which is there already",
        ),
        ("--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-line 1\n", "leaves lines of it"),
        ("--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-x\n+y\n", "leads out of the workspace"),
        ("--- a/t\n+++ b/t\n@@ -7 +7 @@\n-same\n+y\n", "fits 3 times, at lines 1, 3, 5"),
        ("--- a/a.txt\n+++ b/a.txt\n@@ -10,2 +10 @@\n line 10\n-line 11\n", "file ends at line 10"),
    ],
)
async def test_what_cannot_be_applied_says_why(workspace: Path, diff: str, why: str) -> None:
    (workspace / "t").write_text("same\n-\nsame\n-\nsame\n", encoding="utf-8")
    with pytest.raises(ToolError, match=why):
        await patch(workspace, diff)
    assert text(workspace) == CODE


async def test_a_diff_of_a_long_file_that_repeats_itself_is_told_apart_in_time(
    workspace: Path,
) -> None:
    (workspace / "same").write_text("line\n" * 20_000, encoding="utf-8")
    diff = "--- a/same\n+++ b/same\n@@ -500,900 +1 @@\n" + "-line\n" * 900 + "-end\n+x\n"
    with pytest.raises(ToolError, match=r"line 1400 is 'line', where the diff expects 'end'"):
        await patch(workspace, diff)


async def test_line_ends_stay_as_they_are(workspace: Path) -> None:
    (workspace / "dos").write_bytes(b"a\r\nb\r\nc")
    diff = "--- a/dos\n+++ b/dos\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n\\ No newline at end of file\n"
    await patch(workspace, diff)
    assert text(workspace, "dos") == "a\r\nB\r\nc"
    context = ToolContext(workspace=str(workspace))
    passage = {"action": "patch", "path": "dos", "old": "a\nB", "new": "x\ny\nz"}
    await registry.call("files", context, passage)
    assert text(workspace, "dos") == "x\r\ny\r\nz\r\nc"


async def test_a_last_line_without_an_end_can_get_one(workspace: Path) -> None:
    (workspace / "open").write_bytes(b"a\nb")
    diff = "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n"
    await patch(workspace, diff, path="open")
    assert text(workspace, "open") == "a\nb\n"
