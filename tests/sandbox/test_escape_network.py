"""Attempts to reach hosts that are not on the list."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aworld.errors import SandboxError
from aworld.sandbox import Surroundings
from aworld.sandbox.bubblewrap import Way
from tests.sandbox.escaping import WAYS, Attempt, cases, make, probe

pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")
NO_NETWORK = "there is no network"
UNLISTED = "is not on the list of allowed hosts"
PRIVATE = "which is not a public address"


class Host:
    """A web server on the machine that says what it was asked for."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            self.requests.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
            await writer.drain()
        writer.close()


@pytest.fixture
async def host() -> AsyncIterator[Host]:
    host = Host()
    server = await asyncio.start_server(host.serve, "127.0.0.1", 0)
    host.port = server.sockets[0].getsockname()[1]
    yield host
    server.close()


def connect(address: str, port: int | str) -> str:
    return f"import socket; socket.create_connection(('{address}', {port}), 3)"


def get(url: str) -> str:
    """Ask through the proxy and fail with what it answers."""
    return (
        "import sys, urllib.error, urllib.request\n"
        f"try: print(urllib.request.urlopen('{url}', timeout=5).read())\n"
        "except urllib.error.HTTPError as error: sys.exit(error.read().decode())\n"
    )


def ask(line: str) -> str:
    """Say one line to the proxy, raw."""
    return (
        "import socket, sys\n"
        "s = socket.create_connection(('127.0.0.1', 3128), 3)\n"
        f"s.sendall({line!r}.encode() + b'\\r\\n\\r\\n')\n"
        "sys.exit(s.makefile().read())"
    )


WITHOUT = [
    Attempt("the machine's loopback", connect("127.0.0.1", "PORT"), "Connection refused"),
    Attempt("the machine's loopback, IPv6", connect("::1", "PORT"), "Errno"),
    Attempt("a private address", connect("10.0.0.1", 80), NO_NETWORK),
    Attempt("another private address", connect("192.168.1.1", 80), NO_NETWORK),
    Attempt("a cloud's metadata", connect("169.254.169.254", 80), NO_NETWORK),
    Attempt("a public address", connect("1.1.1.1", 443), NO_NETWORK),
    Attempt("a name", connect("pypi.org", 443), NO_NETWORK),
    Attempt(
        "a datagram to a name server",
        "import socket; socket.socket(2, 2).sendto(b'x', ('8.8.8.8', 53))",
        NO_NETWORK,
    ),
    Attempt(
        "a socket without a file",
        "import socket; socket.socket(1).connect('\\0ABSTRACT')",
        "Connection refused",
    ),
    Attempt("a socket in the host's file tree", "import socket; socket.socket(1).connect('SOCKET')",
            "No such file"),
    Attempt("the bash way", "sh:bash -c 'echo > /dev/tcp/127.0.0.1/PORT'", "Connection refused"),
]  # fmt: skip


@pytest.mark.parametrize(("attempt", "way"), cases(WITHOUT))
async def test_without_a_list_nothing_is_reached_by(
    attempt: Attempt, way: Way, tmp_path: Path, host: Host
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    name = f"aworld-{host.port}"
    with socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_UNIX) as named_socket:
        abstract.bind(f"\0{name}")
        named_socket.bind(str(tmp_path / "s"))
        for each in (abstract, named_socket):
            each.listen()
        code = attempt.code.replace("PORT", str(host.port)).replace("ABSTRACT", name)
        code = code.replace("SOCKET", str(tmp_path / "s"))
        outcome = await make(attempt._replace(code=code), way, workspace)
    assert attempt.reason in outcome.reasons
    assert outcome.result.exit_code != 0
    assert host.requests == []


