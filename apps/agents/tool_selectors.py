"""Reading tools: where each is from, and which teams use it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Literal

import msgspec

from apps.agents.models import Team
from apps.shell.refusals import Missing
from aworld.errors import ConfigurationError
from aworld.tools import registry
from aworld.tools.base import BaseTool
from aworld.tools.mcp.listing import server_of
from aworld.tools.trials import Outcome

Origin = Literal["built_in", "own", "mcp", "registered"]


def tool_get(name: str) -> BaseTool:
    """A tool.

    Raises:
        Missing: there is none; the text names the nearest.
    """
    try:
        return registry.get(name)
    except ConfigurationError as error:
        raise Missing(str(error)) from None


def tool_catalogue() -> dict[str, Any]:
    """`{tools: [...], problems: [{where, message}]}`: all tools, and what was to be one."""
    users = _users()
    sources = registry.sources()
    tools = [
        _fields(registry.get(name), sources.get(name, ""), users.get(name, []))
        for name in registry.names()
    ]
    return {"tools": tools, "problems": [problem._asdict() for problem in registry.problems()]}


def tool_fields(name: str) -> dict[str, Any]:
    """A tool with the JSON Schema of its arguments.

    Raises:
        Missing: there is none.
    """
    tool = tool_get(name)
    shown = _fields(tool, registry.sources().get(name, ""), _users().get(name, []))
    return {**shown, "parameters": tool.get_schema(), "long_results": tool.long_results}


def trial_fields(outcome: Outcome, scratch: str) -> dict[str, Any]:
    """How a call ended; each file with the address it can be fetched at."""
    files = [
        {
            "name": file.name,
            "media_type": file.media_type,
            "size": len(file.data),
            "url": f"/api/tool-trials/{scratch}/files/{outcome.number}/{number}",
        }
        for number, file in enumerate(outcome.attachments)
    ]
    plain: dict[str, Any] = msgspec.structs.asdict(outcome)
    return {**plain, "attachments": files}


def _fields(tool: BaseTool, source: str, users: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "effect": tool.effect,
        "origin": _origin(tool.name, source),
        "source": source,
        "timeout_s": tool.timeout_s,
        "teams": users,
    }


def _origin(name: str, source: str) -> Origin:
    if source == "built in":
        return "built_in"
    if source == "registered":
        return "registered"
    return "mcp" if server_of(name) else "own"


def _users() -> dict[str, list[dict[str, Any]]]:
    """By tool, the teams that use it: `{id, name, agents: [name]}`. An agent without a list of
    its own has its role's."""
    from aworld.agents.roles.registry import all_roles

    of_roles = {name: list(role.tools) for name, role in all_roles().items()}
    users: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for team in Team.objects.all():
        agents: dict[str, list[str]] = defaultdict(list)
        for agent in _agents(team):
            given = agent.get("tools")
            used = of_roles.get(str(agent.get("role", "")), []) if given is None else given
            for tool in used if isinstance(used, list) else []:
                agents[str(tool)].append(str(agent.get("name", "")))
        for tool, names in agents.items():
            users[tool].append({"id": str(team.id), "name": team.name, "agents": names})
    return users


def _agents(team: Team) -> list[dict[str, Any]]:
    """What the definition has of agents, finished or not."""
    agents = team.definition.get("agents", [])
    return [agent for agent in agents if isinstance(agent, dict)] if agents else []
