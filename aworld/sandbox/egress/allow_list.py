"""Which hosts a sandbox may reach.

An entry is a host with or without a port: `pypi.org` (ports 80 and 443), `pypi.org:8443`,
`*.example.com` (every host below it), `*` (every public host), `10.0.0.5:8080` or `[::1]:8080`
(a private address, which must be listed as a number).
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple

from aworld.errors import SandboxError

USUAL_PORTS = (80, 443)
_NAME = re.compile(
    r"(\*|(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*)"
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Entry(NamedTuple):
    """One line of the list."""

    host: str
    """In lower case, without a dot at its end; addresses in their usual form."""
    ports: tuple[int, ...]

    def fits(self, host: str, port: int) -> bool:
        """Whether it names this host and port."""
        if port not in self.ports:
            return False
        if self.host.startswith("*."):
            return host.endswith(self.host[1:])
        return self.host in ("*", host)


class AllowList:
    """The hosts of one sandbox."""

    def __init__(self, entries: Iterable[str]) -> None:
        """Raises SandboxError where an entry cannot be read."""
        self._entries = [_entry(text) for text in entries]

    def __str__(self) -> str:
        return ", ".join(entry.host for entry in self._entries) or "none"

    def refusal(self, host: str, port: int) -> str:
        """Why a host may not be reached, or "" where it is listed."""
        wanted = host_name(host)
        if any(entry.fits(wanted, port) for entry in self._entries):
            return ""
        if any(entry.fits(wanted, own) for entry in self._entries for own in entry.ports):
            return f"port {port} of {wanted!r} is not on the list of allowed hosts"
        return f"{wanted!r} is not on the list of allowed hosts ({self})"

    def address_refusal(self, host: str, port: int, address: str) -> str:
        """Why a listed host may not be reached at this address, or ""."""
        literal = str(plain_address(address))
        if any(entry.host == literal and port in entry.ports for entry in self._entries):
            return ""
        if is_public(address):
            return ""
        return (
            f"{host!r} is {literal}, which is not a public address; the list would have to name "
            f"{literal} itself"
        )


def _entry(text: str) -> Entry:
    host, port = text.strip(), ""
    if host.startswith("["):
        host, _, rest = host[1:].partition("]")
        port = rest.removeprefix(":")
    elif host.count(":") == 1:
        host, _, port = host.partition(":")
    name = host_name(host)
    ports: tuple[int, ...] = USUAL_PORTS
    if port:
        ports = (int(port),) if port.isascii() and port.isdigit() else ()
    if not ports or not 0 < ports[0] < 65536 or not (_is_address(name) or _NAME.fullmatch(name)):
        raise SandboxError(
            f"{text!r} is not a host that a sandbox could be allowed to reach. Write 'pypi.org', "
            "'pypi.org:8443', '*.example.com' or '10.0.0.5:8080'."
        )
    return Entry(name, ports)


def host_name(host: str) -> str:
    """A host in the form that is compared: lower case, ASCII, no dot at its end."""
    text = host.strip("[]").removesuffix(".").lower()
    with contextlib.suppress(ValueError):
        return str(plain_address(text))
    with contextlib.suppress(UnicodeError):
        return text.encode("idna").decode() if not text.isascii() else text
    return text


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def plain_address(text: str) -> Address:
    """An address without its zone; an IPv4 address that is wrapped into IPv6 comes out of it.

    Raises:
        ValueError: it is no address.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address.sixtofour is not None:
            return address.sixtofour
        if address in _NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def is_public(text: str) -> bool:
    """Whether an address is one of the Internet's: not the machine's, its network's, a cloud's
    metadata service, a multicast or reserved one."""
    address = plain_address(text)
    if isinstance(address, ipaddress.IPv6Address) and address.teredo is not None:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved
