"""The screen, its windows, and the accessibility tree."""

from __future__ import annotations

from aworld.environments.desktop.getters.registry import Fields, getter
from aworld.environments.desktop.scene import Scene, Value

_WHOLE_TREE = 8000


@getter("vm_screen_size")
async def vm_screen_size(scene: Scene, config: Fields) -> Value:
    """Width and height in pixels."""
    return {"width": scene.session.width, "height": scene.session.height}


@getter("vm_window_size")
async def vm_window_size(scene: Scene, config: Fields) -> Value:
    """Width and height of a window by its class; None where there is none."""
    wanted = config["app_class_name"].lower()
    for window in await scene.session.windows():
        if wanted in window.window_class.lower().split("."):
            return {"width": window.width, "height": window.height}
    return None


@getter("accessibility_tree")
async def accessibility_tree(scene: Scene, config: Fields) -> Value:
    """The whole tree as XML, hidden elements too."""
    return await scene.session.tree(showing=False, most=_WHOLE_TREE, timeout_s=40)
