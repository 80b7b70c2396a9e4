"""Finds the roles: every file of this folder that has a `ROLE`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from aworld.agents import roles
from aworld.agents.roles.base import Role
from aworld.errors import ConfigurationError


@cache
def all_roles() -> dict[str, Role]:
    """Every role by its name."""
    found: dict[str, Role] = {}
    for module in pkgutil.iter_modules(roles.__path__):
        if module.name in {"base", "registry"}:
            continue
        role = importlib.import_module(f"{roles.__name__}.{module.name}").ROLE
        assert isinstance(role, Role), f"{module.name}.ROLE is no Role"
        found[role.name] = role
    return found


def get_role(name: str) -> Role | None:
    """The role of that name; None for "".

    Raises:
        ConfigurationError: there is no such role.
    """
    if not name:
        return None
    try:
        return all_roles()[name]
    except KeyError:
        known = ", ".join(sorted(all_roles()))
        raise ConfigurationError(f"There is no role {name!r}. Roles are: {known}.") from None
