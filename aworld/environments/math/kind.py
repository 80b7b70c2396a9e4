"""The kind of environment `math`: contest problems, proofs, generated families, anyone's files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from aworld.environments.base import (
    ActionSpec,
    Environment,
    EnvironmentKind,
    Oracle,
    Place,
    Support,
    Task,
)
from aworld.errors import ConfigurationError

_FOLDER = Path(__file__).parent / "problems"
_CONTESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "aime-style": (
        "Our own in AIME's style: whole numbers from 0 to 999, 12 minutes each",
        {"scorer": "aime", "seconds": 720.0, "level": "aime"},
    ),
    "imo-style": (
        "Our own in IMO's style: proofs, which are not graded, 90 minutes each",
        {"scorer": "proof", "seconds": 5400.0, "level": "imo"},
    ),
}
GENERATED_SUITE = "reasoning-gym"


class MathKind(EnvironmentKind):
    """Mathematics in contests' form."""

    name: ClassVar[str] = "math"
    title: ClassVar[str] = "Mathematics"
    description: ClassVar[str] = (
        "Contest problems with exact answers, proofs, and questions from generators"
    )

    def suites(self) -> Mapping[str, str]:
        """The contests, and the generated families where reasoning-gym is installed."""
        from aworld.environments.math import reasoning

        found = {suite: title for suite, (title, _) in _CONTESTS.items()}
        if reasoning.is_installed():
            found[GENERATED_SUITE] = "A question of each family that counts, right from 0.99 on"
        return found

    def tasks(self, suite: str) -> Iterable[Task]:
        """The tasks of a suite."""
        if suite == GENERATED_SUITE:
            from aworld.environments.math.reasoning import shipped_tasks

            return shipped_tasks()
        if suite not in _CONTESTS:
            known = ", ".join(self.suites())
            raise ConfigurationError(f"Mathematics has no suite {suite!r}. Known: {known}.")
        from aworld.environments.math.contests import read_problems

        file = _FOLDER / f"{suite.replace('-', '_')}.jsonl"
        return list(read_problems(file, suite, _CONTESTS[suite][1]))

    def read(self, path: Path) -> Iterable[Task]:
        """The problems of a .jsonl file, or of all in a folder; a file is a suite."""
        from aworld.environments.math.contests import read_problems

        if not path.exists():
            raise ConfigurationError(f"{str(path)!r} is not there. Give a .jsonl file of problems.")
        files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not files:
            raise ConfigurationError(
                f"{str(path)!r} has no .jsonl file. Write one problem a line: "
                '{"problem": "…", "answer": "…"}.'
            )
        return [task for file in files for task in read_problems(file, file.stem, {})]

    def make(self, task: Task, place: Place) -> Environment:
        """An episode of a task."""
        from aworld.environments.math.environment import MathEnvironment

        return MathEnvironment(task, place)

    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        """None: a question is answered with the team's own tools."""
        return ()

    def oracle(self, task: Task) -> Oracle | None:
        """The right answer, where the task is graded."""
        from aworld.environments.math.environment import KnownAnswer

        return KnownAnswer() if task.graded else None

    def support(self) -> Sequence[Support]:
        """What works on this machine."""
        from aworld.environments.math import reasoning

        installed = reasoning.is_installed()
        return (
            Support("contest answers: AIME's rule, math-verify", True),
            Support("proofs", True, "recorded, not graded"),
            Support(
                "generated questions (reasoning-gym)",
                installed,
                "" if installed else reasoning.CURE,
            ),
        )


KIND = MathKind()
