"""The picture on the virtual screen, read from the X server's own memory file."""

from __future__ import annotations

import mmap
import os
import struct
import time
import zlib

_HEADER = struct.Struct(">25I")
_POLL_S = 0.06


class Screen:
    """The frame buffer that `Xvfb -fbdir` keeps as an XWD file."""

    def __init__(self, path: str) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            self._memory = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
        finally:
            os.close(descriptor)
        fields = _HEADER.unpack_from(self._memory)
        size, colours = fields[0], fields[19]
        self.width, self.height, self._stride = fields[4], fields[5], fields[12]
        self._start = size + colours * 12

    @staticmethod
    def is_there(path: str, width: int, height: int) -> bool:
        """Whether the server has made the file and written the header of a screen of this size:
        it does so in three steps, and between them the file is empty or its header of zeros."""
        try:
            with open(path, "rb") as file:
                start = file.read(_HEADER.size)
                long_enough = os.fstat(file.fileno()).st_size > width * height * 4
        except FileNotFoundError:
            return False
        if len(start) < _HEADER.size or not long_enough:
            return False
        fields = _HEADER.unpack(start)
        return fields[0] >= _HEADER.size and fields[4:6] == (width, height) and fields[12] > 0

    def png(self) -> bytes:
        """The screen with its pointer as a PNG picture."""
        width, height = self.width, self.height
        pixels = self._memory[self._start : self._start + self._stride * height]
        colours = bytearray(width * height * 3)
        # The server keeps blue, green, red and a byte of nothing.
        for target, source in ((0, 2), (1, 1), (2, 0)):
            colours[target::3] = pixels[source::4]
        row = width * 3
        rows = b"".join(b"\0" + colours[n * row : n * row + row] for n in range(height))
        head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 2)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)

    def settle(self, quiet_s: float, limit_s: float) -> bool:
        """Wait until nothing has moved for a while; False where the limit came first."""
        end = time.monotonic() + limit_s
        last, since = self._sum(), time.monotonic()
        while time.monotonic() < end:
            time.sleep(_POLL_S)
            now = self._sum()
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since >= quiet_s:
                return True
        return False

    def _sum(self) -> int:
        return zlib.adler32(self._memory[self._start :])


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
