"""The index over a run's own files."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from aworld.errors import ToolError
from aworld.tools import open_things, registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.failures import ToolRefused
from aworld.tools.search import local_index, workspace_files, workspace_search
from aworld.tools.search.local_index import LocalIndex, path_of
from tests.tools.documents import made_files as made

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("search")
    before = os.environ.get("AWORLD_HOME")
    os.environ["AWORLD_HOME"] = str(root / "home")
    yield root
    os.environ.pop("AWORLD_HOME")
    if before is not None:
        os.environ["AWORLD_HOME"] = before


@pytest.fixture
async def workspace(root: Path) -> AsyncIterator[Path]:
    folder = root / "workspace"
    folder.mkdir()
    yield folder
    # The reader stays for the next test; the index does not.
    path_of(str(folder)).unlink(missing_ok=True)
    shutil.rmtree(folder)


async def search(workspace: Path, query: str, **more: Any) -> ToolResult:
    context = ToolContext(workspace=str(workspace))
    return await registry.call("search", context, {"action": "workspace", "query": query, **more})


def write(workspace: Path, **files: str) -> None:
    for name, text in files.items():
        path = workspace / name.replace("__", "/").replace("_txt", ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


async def test_a_hit_names_the_file_the_line_and_what_stands_there(workspace: Path) -> None:
    write(workspace, log_txt="Monday\nThe budget of the harbour is small.\n", other_txt="Nothing.")
    result = await search(workspace, "harbour budget")
    assert result.text == "1. log.txt, line 2: The budget of the harbour is small."
    assert result.data == {
        "hits": [
            {
                "path": "log.txt",
                "part": "",
                "line": 2,
                "snippet": "The budget of the harbour is small.",
            }
        ],
        "indexed": 2,
        "left": 0,
        "problems": {},
    }


async def test_documents_are_found_by_page_and_sheet(workspace: Path) -> None:
    (workspace / "r.pdf").write_bytes(made.report(5))
    (workspace / "c.xlsx").write_bytes(made.coloured_workbook())
    (workspace / "z.zip").write_bytes(made.zipped({"deep.txt": b"an albatross"}))
    (workspace / "s.mp3").write_bytes(made.song())
    assert (await search(workspace, "ships counted 28")).text.startswith(
        "1. r.pdf, page 4, line 2:"
    )
    assert (await search(workspace, "rope")).text == (
        "1. c.xlsx, sheet 'Costs', line 2: 2: A=Rope | B=12.5 | C=4 | D==B2*C2"
    )
    assert "z.zip, member 'deep.txt', line" in (await search(workspace, "albatross")).text
    assert "s.mp3, about the file" in (await search(workspace, "pilots")).text


async def test_chinese_is_found_without_spaces(workspace: Path) -> None:
    write(workspace, a_txt="今年的港口预算是一百万元。", b_txt="昨天下雨。")
    for query in ("预算", "港口预算", "雨"):
        hits = (await search(workspace, query)).data["hits"]
        assert [hit["path"] for hit in hits] == ["b.txt" if query == "雨" else "a.txt"]


async def test_all_words_come_before_some_and_rare_words_before_common(workspace: Path) -> None:
    write(workspace, a_txt="tide table", b_txt="tide", c_txt="tide", d_txt="table")
    write(workspace, **{f"other{n}_txt": "ships" for n in range(9)})
    paths = [hit["path"] for hit in (await search(workspace, "tide table")).data["hits"]]
    assert paths[:2] == ["a.txt", "d.txt"] and set(paths[2:]) == {"b.txt", "c.txt"}


async def test_what_changed_is_read_again_and_nothing_else(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workspace, a_txt="one tide", b_txt="two tides")
    await search(workspace, "tide")
    added: list[str] = []
    add = LocalIndex.add

    def noted(self: LocalIndex, path: str, *rest: Any) -> None:
        added.append(path)
        add(self, path, *rest)

    monkeypatch.setattr(LocalIndex, "add", noted)
    write(workspace, b_txt="two ships")
    (workspace / "a.txt").rename(workspace / "c.txt")
    hits = (await search(workspace, "tide")).data["hits"]
    assert [hit["path"] for hit in hits] == ["c.txt"]
    assert added == ["c.txt", "b.txt"]
    assert (await search(workspace, "ships")).data["hits"][0]["path"] == "b.txt"
    assert len(added) == 2


async def test_a_search_may_stay_below_a_folder(workspace: Path) -> None:
    write(workspace, tide_txt="tide", in__a_txt="tide", in2__b_txt="tide")
    hits = (await search(workspace, "tide", path="in/")).data["hits"]
    assert [hit["path"] for hit in hits] == ["in/a.txt"]
    assert (await search(workspace, "tide", path="no")).text == (
        "Nothing in 3 files below 'no' fits 'tide'."
    )
    with pytest.raises(ToolRefused, match="leads out"):
        await search(workspace, "tide", path="../home")


async def test_links_hidden_files_and_damaged_ones_do_not_stop_it(workspace: Path) -> None:
    write(workspace, ok_txt="tide")
    (workspace / "link.txt").symlink_to("/etc/passwd")
    (workspace / "folder").symlink_to("/etc")
    (workspace / ".hidden").write_text("tide", encoding="utf-8")
    os.mkfifo(workspace / "pipe")
    (workspace / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    (workspace / "empty").touch()
    result = await search(workspace, "tide")
    assert [hit["path"] for hit in result.data["hits"]] == ["ok.txt"]
    assert result.data["indexed"] == 3
    assert "- bad.pdf: 'bad.pdf' is a damaged or cut off PDF" in result.text
    assert "Nothing" in (await search(workspace, "root")).text


async def test_what_there_was_no_time_for_is_said_and_done_next(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workspace, a_txt="tide", b_txt="tide and time")
    monkeypatch.setattr(workspace_search, "SECONDS", -1.0)
    result = await search(workspace, "tide")
    assert result.text.endswith("… 2 files are not indexed yet. Search again to go on.")
    monkeypatch.undo()
    assert len((await search(workspace, "tide")).data["hits"]) == 2


async def test_too_many_files_are_said(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_files, "MOST_FILES", 2)
    monkeypatch.setattr(workspace_search, "MOST_FILES", 2)
    write(workspace, a_txt="tide", b_txt="tide", c_txt="tide")
    assert (await search(workspace, "tide")).text.endswith("only the first 2 files are searched.")


async def test_the_index_lies_outside_the_workspace_and_goes_with_the_run(
    workspace: Path, root: Path
) -> None:
    write(workspace, a_txt="tide")
    await search(workspace, "tide")
    index = path_of(str(workspace))
    assert index.is_file() and root / "home" in index.parents
    assert os.listdir(workspace) == ["a.txt"]
    await open_things.close_all(str(workspace))
    assert not index.exists()


async def test_a_damaged_index_is_made_anew(workspace: Path) -> None:
    write(workspace, a_txt="tide")
    await search(workspace, "tide")
    path_of(str(workspace)).write_bytes(b"no database" * 1000)
    with pytest.raises(ToolError, match="was damaged .* Search again"):
        await search(workspace, "tide")
    assert len((await search(workspace, "tide")).data["hits"]) == 1


async def test_a_full_disk_is_told_and_not_taken_for_damage(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workspace, a_txt="tide " * 5000)
    monkeypatch.setattr(local_index, "_SCHEMA", f"PRAGMA max_page_count=4;{local_index._SCHEMA}")
    with pytest.raises(ToolError, match="the disk of this machine is full"):
        await search(workspace, "tide")


async def test_a_query_of_signs_alone_has_no_words(workspace: Path) -> None:
    with pytest.raises(ToolError, match=r"'\*\"' has no words"):
        await search(workspace, '*"')
    write(workspace, a_txt='say "NEAR(a b)" AND NOT x')
    assert len((await search(workspace, '"near" AND (b* OR')).data["hits"]) == 1
