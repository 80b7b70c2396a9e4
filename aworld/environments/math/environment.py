"""One mathematical question: the form of the answer, contest time, the verdict."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from aworld.environments.base import (
    Action,
    Environment,
    Observation,
    Oracle,
    StageLimits,
    Verdict,
)
from aworld.environments.math.contests import PROOF
from aworld.environments.math.reasoning import GENERATED, judge_generated
from aworld.errors import AWorldError, EnvironmentFault, ToolError
from aworld.scorers import registry as scorers

# As MathArena asks for it.
_BOXED = r"Put your final answer within \boxed{}."
FORMS = {
    "aime": rf"{_BOXED} The answer is an integer between 0 and 999 inclusive.",
    "math": _BOXED,
    "text": "Finish with a line FINAL ANSWER: and the answer.",
    "json": "Give the answer as JSON, in a fenced block.",
    PROOF: "Write a complete and rigorous proof. It is recorded and not graded.",
    GENERATED: "Finish with the answer alone between <answer> and </answer>.",
}
"""What is asked of an answer, by scorer."""


class MathEnvironment(Environment):
    """A question and one answer. There is nothing to act on."""

    # A process that loads sympy or reasoning-gym for the first time is slow on a busy machine.
    limits: ClassVar[StageLimits] = StageLimits(verify_s=180.0)

    async def reset(self) -> Observation:
        """The form of the answer, and the time there is."""
        return await self.observe()

    async def observe(self) -> Observation:
        """The same again."""
        time = "" if self.task.seconds is None else f" You have {self.task.seconds / 60:g} minutes."
        return Observation(FORMS[self.task.data["scorer"]] + time)

    async def step(self, action: Action) -> Observation:
        """Nothing can be done here.

        Raises:
            ToolError: always.
        """
        raise ToolError(
            f"This question has no action {action.name!r}. Use your tools and give the answer."
        )

    async def verify(self, answer: str) -> Verdict:
        """Score the marked answer.

        Raises:
            EnvironmentFault: what compares answers cannot be used: no verdict on the team.
        """
        name = self.task.data["scorer"]
        if name == PROOF:
            return Verdict(None, "A proof is not graded.", {"scorer": name})
        try:
            if name == GENERATED:
                return await asyncio.to_thread(judge_generated, self.task, answer)
            truth = self.task.data["answer"]
            verdict = await asyncio.to_thread(scorers.score, name, answer, truth)
        except AWorldError as error:
            raise EnvironmentFault(str(error)) from error
        return Verdict(verdict.score, verdict.why, {"scorer": name}, verdict.near_miss)

    async def close(self) -> None:
        """Nothing is kept."""


class KnownAnswer(Oracle):
    """Says the right answer, in the form that is asked for."""

    async def solve(self, environment: Environment, first: Observation) -> str:
        """The answer."""
        answer: str = environment.task.data["answer"]
        match environment.task.data["scorer"]:
            case "aime" | "math":
                return rf"\boxed{{{answer}}}"
            case name if name == GENERATED:
                return f"<answer>{answer}</answer>"
            case _:
                return answer
