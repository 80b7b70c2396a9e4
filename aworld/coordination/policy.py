"""What a team lets its coordinator look at, and what follows."""

from __future__ import annotations

from typing import Literal

import msgspec

from aworld.errors import ConfigurationError

Step = Literal["ask_again", "vote", "verifier", "person", "none"]
"""What follows a conflict. `none` leaves it at the event."""


class CoordinationPolicy(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One team's choices; part of its definition. The defaults look at everything."""

    conflicts: bool = True
    """Whether answers to one question are compared."""
    claims: bool = True
    """Whether the sentences of messages are compared too."""
    files: bool = True
    """Whether two agents writing one file is a conflict."""
    duplicates: bool = True
    """Whether a sub-task that was there already is dropped."""
    similarity: float = 0.72
    """From 0 to 1: how alike two sub-tasks of other wording must be. 1 drops only those that are
    the same once normalised."""
    validation: bool = True
    """Whether results are checked by their rules, and their arithmetic is worked out again."""
    weights: bool = True
    """Whether sub-tasks are weighted by role, past success and cost; else all count alike."""
    follow_up: tuple[Step, ...] = ("ask_again", "vote", "verifier", "person")
    """Steps after a conflict, in this order, until one settles it."""

    def __post_init__(self) -> None:
        if not 0 <= self.similarity <= 1:
            raise ConfigurationError(
                f"similarity is {self.similarity:g}; it must be from 0 to 1, such as 0.72."
            )
        if len(set(self.follow_up)) != len(self.follow_up):
            raise ConfigurationError(
                f"follow_up names a step twice: {', '.join(self.follow_up)}. Name each once."
            )


OFF = CoordinationPolicy(
    conflicts=False, claims=False, files=False, duplicates=False, validation=False, weights=False
)
"""Looks at nothing."""
