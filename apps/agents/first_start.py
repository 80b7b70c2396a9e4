"""What a new installation has: the local model, and two teams that use it."""

from __future__ import annotations

from typing import Any

from apps.agents import services
from apps.agents.models import ModelConnection, Team
from aworld.llm.model_files import MODEL_NAME

LOCAL_MODEL: dict[str, Any] = {
    "name": "local",
    "provider": "local",
    "base_url": "",
    "model": MODEL_NAME,
    "parameters": {"temperature": 0.0, "max_tokens": 200},
    "price": {"input": 0.0, "output": 0.0},
}
"""Without a base URL: `aworld up` tells its children where the model is served."""

TEAMS: tuple[dict[str, Any], ...] = (
    {
        "name": "arithmetic",
        "description": "A solver that calculates with a tool, and a verifier that checks it",
        "topology": "pipeline",
        "max_rounds": 2,
        "agents": [
            {"name": "solver", "role": "solver", "model": "local", "tools": ["calculator"],
             "parameters": {"temperature": 0.0}},
            {"name": "verifier", "role": "verifier", "model": "local", "tools": ["logic_check"],
             "parameters": {"temperature": 0.0}},
        ],
        "limits": {"steps": 30, "seconds": 300.0},
    },
    {
        "name": "solver",
        "description": "One agent with a calculator",
        "topology": "single",
        "max_rounds": 0,
        "agents": [
            {"name": "solver", "role": "solver", "model": "local", "tools": ["calculator"],
             "parameters": {"temperature": 0.0}},
        ],
        "limits": {"steps": 20, "seconds": 180.0},
    },
)


def first_definitions() -> list[str]:
    """Add what is missing of them by name; returns the names. What is there stays as it is."""
    made: list[str] = []
    if not ModelConnection.objects.filter(name=LOCAL_MODEL["name"]).exists():
        services.model_create(LOCAL_MODEL, None)
        made.append(f"model {LOCAL_MODEL['name']!r}")
    for definition in TEAMS:
        if not Team.objects.filter(name=definition["name"]).exists():
            services.team_create(definition)
            made.append(f"team {definition['name']!r}")
    return made
