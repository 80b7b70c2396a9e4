"""What a run gives back to a script."""

from __future__ import annotations

import msgspec

from aworld.errors import AWorldError
from aworld.events.action import EnvironmentVerified


class RunResult(msgspec.Struct, frozen=True):
    """A finished run. Its text is the answer."""

    answer: str
    run_id: str
    verified: bool | None = None
    """Whether a verifier passed the answer; None when none looked."""
    url: str = ""
    """The run's page, where a web server of the same AWORLD_HOME is up."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    verdict: EnvironmentVerified | None = None
    """What the environment judged; None where the run had none."""

    @property
    def score(self) -> float | None:
        """The environment's score, 0.0 to 1.0; None where nothing is graded."""
        return self.verdict.score if self.verdict is not None else None

    def __str__(self) -> str:
        return self.answer


class RunFailedError(AWorldError):
    """A run ended without an answer; `run_id` names it."""

    def __init__(self, message: str, *, run_id: str, status: str) -> None:
        super().__init__(message)
        self.run_id = run_id
        self.status = status
