"""One GAIA question: the official prompt, the attachment in the workspace, the official rules."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import msgspec

from aworld.environments.base import Action, Environment, Observation, Oracle, Verdict
from aworld.environments.gaia.reading import Attachment
from aworld.errors import EnvironmentFault, ToolError
from aworld.scorers.final_answer import gaia_answer
from aworld.scorers.gaia import SCORER

# The system prompt of the GAIA paper, word for word.
PROMPT = (
    "You are a general AI assistant. I will ask you a question. Report your thoughts, and finish "
    "your answer with the following template: FINAL ANSWER: [YOUR FINAL ANSWER]. YOUR FINAL ANSWER "
    "should be a number OR as few words as possible OR a comma separated list of numbers and/or "
    "strings. If you are asked for a number, don't use comma to write your number neither use "
    "units such as $ or percent sign unless specified otherwise. If you are asked for a string, "
    "don't use articles, neither abbreviations (e.g. for cities), and write the digits in plain "
    "text unless specified otherwise. If you are asked for a comma separated list, apply the above "
    "rules depending of whether the element to be put in the list is a number or a string."
)
_LFS_MARK = b"version https://git-lfs.github.com/spec/"


class GaiaEnvironment(Environment):
    """A question, maybe a file, and one answer. There is nothing to act on."""

    async def reset(self) -> Observation:
        """Put the attachment into the workspace; the prompt and the file's name.

        Raises:
            EnvironmentFault: the attachment is not there.
        """
        attachment = self._attachment()
        if attachment is not None:
            await asyncio.to_thread(_lay_out, attachment, self.place.workspace)
        return await self.observe()

    async def observe(self) -> Observation:
        """The prompt and the file's name again."""
        attachment = self._attachment()
        if attachment is None:
            return Observation(f"{PROMPT}\n\nThere is no file with this question.")
        return Observation(
            f"{PROMPT}\n\nThe file that the question speaks of is {attachment.name!r} in your "
            "workspace.",
            data={"file": attachment.name},
        )

    async def step(self, action: Action) -> Observation:
        """Nothing can be done here.

        Raises:
            ToolError: always.
        """
        raise ToolError(
            f"This question has no action {action.name!r}. Use your tools and give the answer."
        )

    async def verify(self, answer: str) -> Verdict:
        """Score what follows FINAL ANSWER, or the whole answer where that is not said."""
        said = gaia_answer(answer)
        if not self.task.graded:
            why = "The answer of this task is not public: it belongs to the test split."
            return Verdict(None, why, {"answer": said})
        verdict = SCORER.score(said, self.task.data["answer"])
        return Verdict(verdict.score, verdict.why, {"answer": said}, verdict.near_miss)

    async def close(self) -> None:
        """Nothing is kept."""

    def _attachment(self) -> Attachment | None:
        return msgspec.convert(self.task.data.get("attachment"), Attachment | None)


class KnownAnswer(Oracle):
    """Says the annotated answer, in the form that the prompt asks for."""

    async def solve(self, environment: Environment, first: Observation) -> str:
        """The answer."""
        return f"FINAL ANSWER: {environment.task.data['answer']}"


def _lay_out(attachment: Attachment, workspace: Path) -> None:
    source = Path(attachment.source)
    if not source.is_file():
        raise EnvironmentFault(
            f"The attachment {str(source)!r} is not there. Download the data set's files too."
        )
    with source.open("rb") as file:
        if file.read(len(_LFS_MARK)) == _LFS_MARK:
            raise EnvironmentFault(
                f"{str(source)!r} is a pointer of Git LFS, not the file. Run git lfs pull there."
            )
    workspace.mkdir(parents=True, exist_ok=True)
    target = workspace / attachment.name
    if target.is_symlink():
        # What ran in the workspace before may have left a link out of it.
        target.unlink()
    shutil.copyfile(source, target)
