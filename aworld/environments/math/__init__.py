"""Mathematics: contest problems in AIME's and IMO's style, and generated families of questions."""

from aworld.environments.math.kind import KIND

__all__ = ["KIND"]
