"""Which hosts a team's tools may reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from aworld.errors import ConfigurationError, SandboxError


class NetworkPolicy(msgspec.Struct, frozen=True, omit_defaults=True):
    """A team's network."""

    allow: tuple[str, ...] = ()
    """Hosts, such as `example.org`, `*.example.org`, `example.org:8080` or `127.0.0.1:8000`."""


def network_of_team(team: Mapping[str, Any]) -> tuple[str, ...]:
    """The hosts in a run's copy of its team.

    Raises:
        ConfigurationError: they cannot be read.
    """
    try:
        policy = msgspec.convert(team.get("network") or {}, NetworkPolicy)
    except msgspec.ValidationError as error:
        name = team.get("name", "")
        raise ConfigurationError(f"The network of team {name!r} cannot be read: {error}.") from None
    for _, message in problems_of(policy):
        raise ConfigurationError(message)
    return policy.allow


def problems_of(policy: NetworkPolicy) -> Iterator[tuple[str, str]]:
    """`(where, message)` of each host that is none."""
    from aworld.sandbox.egress.allow_list import AllowList

    for i, host in enumerate(policy.allow):
        try:
            AllowList([host])
        except SandboxError as error:
            yield f"allow[{i}]", str(error)
