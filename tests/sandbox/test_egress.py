"""The list of hosts and the proxy, without a sandbox around."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from aworld.sandbox.egress.allow_list import AllowList, is_public
from aworld.sandbox.egress.proxy import EgressProxy, Refused, Streams, read_head


@pytest.mark.parametrize(
    ("entry", "host", "port"),
    [
        ("pypi.org", "pypi.org", 443),
        ("pypi.org", "PyPI.org.", 80),
        ("pypi.org:8443", "pypi.org", 8443),
        ("*.example.com", "a.b.example.com", 443),
        ("*", "anything.org", 443),
        ("10.0.0.5:8080", "10.0.0.5", 8080),
        ("[::1]:8080", "[::1]", 8080),
        ("::1", "0:0:0:0:0:0:0:1", 80),
        ("bücher.example", "xn--bcher-kva.example", 443),
    ],
)
def test_an_entry_lets_its_host_through(entry: str, host: str, port: int) -> None:
    assert AllowList([entry]).refusal(host, port) == ""


def test_a_refusal_names_the_host_or_the_port_and_the_list() -> None:
    allowed = AllowList(["pypi.org", "10.0.0.5:8080"])
    assert allowed.refusal("evil.org", 443) == (
        "'evil.org' is not on the list of allowed hosts (pypi.org, 10.0.0.5)"
    )
    assert allowed.refusal("pypi.org", 22) == (
        "port 22 of 'pypi.org' is not on the list of allowed hosts"
    )
    assert allowed.address_refusal("pypi.org", 443, "10.0.0.5") == (
        "'pypi.org' is 10.0.0.5, which is not a public address; the list would have to name "
        "10.0.0.5 itself"
    )
    assert allowed.address_refusal("10.0.0.5", 8080, "10.0.0.5") == ""


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    ],
)
def test_these_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


def test_these_addresses_are_public() -> None:
    assert all(map(is_public, ("1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8")))


class Network:
    """A name server whose answers are given, and a record of the addresses connected to."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.connected: list[str] = []

    async def resolve(self, host: str, port: int) -> list[str]:
        return self.answers.pop(0)

    async def connect(self, address: str, port: int) -> Streams:
        self.connected.append(f"{address}:{port}")
        raise ConnectionRefusedError


@asynccontextmanager
async def asked(network: Network, request: bytes) -> AsyncIterator[tuple[bytes, EgressProxy]]:
    allowed = AllowList(["pypi.org"])
    proxy = EgressProxy(allowed, resolve=network.resolve, connect=network.connect)
    await proxy.start()
    try:
        reader, writer = await asyncio.open_unix_connection(proxy.socket_path)
        writer.write(request)
        yield await reader.read(), proxy
        writer.close()
    finally:
        await proxy.close()


async def test_the_connection_goes_to_the_very_address_that_was_checked() -> None:
    network = Network(["93.184.215.14"], ["127.0.0.1"])
    async with asked(network, b"CONNECT pypi.org:443 HTTP/1.1\r\n\r\n") as (answer, proxy):
        assert answer.startswith(b"HTTP/1.1 502 ")
        assert network.connected == ["93.184.215.14:443"]
        assert network.answers == [["127.0.0.1"]]
        assert proxy.take_denied() == ()


@pytest.mark.parametrize("answer", [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"]])
async def test_a_listed_name_with_a_private_address_is_refused(answer: list[str]) -> None:
    network = Network(answer)
    async with asked(network, b"CONNECT pypi.org:443 HTTP/1.1\r\n\r\n") as (said, proxy):
        assert said.startswith(b"HTTP/1.1 403 ")
        assert network.connected == []
        (reason,) = proxy.take_denied()
        assert reason.startswith(f"pypi.org:443: 'pypi.org' is {answer[-1]}")
        assert proxy.take_denied() == ()


async def test_a_head_without_end_is_cut_off() -> None:
    async with asked(Network(), b"GET http://pypi.org/ HTTP/1.1\r\n" + b"a: b\r\n" * 9000) as (
        answer,
        _,
    ):
        assert answer.startswith(b"HTTP/1.1 502 ")


def test_a_plain_request_names_the_host_of_its_address_and_no_other() -> None:
    target = read_head(
        b"GET http://pypi.org/simple/?q=1 HTTP/1.1\r\nHost: evil.org\r\n"
        b"Proxy-Authorization: secret\r\nConnection: keep-alive\r\nAccept: */*\r\n\r\n"
    )
    assert (target.host, target.port) == ("pypi.org", 80)
    assert target.first == (
        b"GET /simple/?q=1 HTTP/1.1\r\nHost: pypi.org\r\nAccept: */*\r\nConnection: close\r\n\r\n"
    )


def test_what_is_no_request_is_refused() -> None:
    for head in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"):
        with pytest.raises(Refused):
            read_head(head)
