"""The scratch folders in which people of this web process try tools out."""

from __future__ import annotations

import functools

from apps.shell.process_folder import process_folder
from aworld.tools.trials import ToolTrials


@functools.cache
def tool_trials() -> ToolTrials:
    """Made at the first call; ended with the process, or when nobody uses them."""
    return ToolTrials(process_folder("tool_trials"))
