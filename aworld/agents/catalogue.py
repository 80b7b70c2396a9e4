"""Finds a team or a model connection by name: a file, the web application's, or one that ships.

The web application (or any package) adds its own through the entry point group
`aworld.definitions`: an object with `find_team(name)` and `find_model(name)`, each giving the
definition or None.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, cast

from aworld.agents.team import TeamDefinition, check_team, read_team
from aworld.errors import ConfigurationError
from aworld.llm.configured import configured_models, with_fallbacks
from aworld.tools import registry
from aworld.tools.mcp.known_servers import ask_servers_of

GROUP = "aworld.definitions"
SHIPPED = Path(__file__).parent / "teams"
SUFFIXES = frozenset({".yaml", ".yml", ".json"})


class Definitions(Protocol):
    """Where somebody keeps teams and model connections."""

    def find_team(self, name: str) -> dict[str, Any] | None:
        """A team's definition."""
        ...

    def find_model(self, name: str) -> dict[str, Any] | None:
        """A model connection, its key included; `fallbacks` are names."""
        ...


def find_team(name: str) -> dict[str, Any]:
    """The definition of a team: a path to YAML or JSON, or a name.

    Raises:
        ConfigurationError: there is none, or the file cannot be read.
    """
    path = Path(name)
    if path.suffix in SUFFIXES:
        return read_file(path)
    for definitions in _sources():
        found = definitions.find_team(name)
        if found is not None:
            return found
    shipped = SHIPPED / f"{name}.yaml"
    if "/" not in name and shipped.is_file():
        return read_file(shipped)
    known = ", ".join(sorted(shipped_teams()))
    raise ConfigurationError(
        f"There is no team {name!r}. Give a file (team.yaml), a team of the web application, or "
        f"one that ships: {known}."
    )


def find_model(name: str, *, folder: Path | None = None) -> dict[str, Any]:
    """The connection of a model: from `models:` in config.yaml, the web application, or `local`.

    Its `fallbacks` are whole connections.

    Raises:
        ConfigurationError: there is none, or one of its fallbacks does not exist.
    """
    configured = configured_models(folder)
    found = _one_model(name, configured)
    if found is None:
        known = ", ".join(sorted({*configured, "local"}))
        raise ConfigurationError(
            f"There is no model {name!r}. Add it under `models:` in config.yaml or in the web "
            f"application's settings. Models are: {known}."
        )
    return with_fallbacks(found, lambda other: _one_model(other, configured))


def _one_model(name: str, configured: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
    if name in configured:
        return configured[name]
    for definitions in _sources():
        found = definitions.find_model(name)
        if found is not None:
            return found
    return {"name": "local", "provider": "local", "model": "local"} if name == "local" else None


def runnable_team(name: str) -> TeamDefinition:
    """A team that has no problem, except perhaps with its models: those are looked for later.

    Raises:
        ConfigurationError: there is no such team, or it cannot run; the message names the place.
    """
    definition = find_team(name)
    team = read_team(definition)
    models = {agent.model for agent in team.agents}
    ask_servers_of(tool for agent in team.agents for tool in agent.tools or ())
    for where, message in check_team(definition, tools=registry.names(), models=models):
        raise ConfigurationError(f"Team {team.name!r} cannot run: {where or 'team'}: {message}")
    return team


def shipped_teams() -> dict[str, dict[str, Any]]:
    """The teams that ship, by name."""
    return {path.stem: read_file(path) for path in sorted(SHIPPED.glob("*.yaml"))}


def read_file(path: Path) -> dict[str, Any]:
    """A YAML or JSON file that holds one mapping.

    Raises:
        ConfigurationError: it is not there, cannot be read, or holds something else.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        found = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except FileNotFoundError:
        raise ConfigurationError(f"There is no file {str(path)!r}.") from None
    except RecursionError:
        raise ConfigurationError(f"File {str(path)!r} is nested too deeply.") from None
    except (OSError, UnicodeDecodeError, ValueError, yaml.YAMLError) as error:
        raise ConfigurationError(f"File {str(path)!r} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise ConfigurationError(f"File {str(path)!r} does not hold a mapping of fields to values.")
    return cast(dict[str, Any], found)


def _sources() -> Iterator[Definitions]:
    for point in entry_points(group=GROUP):
        yield cast(Definitions, point.load())
