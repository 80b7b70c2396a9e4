"""Runs to look at: a team that solves a problem, one that goes on, a million events, 20 MB."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.conversation import MessageSent, VerificationFailed, VerificationPassed
from aworld.events.coordination import ConflictDetected, RewardAssigned
from aworld.events.envelope import Payload
from aworld.events.model import LlmFailed, LlmRequested, LlmResponded
from aworld.events.run import NodeJoined, RunCreated, RunFinished, RunStarted
from aworld.events.union import Event

QUESTION = (
    "完整证明：设 a, b 为正整数，且 ab + 1 整除 a² + b²，"
    "求证 (a² + b²)/(ab + 1) 是完全平方数。"
)
PROOF = (
    "设 k = (a² + b²)/(ab + 1)，并假设 k 不是完全平方数。固定 k，在所有满足条件的数对中"
    "取 a + b 最小的一对，不妨设 a ≥ b。把等式看作关于 a 的二次方程 "
    "x² − kb·x + b² − k = 0，由韦达定理另一根 a' = kb − a = (b² − k)/a。\n\n"
    "因为 k 不是平方数，a' ≠ 0；又由 a' + 1/b > 0 得 a' > 0，且 a' = (b² − k)/a < a，"
    "与 a + b 的最小性矛盾。故 k 是完全平方数。∎"
)
TEAM: dict[str, Any] = {
    "name": "imo-solver",
    "description": "A planner, a solver and a verifier with a calculator",
    "topology": "pipeline",
    "max_rounds": 2,
    "agents": [
        {"name": name, "role": role, "model": "local", "instructions": "", "tools": tools,
         "parameters": {}}
        for name, role, tools in (
            ("planner", "planner", []),
            ("solver", "solver", ["calculator", "code_interpreter"]),
            ("verifier", "verifier", ["logic_check"]),
        )
    ],
    "limits": {"steps": 60, "tokens": None, "seconds": 900, "cost_usd": None},
}


class Scribe:
    """Writes one run's events in order: who, what, and how many milliseconds later."""

    def __init__(self, run_id: str, start_at: int) -> None:
        self.run_id = run_id
        self.at = start_at
        self.seq = 0

    def write(self, after_ms: float, actor: str, payload: Payload, **fields: Any) -> Event:
        """The next event; `span=True` opens one."""
        self.at += round(after_ms * 1000)
        if fields.get("span") is True:
            fields["span"] = self.seq
        event = Event(
            run_id=self.run_id, seq=self.seq, at=self.at, actor=actor,
            payload=payload, **fields,  # type: ignore[arg-type]
        )
        self.seq += 1
        return event


def opening(scribe: Scribe, question: str = QUESTION) -> Iterator[Event]:
    """Created, started, three nodes joined, the task given."""
    yield scribe.write(0, "supervisor", RunCreated(team_name="imo-solver", input=question))
    yield scribe.write(12, "supervisor", RunStarted(worker="rollout@host-1", epoch=1))
    for name in ("planner", "solver", "verifier"):
        joined = NodeJoined(
            node_type="agent", role=name, model="SmolLM2-135M",
            instructions=f"You are the {name} of a team. Work step by step and show each step.",
            tools=({"name": "calculator", "description": "Evaluates an expression",
                    "parameters": {"type": "object"}},) if name == "solver" else (),
        )
        yield scribe.write(1, name, joined)
    yield scribe.write(2, "supervisor", MessageSent(content=question, purpose="task"),
                       recipients=("planner",), caused_by=(0,))


def rounds(scribe: Scribe, count: int, seed: int = 7) -> Iterator[Event]:
    """`count` rounds of thought, tools, answer and verdict, with the faults that happen."""
    chance = random.Random(seed)
    cause = scribe.seq - 1
    for number in range(count):
        for agent in ("planner", "solver"):
            yield from _call(scribe, chance, agent, cause, number)
            cause = scribe.seq - 1
            if agent == "solver":
                yield from _tools(scribe, chance, cause)
            other = "solver" if agent == "planner" else "verifier"
            sent = MessageSent(content=f"第 {number + 1} 轮：{PROOF[: 60 + 40 * (number % 5)]}",
                               purpose="answer" if agent == "solver" else "plan")
            yield scribe.write(3, agent, sent, recipients=(other,), caused_by=(cause,))
            cause = scribe.seq - 1
        yield from _call(scribe, chance, "verifier", cause, number)
        good = number == count - 1
        verdict = (VerificationPassed if good else VerificationFailed)(
            answer="k is a perfect square",
            evidence="Each step follows." if good else "The case b = 1 is missing.",
        )
        yield scribe.write(5, "verifier", verdict, caused_by=(scribe.seq - 1,))
        cause = scribe.seq - 1
        if number % 4 == 2:
            sides = ({"seq": cause, "actor": "verifier", "statement": "b > 1"},)
            conflict = ConflictDetected(about="the range of b", sides=sides)
            yield scribe.write(1, "supervisor", conflict)


