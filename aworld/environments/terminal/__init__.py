"""The terminal: tasks in Terminal-Bench's formats, done with a shell in the sandbox."""

from aworld.environments.terminal.kind import KIND

__all__ = ["KIND"]
