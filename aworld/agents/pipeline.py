"""How a team passes work on: one agent after another, a verifier's objection goes back.

The coordinator is a node like any other; it never calls an agent, it sends messages and hears
answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from aworld.agents.roles.solver import extract_answer
from aworld.agents.roles.verifier import verification_request
from aworld.events.action import EnvironmentObserved, EnvironmentSubmitted, EnvironmentVerified
from aworld.events.conversation import MessageSent, VerificationFailed, VerificationPassed
from aworld.events.run import NodeJoined, RunCreated
from aworld.events.union import AnyPayload, Event
from aworld.runtime.node import Fail, Finish, Intent, Say, VerifyEnvironment
from aworld.scorers.final_answer import contest_answer

COORDINATOR = "team"


class Stage(NamedTuple):
    """One agent's place in the line."""

    agent: str
    judges: bool
    """Whether it verifies the answer before it instead of answering."""


Phase = Literal["new", "preparing", "assign", "waiting", "submit", "judging", "finish", "fail"]


class PipelineState(msgspec.Struct):
    """Where the work is."""

    phase: Phase = "new"
    input: str = ""
    observation: str = ""
    """What can be seen of the run's environment at first."""
    stage: int = 0
    answer: str = ""
    """The newest answer of an agent that answers."""
    author: int = -1
    """The stage that gave it."""
    objection: str = ""
    """Why a verifier sent the answer back; "" where none did."""
    round: int = 0
    """How often it was sent back."""
    verified: bool | None = None
    error: str = ""
    last: int = -1


class PipelineNode:
    """The coordinator of a pipeline; a single agent is a pipeline of one."""

    name = COORDINATOR
    role = ""
    topics: tuple[str, ...] = ()
    state_type = PipelineState

    def __init__(
        self, stages: Sequence[Stage], *, max_rounds: int = 2, environment: bool = False
    ) -> None:
        """`max_rounds`: how often a verifier may send an answer back. With an `environment` the
        work begins with its first observation and ends with its verdict."""
        self._stages = list(stages)
        self._agents = [stage.agent for stage in stages]
        self._max_rounds = max_rounds
        self._environment = environment

    def joined(self) -> AnyPayload:
        """What it is."""
        return NodeJoined("coordinator", instructions=" → ".join(self._agents))

    def initial(self) -> PipelineState:
        """Before the run starts."""
        return PipelineState()

    def apply(self, state: PipelineState, event: Event) -> PipelineState:
        """Fold one event."""
        payload = event.payload
        if isinstance(payload, RunCreated):
            state.input = payload.input
        elif isinstance(payload, NodeJoined):
            # The last one to join; by then every agent is there to hear it.
            if state.phase == "new" and event.actor == self.name:
                state.phase = "preparing" if self._environment else "assign"
                state.last = event.seq
        elif event.actor == self.name:
            if isinstance(payload, MessageSent):
                state.phase = "waiting"
            elif isinstance(payload, EnvironmentSubmitted):
                state.phase = "judging"
        elif isinstance(payload, EnvironmentObserved | EnvironmentVerified):
            self._hear_world(state, payload)
            state.last = event.seq
        elif state.phase == "waiting" and event.actor == self._stages[state.stage].agent:
            self._take(state, event)
        return state

    def _hear_world(
        self, state: PipelineState, payload: EnvironmentObserved | EnvironmentVerified
    ) -> None:
        if isinstance(payload, EnvironmentObserved):
            state.observation, state.phase = str(payload.observation["text"]), "assign"
        else:
            state.phase = "finish"

    def _take(self, state: PipelineState, event: Event) -> None:
        payload = event.payload
        if isinstance(payload, MessageSent) and payload.purpose == "answer":
            state.answer, state.author, state.objection = payload.content, state.stage, ""
            state.verified = None
            self._move_on(state)
        elif isinstance(payload, MessageSent) and payload.purpose == "failure":
            state.phase, state.error = "fail", f"{event.actor}: {payload.content}"
        elif isinstance(payload, VerificationPassed):
            state.verified = True
            self._move_on(state)
        elif isinstance(payload, VerificationFailed):
            self._send_back(state, payload)
        else:
            return
        state.last = event.seq

    def _move_on(self, state: PipelineState) -> None:
        state.stage += 1
        if state.stage < len(self._stages):
            state.phase = "assign"
        else:
            state.phase = "submit" if self._environment else "finish"

    def _send_back(self, state: PipelineState, verdict: VerificationFailed) -> None:
        state.verified = False
        if state.author < 0 or state.round >= self._max_rounds:
            self._move_on(state)
            return
        state.round += 1
        state.objection = verdict.evidence
        state.stage, state.phase = state.author, "assign"

    def decide(self, state: PipelineState) -> Sequence[Intent]:
        """Who gets what next."""
        cause = (state.last,)
        if state.phase == "assign":
            stage = self._stages[state.stage]
            return [Say(self._message(state, stage), (stage.agent,), caused_by=cause)]
        if state.phase == "submit":
            return [VerifyEnvironment(handed_in(state.answer), cause)]
        if state.phase == "finish":
            return [Finish(state.answer, state.verified, cause)]
        if state.phase == "fail":
            return [Fail(state.error, "error", cause)]
        return []

    def _message(self, state: PipelineState, stage: Stage) -> MessageSent:
        if stage.judges:
            short = extract_answer(state.answer) or state.answer
            return MessageSent(verification_request(state.input, short), "verify", short)
        if state.objection:
            return MessageSent(critique(state.objection), "critique")
        task = state.input
        if state.observation:
            task = f"{task}\n\nWhat you see:\n{state.observation}"
        if state.answer:
            return MessageSent(f"{task}\n\nWork so far:\n{state.answer}", "task")
        return MessageSent(task, "task")


def handed_in(answer: str) -> str:
    """What an environment gets of the last answer: all of it where a scorer finds its own mark in
    it, else what the solver's form marks with `Answer: `, else all of it."""
    if contest_answer(answer) is not None:
        return answer
    return extract_answer(answer) or answer


def critique(objection: str) -> str:
    """What an agent is told when a verifier sends its answer back.

    The small local model was trained with this very text; so change both or neither."""
    return f"Your answer was rejected.\nREJECTED: {objection}\nCorrect it."