def _call(
    scribe: Scribe, chance: random.Random, agent: str, cause: int, number: int
) -> Iterator[Event]:
    asked = LlmRequested(model="SmolLM2-135M", context=(2, 5, cause), request_hash="00" * 16)
    opened = scribe.write(chance.uniform(4, 60), agent, asked, span=True, caused_by=(cause,))
    yield opened
    if chance.random() < 0.08:
        failed = LlmFailed(error="429 Too Many Requests: slow down", status=429, will_retry=True,
                           retry_in_s=0.5)
        yield scribe.write(120, agent, failed, span=opened.seq)
    text = PROOF if agent == "solver" else f"Step {number + 1}: look at the smallest pair (a, b)."
    calls = ({"id": "c1", "name": "calculator", "arguments": {"expression": "17 * 23"}},)
    answered = LlmResponded(
        text=text, tool_calls=calls if agent == "solver" else (),
        input_tokens=chance.randint(200, 900), output_tokens=chance.randint(20, 260),
        cost_usd=0.0004, model="SmolLM2-135M-Instruct",
        first_token_us=chance.randint(20_000, 90_000),
    )
    yield scribe.write(chance.uniform(180, 1400), agent, answered, span=opened.seq)


def _tools(scribe: Scribe, chance: random.Random, cause: int) -> Iterator[Event]:
    for tool in chance.sample(("calculator", "calculator", "code_interpreter"), 2):
        arguments = ({"expression": f"{chance.randint(10, 99)} * {chance.randint(10, 99)}"}
                     if tool == "calculator" else {"code": "for a in range(9):\n    print(a * a)"})
        called = scribe.write(4, "solver", ToolCalled(tool=tool, arguments=arguments), span=True,
                              caused_by=(cause,))
        yield called
        took = chance.uniform(1, 9) if tool == "calculator" else chance.uniform(60, 300)
        if chance.random() < 0.14:
            failed = ToolFailed(tool=tool, error="ZeroDivisionError: division by zero")
            yield scribe.write(took, "solver", failed, span=called.seq)
        else:
            text = "391" if tool == "calculator" else "\n".join(str(a * a) for a in range(1, 30))
            yield scribe.write(took, "solver", ToolReturned(tool=tool, text=text), span=called.seq)


def closing(scribe: Scribe, answer: str = PROOF) -> Iterator[Event]:
    """Reward and end."""
    yield scribe.write(2, "supervisor", RewardAssigned(value=1.0, source="exact"))
    yield scribe.write(2, "supervisor", RunFinished(answer=answer, verified=True))


def million(scribe: Scribe, count: int = 1_000_000) -> Iterator[Event]:
    """`count` events of twelve agents over about forty minutes; three errors, one of 1 ms."""
    chance = random.Random(1)
    yield from opening(scribe, "A run of a million events")
    agents = [f"agent-{number:02}" for number in range(12)]
    open_: dict[str, int] = {}
    errors = {count // 3, count // 2, count - 1000}
    while scribe.seq < count - 1:
        agent = agents[scribe.seq % 12]
        opener = open_.pop(agent, None)
        if opener is None:
            called = ToolCalled(tool="search", arguments={"q": f"item {scribe.seq}"})
            open_[agent] = scribe.seq
            yield scribe.write(chance.uniform(0.5, 4), agent, called, span=True)
        elif any(abs(scribe.seq - at) < 12 for at in errors) and scribe.seq % 12 == 4:
            yield scribe.write(1, agent, ToolFailed(tool="search", error="no answer"), span=opener)
        else:
            returned = ToolReturned(tool="search", text=f"found {scribe.seq}")
            yield scribe.write(chance.uniform(0.5, 4), agent, returned, span=opener)
    yield scribe.write(1, "supervisor", RunFinished(answer="done"))


def large_payload(scribe: Scribe, size: int = 20_000_000) -> Iterator[Event]:
    """One tool result of `size` characters of JSON."""
    yield from opening(scribe, "Read a file of 20 MB")
    called = scribe.write(5, "solver", ToolCalled(tool="files", arguments={"path": "big.json"}),
                          span=True)
    yield called
    rows = [{"id": n, "name": f"row {n}", "tags": ["a", "b"], "value": n / 7}
            for n in range(size // 75)]
    yield scribe.write(80, "solver", ToolReturned(tool="files", text="a table", data=rows),
                       span=called.seq)
    text = scribe.write(5, "solver", ToolCalled(tool="files", arguments={"path": "big.txt"}),
                        span=True)
    yield text
    yield scribe.write(90, "solver", ToolReturned(tool="files", text="证明 abc " * (size // 10)),
                       span=text.seq)
    yield from closing(scribe, "read")
