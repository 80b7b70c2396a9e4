"""Runs beside the browser, inside its jail: carries 127.x.y.z:3128 to the socket of that name.

The jail has no network but a loopback of its own, so these sockets are all that leads out. Each
run's context uses an address of its own, and so gets the proxy that knows its policy. Nothing but
the standard library is imported: it runs without the product's packages.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path

PORT = 3128


async def _carry(folder: Path, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    address = writer.get_extra_info("sockname")[0]
    with contextlib.suppress(OSError, asyncio.CancelledError):
        out_reader, out_writer = await asyncio.open_unix_connection(folder / f"{address}.sock")
        await asyncio.gather(_copy(reader, out_writer), _copy(out_reader, writer))
        out_writer.close()
    writer.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await source.read(65536):
            target.write(piece)
            await target.drain()
        target.write_eof()


async def _serve(folder: Path) -> None:
    server = await asyncio.start_server(lambda r, w: _carry(folder, r, w), "0.0.0.0", PORT)
    (folder / "relay-ready").touch()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))