LISTED = ("localhost:PORT", "example.invalid", "*.example.com:8080", "10.9.8.7")
WITH = [
    Attempt("another host", get("http://pypi.org/"), UNLISTED),
    Attempt("another host by a tunnel", ask("CONNECT pypi.org:443 HTTP/1.1"), UNLISTED),
    Attempt("another port", ask("CONNECT example.invalid:22 HTTP/1.1"), "port 22 of"),
    Attempt("the top of a wildcard", get("http://example.com:8080/"), UNLISTED),
    Attempt("a name that only ends alike", get("http://badexample.com:8080/"), UNLISTED),
    Attempt("a name for the machine", get("http://localhost:PORT/"), PRIVATE),
    Attempt("a number for the machine", get("http://2130706433:PORT/"), UNLISTED),
    Attempt("an IPv6 dress for it", ask("CONNECT [::ffff:10.0.0.1]:80 HTTP/1.1"), UNLISTED),
    Attempt("a cloud's metadata", get("http://169.254.169.254/latest/"), UNLISTED),
    Attempt("a name before the host", ask("GET http://pypi.org@10.0.0.1/ HTTP/1.1"), UNLISTED),
    Attempt("a file", ask("GET file:///etc/passwd HTTP/1.1"), "no address of the form http"),
    Attempt("the proxy itself", ask("GET / HTTP/1.1"), "no address of the form http"),
    Attempt("no address at all", ask("CONNECT [:::::99999 HTTP/1.1"), "cannot be read"),
    Attempt("another protocol", ask("EHLO example.invalid"), "not HTTP/1.1"),
    Attempt("no proxy", connect("93.184.215.14", 80), "only these hosts can be reached"),
]


@pytest.mark.parametrize(("attempt", "way"), cases(WITH))
async def test_beside_the_list_nothing_is_reached_by(
    attempt: Attempt, way: Way, tmp_path: Path, host: Host
) -> None:
    around = Surroundings(network=tuple(each.replace("PORT", str(host.port)) for each in LISTED))
    placed = attempt._replace(code=attempt.code.replace("PORT", str(host.port)))
    outcome = await make(placed, way, tmp_path, around=around)
    assert attempt.reason in outcome.reasons
    assert outcome.result.exit_code != 0
    assert host.requests == []


@pytest.mark.parametrize("way", WAYS)
async def test_a_listed_host_is_reached_by_request_and_by_tunnel(
    way: Way, tmp_path: Path, host: Host
) -> None:
    around = Surroundings(network=(f"127.0.0.1:{host.port}",))
    tunnel = (
        "import socket\n"
        "s = socket.create_connection(('127.0.0.1', 3128), 3)\n"
        f"s.sendall(b'CONNECT 127.0.0.1:{host.port} HTTP/1.1\\r\\n\\r\\n')\n"
        "print(s.recv(99).split(b'\\r\\n')[0])\n"
        "s.sendall(b'GET /tunnel HTTP/1.1\\r\\n\\r\\n')\n"
        "print(s.makefile().read()[-5:])\n"
    )
    code = get(f"http://127.0.0.1:{host.port}/plain?q=1") + tunnel
    outcome = await make(Attempt("listed", code, ""), way, tmp_path, around=around)
    lines = ["b'hello'", "b'HTTP/1.1 200 Connection established'", "hello"]
    assert outcome.result.stdout.splitlines() == lines
    assert outcome.result.denied == ()
    plain, tunnelled = host.requests
    assert plain.startswith(f"GET /plain?q=1 HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\n".encode())
    assert tunnelled == b"GET /tunnel HTTP/1.1\r\n\r\n"


@pytest.mark.parametrize("way", WAYS)
async def test_the_forwarder_is_no_child_of_the_command_and_keeps_nothing_open(
    way: Way, tmp_path: Path
) -> None:
    code = "import os\ntry: os.wait()\nexcept ChildProcessError: print('no child')\n"
    around = Surroundings(network=("example.invalid",))
    outcome = await make(Attempt("wait", code, ""), way, tmp_path, around=around)
    assert (outcome.result.stdout, outcome.result.timed_out) == ("no child\n", False)


@pytest.mark.parametrize("way", WAYS)
async def test_a_host_that_cannot_be_read_stops_the_start(way: Way, tmp_path: Path) -> None:
    for wrong in ("http://pypi.org/", "pypi.org:0", "pypi.org:x", "", "a b", "*.*.org", "::1:80:"):
        with pytest.raises(SandboxError, match="is not a host that a sandbox could be allowed"):
            await make(Attempt("", "", ""), way, tmp_path, around=Surroundings(network=(wrong,)))
