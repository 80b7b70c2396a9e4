"""`ask_person`: an agent asks a person, and goes on once there is an answer."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.errors import ToolError
from aworld.tools.base import BaseTool, Effect, Question, Reply, ToolContext, ToolResult
from aworld.tools.failures import ToolRefused

_DAY_S = 86_400.0


class AskPerson(BaseTool):
    """Ask a person what you cannot find out yourself: a decision, a preference, something only
    they know. Ask once, say what you need it for, and offer choices where there are few."""

    name: ClassVar[str] = "ask_person"
    effect: ClassVar[Effect] = "read_only"
    timeout_s: ClassVar[float] = 365 * _DAY_S
    long_results: ClassVar[bool] = False

    def get_schema(self) -> dict[str, Any]:
        """Question, choices, default, time-out."""
        properties = {
            "question": {"type": "string", "minLength": 1, "maxLength": 8_000},
            "choices": {
                "type": "array",
                "items": {"type": "string", "minLength": 1, "maxLength": 500},
                "maxItems": 20,
                "description": "Answers to choose from; leave out for a free answer",
            },
            "default": {
                "type": "string",
                "description": "The answer that is taken where nobody answers in time",
            },
            "timeout_s": {
                "type": "number",
                "minimum": 1,
                "maximum": 30 * _DAY_S,
                "description": "Seconds to wait; without it there is no end to the waiting",
            },
        }
        return {"type": "object", "properties": properties, "required": ["question"]}

    async def run(self, context: ToolContext, **given: Any) -> ToolResult:
        """Wait for the answer; `data` is `{answer, by, timed_out}`.

        Raises:
            ToolRefused: there is no run, so nobody to ask.
            ToolError: nobody answered in time, and there is no default.
        """
        if context.ask is None:
            raise ToolRefused("Nobody can be asked here: the call is no part of a run.")
        if not given["question"].strip():
            raise ToolError("The question is empty. Write what you want to know.")
        asked = Question(
            given["question"],
            tuple(dict.fromkeys(given.get("choices", ()))),
            given.get("default"),
            given.get("timeout_s"),
        )
        reply = await context.ask(asked)
        if reply.timed_out and asked.default is None:
            waited = f" within {asked.timeout_s:g} s" if asked.timeout_s is not None else ""
            raise ToolError(f"Nobody answered{waited}. Go on without the answer, or say so.")
        data = {"answer": reply.answer, "by": reply.by, "timed_out": reply.timed_out}
        return ToolResult(_text(asked, reply), data)


def _text(asked: Question, reply: Reply) -> str:
    if reply.timed_out:
        return f"Nobody answered within {asked.timeout_s:g} s, so the default holds: {reply.answer}"
    return reply.answer
