"""The documents tool: files of the workspace, through a process of their own."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from aworld.errors import ToolError
from aworld.sandbox.process_tree import usage_of_tree
from aworld.tools import open_things, registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.documents import reader as reader_module
from aworld.tools.documents import readers, transcription
from aworld.tools.documents.formats.picture import Picture
from aworld.tools.documents.reader import Reader
from aworld.tools.failures import MalformedCall, ToolRefused, ToolTimeout
from tests.servers import free_port
from tests.tools.documents import made_files as made

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tmp_path_factory.mktemp("documents")


@pytest.fixture
async def workspace(root: Path) -> AsyncIterator[Path]:
    """One for all tests, so that they share a reader; emptied after each."""
    folder = root / "workspace"
    folder.mkdir(exist_ok=True)
    yield folder
    shutil.rmtree(folder)


async def documents(workspace: Path, action: str, path: str, **more: Any) -> ToolResult:
    context = ToolContext(workspace=str(workspace))
    return await registry.call("documents", context, {"action": action, "path": path, **more})


async def test_a_document_that_was_written_is_read_and_searched(workspace: Path) -> None:
    done = await documents(workspace, "write", "out/r.pdf", text="# Tide\n\nLow water at nine.")
    assert done.text.endswith("bytes to 'out/r.pdf'.")
    read = await documents(workspace, "read", "out/r.pdf")
    assert "Low water at nine." in read.text
    assert read.data["kind"] == "pdf" and read.data["path"] == "out/r.pdf"
    found = await documents(workspace, "find", "out/r.pdf", text="WATER  at")
    assert found.text == (
        "'WATER  at' stands at 1 place of r.pdf.\npage 1, line 3: Low water at nine."
    )
    assert found.data["hits"] == [{"part": "page 1", "line": 3, "text": "Low water at nine."}]
    assert (await documents(workspace, "info", "out/r.pdf")).text.startswith("r.pdf: PDF, 1 page")


async def test_a_search_covers_words_that_go_on_in_the_next_line(workspace: Path) -> None:
    (workspace / "t.txt").write_text("the low\nwater mark\n", encoding="utf-8")
    found = await documents(workspace, "find", "t.txt", text="low water")
    assert "line 1: the low water mark" in found.text


async def test_rows_of_objects_become_a_sheet(workspace: Path) -> None:
    rows = [{"port": "Oslo", "tons": 12.5}, {"port": "Rome", "big": 2**60}]
    await documents(workspace, "write", "t.xlsx", rows=rows)
    read = await documents(workspace, "read", "t.xlsx")
    assert "1: A=port | B=tons | C=big\n2: A=Oslo | B=12.5\n" in read.text
    assert f"3: A=Rome | C={2**60}" in read.text


async def test_a_picture_comes_as_an_attachment(workspace: Path) -> None:
    (workspace / "p.png").write_bytes(made.picture())
    read = await documents(workspace, "read", "p.png")
    assert [(a.name, a.media_type, a.data) for a in read.attachments] == [
        ("p.png", "image/png", made.picture())
    ]


async def test_archives_are_packed_and_unpacked_inside_the_workspace(workspace: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (workspace / name).write_text(name, encoding="utf-8")
    await documents(workspace, "write", "z.zip", paths=["a.txt", "b.txt"])
    done = await documents(workspace, "extract", "z.zip")
    assert done.text == "Extracted 2 files to 'z':\nz/a.txt (5 bytes)\nz/b.txt (5 bytes)"
    assert (workspace / "z/b.txt").read_text(encoding="utf-8") == "b.txt"
    one = await documents(workspace, "extract", "z.zip", pages="a.txt", folder="one")
    assert one.data["files"] == 1 and os.listdir(workspace / "one") == ["a.txt"]


async def test_links_in_the_target_folder_are_not_followed(workspace: Path) -> None:
    outside = workspace.parent / "outside"
    outside.mkdir()
    (workspace / "z.zip").write_bytes(made.zipped({"in/a.txt": b"x"}))
    (workspace / "z").mkdir()
    (workspace / "z/in").symlink_to(outside)
    with pytest.raises(ToolError, match="Nothing was extracted from 'z.zip': 'z/in' cannot be"):
        await documents(workspace, "extract", "z.zip")
    assert os.listdir(outside) == []


async def test_pictures_inside_documents_are_extracted(workspace: Path) -> None:
    (workspace / "l.docx").write_bytes(made.letter())
    (workspace / "s.pdf").write_bytes(made.scan())
    assert "l/image1.png" in (await documents(workspace, "extract", "l.docx")).text
    assert "s/page-1-1.png" in (await documents(workspace, "extract", "s.pdf")).text


@pytest.mark.parametrize("path", ["../secret.pdf", "/etc/passwd", "a/../../x.csv"])
async def test_a_path_that_leads_out_is_refused(workspace: Path, path: str) -> None:
    for action, more in (("read", {}), ("write", {"text": "x"}), ("extract", {})):
        with pytest.raises(ToolRefused, match="leads out of the workspace"):
            await documents(workspace, action, path, **more)


async def test_what_is_missing_is_told(workspace: Path) -> None:
    with pytest.raises(ToolError, match="There is no 'no.pdf'"):
        await documents(workspace, "read", "no.pdf")
    with pytest.raises(MalformedCall, match="'find' needs 'text'"):
        await documents(workspace, "find", "no.pdf")
    with pytest.raises(MalformedCall, match="'write' needs 'text', 'rows'"):
        await documents(workspace, "write", "no.pdf")
    with pytest.raises(MalformedCall, match="Each row must be a list"):
        await documents(workspace, "write", "t.xlsx", rows=[[1], {"a": 1}])
    with pytest.raises(ToolRefused, match="no workspace"):
        await registry.call("documents", ToolContext(), {"action": "read", "path": "x.pdf"})


async def test_a_file_that_is_too_large_is_not_read(workspace: Path) -> None:
    with (workspace / "huge.pdf").open("wb") as file:
        file.truncate(70 * 1024 * 1024)
    with pytest.raises(ToolError, match="has 73400320 bytes; documents of up to 67108864"):
        await documents(workspace, "read", "huge.pdf")


async def test_two_calls_at_once_each_get_their_own_answer(workspace: Path) -> None:
    names = [f"{n}.txt" for n in range(6)]
    for name in names:
        (workspace / name).write_text(f"I am {name}", encoding="utf-8")
    read = await asyncio.gather(*(documents(workspace, "read", name) for name in names))
    assert [result.text.endswith(f"I am {name}") for name, result in zip(names, read, strict=True)]
    assert readers.count() == 1


def kill(reader: Reader) -> None:
    process: Any = reader._process
    os.killpg(process._process.pid, signal.SIGKILL)


async def test_a_reader_that_was_killed_between_calls_is_started_again(workspace: Path) -> None:
    (workspace / "t.txt").write_text("still here", encoding="utf-8")
    await documents(workspace, "read", "t.txt")
    kill(await readers.reader_of(str(workspace)))
    assert "still here" in (await documents(workspace, "read", "t.txt")).text


async def test_a_document_that_brings_its_reader_down_is_said_to(workspace: Path) -> None:
    await readers.close_reader(str(workspace))
    (workspace / "deep.html").write_bytes(b"<p>" * 2_000_000)
    reader = await readers.reader_of(str(workspace))
    reading = asyncio.create_task(documents(workspace, "read", "deep.html"))
    async with asyncio.timeout(30):
        while reader._process is None:
            await asyncio.sleep(0.01)
    kill(reader)
    with pytest.raises(ToolError, match="'deep.html' cannot be read: the process .* was ended"):
        await reading


async def test_a_request_that_takes_too_long_is_killed(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "t.txt").write_text("x", encoding="utf-8")
    (workspace / "deep.html").write_bytes(b"<p>" * 2_000_000)
    await documents(workspace, "read", "t.txt")
    monkeypatch.setattr(reader_module, "SECONDS", 0.3)
    with pytest.raises(ToolTimeout, match="'deep.html' took longer than 0.3 s"):
        await documents(workspace, "read", "deep.html")
    monkeypatch.undo()
    assert (await documents(workspace, "read", "t.txt")).text.endswith("x")


async def test_the_reader_sees_no_files_and_ends_with_its_run(workspace: Path) -> None:
    (workspace / "t.txt").write_text("x", encoding="utf-8")
    await documents(workspace, "read", "t.txt")
    reader = await readers.reader_of(str(workspace))
    folder, process = reader._folder, reader._process
    assert folder is not None and process is not None and folder != workspace
    await open_things.close_all(str(workspace))
    assert not process.running and not folder.exists() and readers.count() == 0


async def test_the_end_of_a_run_ends_a_request_that_is_under_way(workspace: Path) -> None:
    (workspace / "t.txt").write_text("x", encoding="utf-8")
    (workspace / "deep.html").write_bytes(b"<p>" * 2_000_000)
    await documents(workspace, "read", "t.txt")
    reader = await readers.reader_of(str(workspace))
    reading = asyncio.create_task(documents(workspace, "read", "deep.html"))
    async with asyncio.timeout(30):
        while not reader.lock.locked():
            await asyncio.sleep(0.01)
    await open_things.close_all(str(workspace))
    with pytest.raises(ToolError, match="'deep.html' cannot be read"):
        await reading
    assert reader._process is None and readers.count() == 0


async def test_an_idle_reader_is_ended(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "IDLE_S", 0.01)
    (workspace / "t.txt").write_text("x", encoding="utf-8")
    await documents(workspace, "read", "t.txt")
    async with asyncio.timeout(20):
        while readers.count():
            await asyncio.sleep(0.01)


async def test_the_longest_unused_reader_makes_room(
    root: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MOST_READERS", 2)
    for name in "abc":
        (root / name).mkdir()
        await readers.reader_of(str(root / name))
    assert readers.count() == 2
    for name in "abc":
        await readers.close_reader(str(root / name))


async def test_without_a_sandbox_documents_are_read_in_a_plain_process(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aworld.errors import SandboxError

    def none() -> None:
        raise SandboxError("There is no sandbox: install bubblewrap.")

    await readers.close_reader(str(workspace))
    monkeypatch.setattr(reader_module, "open_sandbox", none)
    (workspace / "c.xlsx").write_bytes(made.coloured_workbook())
    assert "Fill #FFFF00 yellow: A1:B1" in (await documents(workspace, "read", "c.xlsx")).text
    process: Any = (await readers.reader_of(str(workspace)))._process
    assert usage_of_tree(process._process.pid).processes == 1
    await readers.close_reader(str(workspace))


async def test_speech_is_said_not_to_be_transcribed_where_nobody_does_it(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(transcription.URL, raising=False)
    (workspace / "t.wav").write_bytes(made.tone())
    read = await documents(workspace, "read", "t.wav")
    assert "Duration: 1.5 s" in read.text
    assert "speech is not transcribed, for no transcriber is configured" in read.text


async def test_speech_goes_to_the_transcriber_that_is_configured(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str | None, str, str, int]] = []

    async def transcribe(request: web.Request) -> web.Response:
        form = await request.post()
        file: Any = form["file"]
        key = request.headers.get("Authorization")
        asked.append((key, str(form["model"]), file.filename, len(file.file.read())))
        if key != "Bearer k":
            return web.json_response({"error": {"message": "no such key"}}, status=401)
        return web.json_response({"text": "low water at nine"})

    app = web.Application(client_max_size=10**8)
    app.router.add_post("/v1/audio/transcriptions", transcribe)
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    monkeypatch.setenv(transcription.URL, f"http://127.0.0.1:{port}/v1/")
    monkeypatch.setenv(transcription.KEY, "k")
    monkeypatch.setenv(transcription.MODEL, "whisper-large")
    (workspace / "t.wav").write_bytes(made.tone())
    try:
        read = await documents(workspace, "read", "t.wav")
        assert read.text.endswith("Transcript (whisper-large):\nlow water at nine")
        assert asked == [("Bearer k", "whisper-large", "t.wav", len(made.tone()))]
        monkeypatch.setenv(transcription.KEY, "wrong")
        with pytest.raises(ToolError, match="transcriber answered 401: .*no such key"):
            await documents(workspace, "read", "t.wav")
    finally:
        await runner.cleanup()


def programs(folder: Path, script: str) -> None:
    (folder / "tesseract").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / "tesseract").chmod(0o755)


async def test_text_in_pictures_is_read_by_tesseract_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A program of its name that proves what it was given: the picture, on its standard input.
    programs(tmp_path, 'echo "$1 $2"; wc -c')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    picture = Picture(made.picture(), "p.png")
    assert list(picture.lines(0)) == ["stdin stdout", str(len(made.picture()))]
    assert picture.facts["Text"] == "recognised by tesseract, lines: 2"
    programs(tmp_path, "echo 'no language data' >&2; exit 1")
    failed = Picture(made.picture(), "p.png")
    assert failed.notes == ["tesseract could not read the picture: no language data."]
