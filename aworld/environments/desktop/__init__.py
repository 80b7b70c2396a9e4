"""A desktop as an environment: OSWorld's task format on Xvfb, in the sandbox."""

from aworld.environments.desktop.kind import KIND

__all__ = ["KIND"]
