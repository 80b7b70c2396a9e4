"""The product's own code for reading documents, as a ZIP that is carried into the sandbox.

The sandbox shows libraries alone, and a checkout is none; so the code goes in over the pipe.
"""

from __future__ import annotations

import functools
import io
import zipfile
from pathlib import Path

BOOT = """\
import os, sys, tempfile
size = int.from_bytes(sys.stdin.buffer.read(4), "big")
path = os.path.join(tempfile.mkdtemp(), "carried.zip")
with open(path, "wb") as file:
    file.write(sys.stdin.buffer.read(size))
sys.path.insert(0, path)
from aworld.tools.documents.process import main
main()
"""
"""What the Python inside is started with."""


@functools.cache
def carried_code() -> bytes:
    """Length (4 bytes, big endian) and ZIP."""
    room = Path(__file__).parent
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for package in ("aworld", "aworld/tools"):
            archive.writestr(f"{package}/__init__.py", "")
        for file in sorted(room.rglob("*.py")):
            name = f"aworld/tools/documents/{file.relative_to(room).as_posix()}"
            archive.writestr(name, file.read_bytes())
    return len(out.getvalue()).to_bytes(4, "big") + out.getvalue()
