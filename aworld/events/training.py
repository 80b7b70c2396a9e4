"""`training.*`: a training job is a run, and these are its events."""

from __future__ import annotations

from aworld.events.envelope import Payload


class TrainingStep(Payload, frozen=True, tag="training.step"):
    """One optimiser step."""

    step: int
    metrics: dict[str, float]


class TrainingEvaluated(Payload, frozen=True, tag="training.evaluated"):
    """A measurement on held-out tasks."""

    step: int
    score: float
    n: int
    low: float
    high: float
    """Bounds of the 95 % interval."""


class TrainingCheckpointed(Payload, frozen=True, tag="training.checkpointed"):
    """Weights were written."""

    step: int
    path: str
    sha256: str
