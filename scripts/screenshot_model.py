"""The model behind the pictures: says what it is told to say, at a pace that shows on a timeline.

It answers in both styles: a tool call as text for the local connection, natively for the others.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import sleep
from typing import Any

from tests.openai_server import Answer, Failure, Given

TO_FIRST_TOKEN_S = 0.22
BETWEEN_TOKENS_S = 0.025
VERIFIER = "You check the answer of another agent"


@dataclass(frozen=True)
class Turn:
    """One answer of the model."""

    text: str = ""
    call: tuple[str, dict[str, Any]] | None = None
    hold_at: int = -1
    """The streamed fragment after which it waits until the end of the session."""
    cued: bool = False
    """Whether it waits with its first word until `speak`."""
    refused: str = ""
    """The provider's error instead of an answer."""


@dataclass(frozen=True)
class Scene:
    """What the two agents of a run say, each in its order."""

    solver: Sequence[Turn]
    verifier: Sequence[Turn] = ()


class ScriptedModel:
    """Gives each request the next turn of its question's scene."""

    def __init__(self, scenes: Mapping[str, Scene]) -> None:
        """`scenes` by question."""
        self._scenes = scenes
        self._ended = threading.Event()
        self._cue = threading.Event()
        self._played = threading.Event()

    def rewind(self) -> None:
        """The next cued answer waits again; the one before goes on to its end."""
        self._cue.set()
        self._played.set()
        self._cue, self._played = threading.Event(), threading.Event()

    def speak(self) -> None:
        """The cued answer begins."""
        self._cue.set()

    def end(self) -> None:
        """Every held answer goes on."""
        self._ended.set()
        self.rewind()

    def reply(self, body: dict[str, Any]) -> Given:
        """The next turn; a refusal where the scene has none."""
        messages = body["messages"]
        question = next(text for text in self._scenes if any(_asks(one, text) for one in messages))
        scene = self._scenes[question]
        judges = VERIFIER in str(messages[0]["content"])
        turns = scene.verifier if judges else scene.solver
        number = sum(message["role"] == "assistant" for message in messages)
        if number >= len(turns):
            return Failure(400, f"No turn {number} is written for {question!r}.")
        turn = turns[number]
        if turn.refused:
            return Failure(400, turn.refused, code="context_length_exceeded")
        return self._spoken(turn, body)

    def _spoken(self, turn: Turn, body: dict[str, Any]) -> Answer:
        usage = _usage(body, turn)
        pace = self._pace(turn)
        if turn.call is None:
            return Answer(turn.text, usage=usage, after_chunk=pace)
        name, arguments = turn.call
        if body.get("tools"):
            return Answer(turn.text, [(name, arguments)], usage=usage, after_chunk=pace)
        call = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
        return Answer(f"{turn.text}<tool_call>{call}</tool_call>", usage=usage, after_chunk=pace)

    def _pace(self, turn: Turn) -> Callable[[int], None]:
        cue, over = self._cue, self._played if turn.cued else self._ended

        def wait(fragment: int) -> None:
            if self._ended.is_set():
                return
            if turn.cued and fragment == 0:
                cue.wait()
            elif fragment == turn.hold_at:
                over.wait()
            elif not over.is_set():
                sleep(BETWEEN_TOKENS_S if fragment else TO_FIRST_TOKEN_S)

        return wait


def _asks(message: dict[str, Any], question: str) -> bool:
    return message["role"] == "user" and question in str(message["content"])


def _usage(body: dict[str, Any], turn: Turn) -> dict[str, Any]:
    """Roughly four characters a token, as most tokenizers have it."""
    prompt = len(json.dumps(body["messages"], ensure_ascii=False)) // 4
    completion = max(1, (len(turn.text) + len(json.dumps(turn.call or ""))) // 4)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
