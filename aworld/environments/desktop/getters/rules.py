"""What the task itself says."""

from __future__ import annotations

from aworld.environments.desktop.getters.registry import Fields, getter
from aworld.environments.desktop.scene import Scene, Value


@getter("rule")
async def rule(scene: Scene, config: Fields) -> Value:
    """The task's `rules` as they stand."""
    return config["rules"]
