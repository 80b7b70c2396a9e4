"""Packs files of the workspace into a ZIP archive."""

from __future__ import annotations

import io
import os
import zipfile

from aworld.errors import ToolError
from aworld.tools.documents.model import MOST_BYTES
from aworld.tools.workspace.folder import Folder

_WHEN = (1980, 1, 1, 0, 0, 0)
"""The same files give the same archive."""


def pack(folder: Folder, paths: list[str], target: str) -> bytes:
    """The archive.

    Raises:
        ToolError: no files were named, one is not there, or they are too large together.
    """
    if not paths:
        raise ToolError(f"{target!r} needs the files to pack: paths=['a.txt', 'b/c.csv'].")
    out = io.BytesIO()
    total = 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in dict.fromkeys(paths):
            with os.fdopen(folder.open(path, os.O_RDONLY), "rb") as file:
                data = file.read(MOST_BYTES + 1)
            total += len(data)
            if total > MOST_BYTES:
                raise ToolError(f"The files for {target!r} have more than {MOST_BYTES} bytes.")
            info = zipfile.ZipInfo("/".join(folder.parts(path)), _WHEN)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return out.getvalue()
