"""What a new installation has: the local model, and two teams that use it."""

from __future__ import annotations

from typing import Any

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
            {
                "name": "solver",
                "role": "solver",
                "model": "local",
                "tools": ["calculator"],
                "parameters": {"temperature": 0.0},
            },
            {
                "name": "verifier",
                "role": "verifier",
                "model": "local",
                "tools": ["logic_check"],
                "parameters": {"temperature": 0.0},
            },
        ],
        "limits": {"steps": 30, "seconds": 300.0},
    },
    {
        "name": "solver",
        "description": "One agent with a calculator",
        "topology": "single",
        "max_rounds": 0,
        "agents": [
            {
                "name": "solver",
                "role": "solver",
                "model": "local",
                "tools": ["calculator"],
                "parameters": {"temperature": 0.0},
            },
        ],
        "limits": {"steps": 20, "seconds": 180.0},
    },
)
