"""Files between pages and the workspace."""

from __future__ import annotations

import asyncio
import mimetypes
import os
import re
from typing import TYPE_CHECKING

from aworld.errors import ToolError
from aworld.tools.browser.answering import answering
from aworld.tools.browser.outcome import Done, Given
from aworld.tools.browser.session import BrowserSession
from aworld.tools.workspace.folder import Folder

if TYPE_CHECKING:
    from playwright.async_api import Download, FilePayload

FOLDER = "downloads"
MOST_DOWNLOAD_BYTES = 64 * 1024 * 1024
MOST_UPLOAD_BYTES = 20 * 1024 * 1024
_TRANSFER_S = 50.0
_PIECE = 1024 * 1024
_TAKES_FILES = "e => e.tagName === 'INPUT' && e.type === 'file'"


async def upload(session: BrowserSession, given: Given) -> Done:
    """Give files of the workspace to a field, or to what asks for files when it is clicked."""
    element = await session.find(given["target"])
    folder = Folder(given["workspace"])
    files = [await asyncio.to_thread(_read, folder, path) for path in given["paths"]]
    if sum(len(file["buffer"]) for file in files) > MOST_UPLOAD_BYTES:
        raise ToolError(f"At most {MOST_UPLOAD_BYTES // 1024**2} MB can be uploaded at once.")
    async with answering(session, _TRANSFER_S):
        if await element.evaluate(_TAKES_FILES):
            await element.set_input_files(files)
        else:
            async with session.page.expect_file_chooser(timeout=5_000) as asked:
                await element.click()
            await (await asked.value).set_files(files)
        await session.pace.rest(session.page)
    return Done(f"Gave {', '.join(map(repr, given['paths']))} to {given['target']!r}.")


async def download(session: BrowserSession, given: Given) -> Done:
    """Click what starts a download, and save the file into the workspace."""
    Folder(given["workspace"])
    element = await session.find(given["target"])
    async with answering(session, _TRANSFER_S):
        async with session.page.expect_download(timeout=15_000) as started:
            await element.click()
        await started.value
    saved = await save_downloads(session, given["workspace"])
    return Done(" ".join(saved))


async def save_downloads(session: BrowserSession, workspace: str) -> list[str]:
    """Move what was downloaded into the workspace; a sentence for each file."""
    sentences: list[str] = []
    while session.downloads:
        found = session.downloads.popleft()
        if not workspace:
            await found.cancel()
            sentences.append("A download was dropped: this run has no workspace.")
            continue
        sentences.append(await _save(session, found, workspace))
    return sentences


async def _save(session: BrowserSession, found: Download, workspace: str) -> str:
    path = ""
    async with answering(session, _TRANSFER_S):
        failure = await found.failure()
        if failure:
            return f"The download of {found.suggested_filename!r} failed: {failure}."
        path = str(await found.path())
    name = _safe_name(found.suggested_filename)
    try:
        size, target = await asyncio.to_thread(_copy, path, Folder(workspace), name)
    finally:
        await found.delete()
    return f"Downloaded {target!r} ({size} bytes)."


def _copy(source: str, folder: Folder, name: str) -> tuple[int, str]:
    """Copy a finished download; the browser, which owns it, may have put a link in its place."""
    incoming = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(incoming, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > MOST_DOWNLOAD_BYTES:
            raise ToolError(
                f"{name!r} has {size} bytes; at most {MOST_DOWNLOAD_BYTES} can be downloaded."
            )
        stem, suffix = os.path.splitext(name)
        for number in range(1, 1000):
            target = f"{FOLDER}/{name}" if number == 1 else f"{FOLDER}/{stem}-{number}{suffix}"
            try:
                outgoing = folder.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, make=True)
            except ToolError as error:
                if isinstance(error.__context__, FileExistsError):
                    continue
                raise
            with os.fdopen(outgoing, "wb") as copy:
                while piece := file.read(_PIECE):
                    copy.write(piece)
            return size, target
    raise ToolError(f"The workspace has 1,000 files named like {name!r}. Remove some.")


def _read(folder: Folder, path: str) -> FilePayload:
    with os.fdopen(folder.open(path, os.O_RDONLY), "rb") as file:
        if os.fstat(file.fileno()).st_size > MOST_UPLOAD_BYTES:
            raise ToolError(f"{path!r} is larger than {MOST_UPLOAD_BYTES // 1024**2} MB.")
        data = file.read(MOST_UPLOAD_BYTES)
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return {"name": os.path.basename(path), "mimeType": kind, "buffer": data}


def _safe_name(name: str) -> str:
    """A file's name without folders, control characters and a leading dot."""
    bare = re.sub(r"[\x00-\x1f\x7f/\\:]", "_", name).strip().lstrip(".")
    stem, suffix = os.path.splitext(bare)
    return f"{stem[:100]}{suffix[:20]}" or "download"
