"""From a wish to the event that records it. Live supervisor and replay share this."""

from __future__ import annotations

import msgspec

from aworld.events.action import EnvironmentReset, EnvironmentSubmitted, ToolCalled
from aworld.events.conversation import PersonAsked
from aworld.events.envelope import OWN_SPAN
from aworld.events.model import LlmRequested
from aworld.events.run import NodeJoined, RunFailed, RunFinished
from aworld.events.union import AnyPayload, Event, draft
from aworld.llm.hashing import request_hash
from aworld.runtime.context import ContextBook
from aworld.runtime.machine import SUPERVISOR, Wish
from aworld.runtime.more_pages import EFFECT, READ_RESULT
from aworld.runtime.node import (
    ENVIRONMENT,
    AnyNode,
    AskPerson,
    CallModel,
    CallTool,
    Fail,
    Finish,
    Intent,
    ResetEnvironment,
    Say,
    VerifyEnvironment,
)


class Drafter:
    """Knows the run's messages and who offered which tools."""

    def __init__(self, run_id: str, *, task_id: str = "", attempt: int = 0) -> None:
        self.run_id = run_id
        self.book = ContextBook()
        self._task_id = task_id
        self._attempt = attempt
        self._joined: dict[str, NodeJoined] = {}

    def add(self, event: Event) -> None:
        """Remember what later drafts refer to."""
        self.book.add(event)
        if isinstance(event.payload, NodeJoined):
            self._joined[event.actor] = event.payload

    def joined(self, node: AnyNode) -> Event:
        """The event by which a node takes part."""
        return draft(self.run_id, node.name, node.joined(), role=node.role)

    def draft(self, wish: Wish) -> Event:
        """The event that records the wish: the message itself, or an effect's beginning."""
        name, role, intent = wish.node.name, wish.node.role, wish.intent
        if isinstance(intent, Finish):
            done = RunFinished(answer=intent.answer, verified=intent.verified)
            return draft(self.run_id, SUPERVISOR, done, caused_by=intent.caused_by)
        if isinstance(intent, Say):
            return draft(
                self.run_id,
                name,
                intent.payload,
                role=role,
                caused_by=intent.caused_by,
                recipients=intent.recipients,
                topic=intent.topic,
                task_id=self._task_id,
                attempt=self._attempt,
            )
        if isinstance(intent, Fail):
            failed = RunFailed(error=intent.error, outcome=intent.outcome)
            return draft(self.run_id, SUPERVISOR, failed, caused_by=intent.caused_by)
        payload, recipients = self._effect(name, intent)
        return draft(
            self.run_id,
            name,
            payload,
            role=role,
            caused_by=intent.caused_by,
            span=OWN_SPAN,
            task_id=self._task_id,
            attempt=self._attempt,
            recipients=recipients,
        )

    def _effect(self, name: str, intent: Intent) -> tuple[AnyPayload, tuple[str, ...]]:
        """What opens an effect's span, and who else is told."""
        if isinstance(intent, CallModel):
            return self._model_call(name, intent), ()
        if isinstance(intent, CallTool):
            return self._tool_call(name, intent), intent.recipients
        if isinstance(intent, ResetEnvironment):
            return EnvironmentReset(intent.environment, intent.task), intent.recipients
        if isinstance(intent, AskPerson):
            asked = PersonAsked(intent.question, intent.choices, intent.default, intent.timeout_s)
            return asked, ()
        assert isinstance(intent, VerifyEnvironment)
        return EnvironmentSubmitted(intent.answer), (ENVIRONMENT,)

    def _model_call(self, name: str, intent: CallModel) -> LlmRequested:
        model = self._joined[name].model
        request = self.book.request(intent.context, intent.parameters)
        return LlmRequested(
            model=model,
            context=intent.context,
            request_hash=request_hash(request, model),
            parameters=_plain(intent),
        )

    def _tool_call(self, name: str, intent: CallTool) -> ToolCalled:
        offered = (tool for tool in self._joined[name].tools if tool["name"] == intent.tool)
        unlisted = EFFECT if intent.tool == READ_RESULT else "unsafe"
        effect = next(offered, {}).get("effect", unlisted)
        return ToolCalled(intent.tool, intent.arguments, intent.call_id, effect)


def _plain(intent: CallModel) -> dict[str, object]:
    """Sampling parameters as JSON, defaults left out."""
    plain: dict[str, object] = msgspec.to_builtins(intent.parameters)
    return plain
