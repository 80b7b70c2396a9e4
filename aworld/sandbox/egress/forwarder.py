"""Runs inside the sandbox: hands connections on the loopback to the proxy's socket.

Only the standard library is there. The file is sent as text; its arguments are the socket's path,
the port to listen on, and then the command that takes this process's place.
"""

import os
import selectors
import socket
import sys
from typing import Any

_PIECE = 65536
_MOST_CONNECTIONS = 64


def main(path: str, port: int, argv: list[str]) -> None:
    """Listen, leave a child behind that forwards, and become the command."""
    listener = socket.create_server(("127.0.0.1", port), backlog=64)
    if os.fork() == 0:
        # Twice, so that the command has no child that it does not know.
        if os.fork() == 0:
            _detach()
            _serve(listener, path)
        os._exit(0)
    os.wait()
    listener.close()
    os.execvp(argv[0], argv)


def _detach() -> None:
    """Let go of the command's output, or it would never end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.setsid()


class _End:
    """One end of a connection: what is still to be written to it, and the other end."""

    def __init__(self, plug: socket.socket) -> None:
        self.plug = plug
        self.pending = b""
        self.other: _End = self
        self.heard_all = False
        self.told_all = False


def _serve(listener: socket.socket, path: str) -> None:
    selector = selectors.DefaultSelector()
    listener.setblocking(False)
    selector.register(listener, selectors.EVENT_READ, None)
    while True:
        for key, events in selector.select():
            if key.data is None:
                _accept(selector, listener, path)
            elif key.fileobj.fileno() >= 0:  # type: ignore[union-attr]
                _move(selector, key.data, events)


def _accept(selector: Any, listener: socket.socket, path: str) -> None:
    try:
        near, _ = listener.accept()
    except OSError:
        return
    far = socket.socket(socket.AF_UNIX)
    try:
        if len(selector.get_map()) > 2 * _MOST_CONNECTIONS:
            raise OSError("too many connections")
        far.connect(path)
    except OSError:
        near.close()
        far.close()
        return
    ends = _End(near), _End(far)
    ends[0].other, ends[1].other = ends[1], ends[0]
    for end in ends:
        end.plug.setblocking(False)
        selector.register(end.plug, selectors.EVENT_READ, end)


def _move(selector: Any, end: _End, events: int) -> None:
    try:
        if events & selectors.EVENT_READ:
            data = end.plug.recv(_PIECE)
            end.heard_all = not data
            end.other.pending += data
            _flush(end.other)
        if events & selectors.EVENT_WRITE:
            _flush(end)
    except BlockingIOError:
        pass
    except OSError:
        _close(selector, end)
        return
    if end.told_all and end.other.told_all:
        _close(selector, end)
        return
    for each in (end, end.other):
        _wait_for(selector, each)


def _flush(end: _End) -> None:
    if end.pending:
        try:
            end.pending = end.pending[end.plug.send(end.pending) :]
        except BlockingIOError:
            return
    if not end.pending and end.other.heard_all and not end.told_all:
        end.told_all = True
        end.plug.shutdown(socket.SHUT_WR)


def _wait_for(selector: Any, end: _End) -> None:
    """Read only while the other end keeps up."""
    wanted = 0
    if not end.heard_all and not end.other.pending:
        wanted |= selectors.EVENT_READ
    if end.pending:
        wanted |= selectors.EVENT_WRITE
    registered = end.plug in selector.get_map()
    if wanted and registered:
        selector.modify(end.plug, wanted, end)
    elif wanted:
        selector.register(end.plug, wanted, end)
    elif registered:
        selector.unregister(end.plug)


def _close(selector: Any, end: _End) -> None:
    for each in (end, end.other):
        if each.plug.fileno() >= 0:
            if each.plug in selector.get_map():
                selector.unregister(each.plug)
            each.plug.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
