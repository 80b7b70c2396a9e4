"""Measure the served model: `python evaluate.py --url http://127.0.0.1:8111 --seeds 101 102`.

The solver and the verifier talk as they do in a team: the model's call is parsed by the product's
own code, the tool is really run, its result goes back. A question counts as right only if a tool
ran and the answer is exact. The verifier is shown a right and a wrong answer to every question.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from aworld.agents.pipeline import critique
from aworld.agents.roles import solver, verifier
from aworld.environments.math.word_problems import Problem, draw
from aworld.errors import ToolError
from aworld.llm.base import ChatMessage, ToolCall, ToolSchema
from aworld.llm.tool_text import count_calls, parse_tool_calls, to_plain_messages
from aworld.tools.base import BaseTool, ToolContext
from aworld.tools.builtin.calculator import Calculator
from aworld.tools.builtin.logic_check import LogicCheck

TOOLS: dict[str, BaseTool] = {"calculator": Calculator(), "logic_check": LogicCheck()}
CALCULATOR, CHECKER = (
    ToolSchema(tool.name, tool.description, tool.get_schema()) for tool in TOOLS.values()
)

CHAT_PROBE = (
    ("What is the capital of France?", "paris"),
    ("What is the capital of Poland?", "warsaw"),
    ("Hello, nice to meet you!", ""),
    ("What is a cat?", "animal|mammal|pet"),
    ("Who wrote Hamlet?", "shakespeare"),
    ("How many legs does a dog have?", "four|4"),
    ("Give me a tip for staying focused.", ""),
    ("What color is grass?", "green"),
    ("Write one sentence about a garden.", "garden"),
    ("What do cows eat?", "grass"),
)


def complete(url: str, messages: list[dict[str, str]]) -> str:
    body = json.dumps({"messages": messages, "temperature": 0, "max_tokens": 160}).encode()
    request = urllib.request.Request(
        f"{url}/v1/chat/completions", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=300) as response:
        return str(json.load(response)["choices"][0]["message"]["content"])


def run_tool(call: ToolCall) -> str:
    """The product's own two tools, really run."""
    if call.arguments is None:
        return call.error
    if call.name not in TOOLS:
        return f"There is no tool {call.name!r}. Tools: {', '.join(TOOLS)}."
    tool = TOOLS[call.name]
    try:
        result = asyncio.run(tool.run(ToolContext(), **call.arguments))
    except (ToolError, KeyError) as error:
        return tool.describe_error(error)
    return result if isinstance(result, str) else result.text


@dataclass
class Talk:
    """A conversation with tools that goes on until the model answers without a call."""

    url: str
    tools: list[ToolSchema]
    messages: list[ChatMessage]
    ran: int = 0
    """Tool calls that were really executed."""

    def ask(self, text: str, turns: int = 5) -> str:
        self.messages.append(ChatMessage("user", text))
        known = [tool.name for tool in self.tools]
        for _ in range(turns):
            answer = complete(self.url, to_plain_messages(self.messages, self.tools))
            parsed = parse_tool_calls(answer, known, first=count_calls(self.messages) + 1)
            self.messages.append(ChatMessage("assistant", parsed.text, parsed.calls))
            if not parsed.calls:
                return parsed.text
            for call in parsed.calls:
                self.ran += call.arguments is not None and call.name in known
                result = run_tool(call)
                self.messages.append(ChatMessage("tool", result, tool_call_id=call.id))
        return ""

    def show(self) -> str:
        return "\n".join(
            f"    {message['role']}: {message['content']}"
            for message in to_plain_messages(self.messages[1:])
        )


def solved(url: str, problem: Problem) -> tuple[bool, Talk]:
    talk = Talk(url, [CALCULATOR], [ChatMessage("system", solver.INSTRUCTIONS)])
    answer = solver.extract_answer(talk.ask(problem.question))
    return talk.ran > 0 and answer == problem.answer, talk


def judged(url: str, problem: Problem, proposal: str, right: bool) -> tuple[bool, Talk]:
    talk = Talk(url, [CHECKER], [ChatMessage("system", verifier.INSTRUCTIONS)])
    text = talk.ask(verifier.verification_request(problem.question, proposal))
    return talk.ran > 0 and verifier.parse_verdict(text).passed is right, talk


def corrected(url: str, problem: Problem, wrong: str) -> tuple[bool, Talk]:
    """The solver is told by the verifier that its answer was wrong."""
    talk = Talk(url, [CALCULATOR], [ChatMessage("system", solver.INSTRUCTIONS)])
    talk.messages += [
        ChatMessage("user", problem.question),
        ChatMessage("assistant", f"{problem.expression} = {wrong}. Answer: {wrong}"),
    ]
    objection = f"{problem.expression} is {problem.answer}, not {wrong}."
    answer = solver.extract_answer(talk.ask(critique(objection)))
    return talk.ran > 0 and answer == problem.answer, talk


def wrong_for(problem: Problem, rng: random.Random) -> str:
    right = int(problem.answer)
    return str(rng.choice((right + 1, abs(right - 10) + 1, right + 100, right * 10)))


def measure(url: str, seed: int, n: int, pool: ThreadPoolExecutor, shown: int) -> None:
    rng = random.Random(seed)
    problems = draw(seed, n)
    wrong = [wrong_for(problem, rng) for problem in problems]
    jobs = {
        "solver": [pool.submit(solved, url, problem) for problem in problems],
        "verifier, right answers": [
            pool.submit(judged, url, problem, problem.answer, True) for problem in problems
        ],
        "verifier, wrong answers": [
            pool.submit(judged, url, problem, answer, False)
            for problem, answer in zip(problems, wrong, strict=True)
        ],
        "correction": [
            pool.submit(corrected, url, problem, answer)
            for problem, answer in zip(problems[:10], wrong, strict=False)
        ],
    }
    for name, futures in jobs.items():
        results = [future.result() for future in futures]
        print(f"seed {seed}: {name} {sum(right for right, _ in results)}/{len(results)}")
        failures = [
            (talk, problem)
            for (right, talk), problem in zip(results, problems, strict=False)
            if not right
        ]
        for talk, problem in failures[:shown]:
            print(f"  failed ({problem.family}, {problem.answer}):\n{talk.show()}", flush=True)


def chat(url: str) -> None:
    passed = 0
    for question, words in CHAT_PROBE:
        answer = complete(url, [{"role": "user", "content": question}])
        good = (
            any(word in answer.lower() for word in words.split("|")) and "<tool_call>" not in answer
        )
        passed += good
        print(f"chat {'ok  ' if good else 'FAIL'} {question} -> {answer}", flush=True)
    print(f"chat {passed}/{len(CHAT_PROBE)}")
    talk = Talk(url, [CALCULATOR], [ChatMessage("system", solver.INSTRUCTIONS)])
    questions = ("Hello!", "What is 23 times 47?", "And what is that plus 19?", "Thanks!")
    for question in (*questions, "How much is 512 minus 77?"):
        talk.ask(question)
    print(f"one conversation:\n{talk.show()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8111")
    parser.add_argument("--seeds", type=int, nargs="*", default=[101])
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--show", type=int, default=2, help="failures of a kind to print")
    parser.add_argument("--at-once", type=int, default=4)
    arguments = parser.parse_args()
    with ThreadPoolExecutor(arguments.at_once) as pool:
        for seed in arguments.seeds:
            measure(arguments.url, seed, arguments.questions, pool, arguments.show)
    chat(arguments.url)


if __name__ == "__main__":
    main()
