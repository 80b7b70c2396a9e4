"""GAIA: questions with one exact answer, many with a file, judged by the official rules."""

from aworld.environments.gaia.kind import KIND

__all__ = ["KIND"]
