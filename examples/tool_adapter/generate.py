"""Write the training conversations: `python generate.py --rows 1200 --seed 1 --out rows.jsonl`.

A line is `{"kind", "messages": [{"role", "content"}], "learn": [index, …]}`: the conversation just
as the server will see it, made by the product's own `aworld.llm.tool_text`, and the assistant turns
to learn. Results and errors come from the product's own tools, never from a model.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from questions import Question, value_of, wrong_result

from aworld.agents.roles import solver, verifier
from aworld.environments.math import word_problems
from aworld.errors import ToolError
from aworld.llm.base import ChatMessage, ToolCall, ToolSchema
from aworld.llm.tool_text import parse_tool_calls, to_plain_messages
from aworld.tools.expressions.numbers import write
from aworld.tools.expressions.parser import parse

Row = dict[str, Any]


def schema(name: str, description: str, **parameters: str) -> ToolSchema:
    properties = {key: {"type": kind} for key, kind in parameters.items()}
    return ToolSchema(
        name, description, {"type": "object", "properties": properties, "required": [*parameters]}
    )


# The wording of a description may change in the product: the model must not hang on it.
CALCULATORS = [
    schema("calculator", text, expression="string")
    for text in (
        "Work out an arithmetic expression exactly, such as 23*47.",
        "Work out an arithmetic expression.",
        "Evaluates an arithmetic expression and returns its value.",
        "Exact arithmetic: + - * / ** and parentheses.",
        "Calculate.",
    )
]
CHECKERS = [
    schema("logic_check", text, claim="string")
    for text in (
        "Check a claim such as 23*47 == 1081 or (p and q) implies p; says true, or false and why.",
        "Check whether a claim is true.",
        "Tells whether an equation or a logical claim holds.",
        "Checks arithmetic and logical claims.",
    )
]
OTHERS = [
    schema("file_read", "Read a file of the workspace.", path="string"),
    schema("web_search", "Search the web.", query="string"),
    schema("code_interpreter", "Run Python code in a sandbox.", code="string"),
    schema("clock", "Tell the time."),
    schema("note", "Keep a note for later.", text="string"),
]
FOLLOW_UPS = (
    ("+", "Now add {}."),
    ("+", "And if you add {} to it?"),
    ("-", "Subtract {} from that."),
    ("-", "What is left when {} are taken away from this?"),
    ("*", "Multiply that by {}."),
    ("*", "And {} times as much?"),
)
CHAT_PROMPTS = ("", "", "You are a helpful assistant.", "You are a friendly, brief assistant.")


class Writer:
    """Builds one conversation message by message."""

    def __init__(self, instructions: str, tools: tuple[ToolSchema, ...]) -> None:
        self.tools = tools
        self.messages = [ChatMessage("system", instructions)] if instructions else []
        self.unlearned: set[str] = set()

    def user(self, text: str) -> None:
        self.messages.append(ChatMessage("user", text))

    def say(self, text: str, learn: bool = True) -> None:
        self.messages.append(ChatMessage("assistant", text))
        if not learn:
            self.unlearned.add(text)

    def call(self, tool: str, result: str, learn: bool = True, **arguments: str) -> None:
        call = ToolCall("", tool, arguments)
        self._called(call, result, learn)

    def malformed(self, text: str) -> None:
        (call,) = parse_tool_calls(text, [tool.name for tool in self.tools]).calls
        assert call.arguments is None
        self._called(call, call.error, learn=False)

    def _called(self, call: ToolCall, result: str, learn: bool) -> None:
        message = ChatMessage("assistant", "", (call,))
        self.messages += [message, ChatMessage("tool", result)]
        if not learn:
            self.unlearned.add(to_plain_messages([message])[0]["content"])

    def stop_at_call(self) -> None:
        """Drop what follows the first call: which expression to write is the hard part to learn."""
        first = next(i for i, message in enumerate(self.messages) if message.tool_calls)
        del self.messages[first + 1 :]

    def row(self, kind: str) -> Row:
        plain = to_plain_messages(self.messages, self.tools)
        learn = [
            index
            for index, message in enumerate(plain)
            if message["role"] == "assistant" and message["content"] not in self.unlearned
        ]
        return {"kind": kind, "messages": plain, "learn": learn}


def tool_lists(rng: random.Random, own: list[ToolSchema], n: int) -> list[tuple[ToolSchema, ...]]:
    """`n` lists of tools that hold one of `own`, half of them nothing else."""
    lists = []
    for index in range(n):
        tools = [own[index % len(own)]]
        if index % 2:
            tools += rng.sample(OTHERS, rng.randint(1, 2))
            if rng.random() < 0.5:
                tools.append(rng.choice(CALCULATORS if own is CHECKERS else CHECKERS))
            rng.shuffle(tools)
        lists.append(tuple(tools))
    return lists


def solve(writer: Writer, question: Question) -> None:
    writer.user(question.text)
    writer.call("calculator", question.result, expression=question.expression)
    writer.say(question.sentence)


def follow_up(rng: random.Random, writer: Writer, question: Question) -> None:
    """A second question that takes the result of the first."""
    number = rng.randint(2, 999)
    if word_problems.is_reserved((int(question.result), number)):
        number += 1
    sign, text = rng.choice(FOLLOW_UPS)
    expression = f"{question.result}{sign}{number}"
    result = write(value_of(expression))
    writer.user(text.format(number))
    writer.call("calculator", result, expression=expression)
    writer.say(f"{expression} = {result}. Answer: {result}")


def solver_row(rng: random.Random, writer: Writer) -> Row:
    question = Question(rng)
    solve(writer, question)
    chance = rng.random()
    if chance < 0.15:
        solve(writer, Question(rng))
        return writer.row("solver, two questions")
    if chance < 0.25 and question.result.isdigit():
        follow_up(rng, writer, question)
        return writer.row("solver, follow-up")
    return writer.row("solver")


def correction_row(rng: random.Random, writer: Writer) -> Row:
    """A wrong first answer, the verifier's words, and a second try."""
    question = Question(rng)
    wrong = wrong_result(rng, question)
    writer.user(question.text)
    if rng.random() < 0.5:
        expression = rng.choice((f"{question.expression}+1", f"{wrong}+0", wrong))
        result = write(value_of(expression))
        writer.call("calculator", result, learn=False, expression=expression)
    writer.say(f"{question.expression} = {wrong}. Answer: {wrong}", learn=False)
    verdict = f"REJECTED: {question.expression} is {question.result}, not {wrong}."
    writer.user(
        rng.choice(
            (
                verdict,
                f"{verdict} Try again.",
                f"The verifier says: {verdict}",
                f"Your answer was rejected.\n{verdict}\nCorrect it.",
            )
        )
    )
    writer.call("calculator", question.result, expression=question.expression)
    writer.say(question.sentence)
    return writer.row("correction")


def recovery_row(rng: random.Random, writer: Writer) -> Row:
    """A call that could not be read, or that the tool refused, and a good one after it."""
    question = Question(rng)
    e = question.expression
    writer.user(question.text)
    if rng.random() < 0.7:
        writer.malformed(
            rng.choice(
                (
                    f'<tool_call>{{"name": "calculator", "arguments": {{"expression": {e}}}}}',
                    f"<tool_call>calculator({e})</tool_call>",
                    f'<tool_call>{{"name": "calculator", "arguments": "{e}"}}</tool_call>',
                    f'<tool_call>{{"name": "calculator", "arguments": {{"expression": "{e}',
                    f'<tool_call>{{"arguments": {{"expression": "{e}"}}}}</tool_call>',
                )
            )
        )
    else:
        bad = rng.choice((f"{e}=", f"{e} euros", f"the result of {e}", f"{e}+", f"({e}"))
        try:
            parse(bad)
        except ToolError as error:
            writer.call("calculator", str(error), learn=False, expression=bad)
    writer.call("calculator", question.result, expression=e)
    writer.say(question.sentence)
    return writer.row("recovery")


def verifier_row(rng: random.Random, writer: Writer) -> Row:
    question = Question(rng)
    right = rng.random() < 0.5
    answer = question.result if right else wrong_result(rng, question)
    proposal = rng.choice(
        (
            # As a team sends it, most of all: the number alone.
            answer,
            answer,
            answer,
            answer,
            f"{question.expression} = {answer}. Answer: {answer}",
            f"The result is {answer}. Answer: {answer}",
        )
    )
    writer.user(verifier.verification_request(question.text, proposal))
    claim = f"{question.expression} == {answer}"
    is_ = f"{question.expression} is {question.result}"
    writer.call("logic_check", "true" if right else f"false: {is_}", claim=claim)
    writer.say(f"VERIFIED: {is_}." if right else f"REJECTED: {is_}, not {answer}.")
    return writer.row("verifier")


def chat_rows(rng: random.Random, chat: list[dict[str, str]]) -> Iterator[Row]:
    """Every chat row once, without tools; now and then two in one conversation."""
    rows = rng.sample(chat, len(chat))
    while rows:
        writer = Writer(rng.choice(CHAT_PROMPTS), ())
        for _ in range(rng.choice((1, 1, 2))):
            if rows:
                row = rows.pop()
                writer.user(row["user"])
                writer.say(row["assistant"])
        yield writer.row("chat")


def talk_row(rng: random.Random, writer: Writer, chat: list[dict[str, str]]) -> Row:
    """A question that needs no tool, with the tools on offer."""
    after = rng.random() < 0.25
    if after:
        solve(writer, Question(rng))
    row = rng.choice([row for row in chat if "answer" in row] if rng.random() < 0.4 else chat)
    writer.user(row["user"])
    answer = f" Answer: {row['answer']}" if "answer" in row else ""
    writer.say(row["assistant"] + answer)
    if not after and rng.random() < 0.25:
        solve(writer, Question(rng))
    return writer.row("talk with tools")


class Mix(NamedTuple):
    """How many of each kind there are, as weights; and what is left out."""

    solver: float = 48
    verifier: float = 27
    correction: float = 8
    recovery: float = 5
    talk: float = 12
    short: float = 0.0
    """Share of the solver's and verifier's conversations that stop at the call."""
    chat_passes: int = 1
    """How often the chat rows are shown."""


def generate(seed: int, rows: int, mix: Mix = Mix()) -> Iterator[Row]:
    """`rows` conversations in random order, chat among them."""
    rng = random.Random(seed)
    chat_file = Path(__file__).with_name("chat.jsonl")
    chat = [json.loads(line) for line in chat_file.read_text(encoding="utf-8").splitlines()]
    solvers = [(solver.INSTRUCTIONS, tools) for tools in tool_lists(rng, CALCULATORS, 6)]
    verifiers = [(verifier.INSTRUCTIONS, tools) for tools in tool_lists(rng, CHECKERS, 4)]
    made = [row for _ in range(mix.chat_passes) for row in chat_rows(rng, chat)]
    kinds = rng.choices(
        (solver_row, verifier_row, correction_row, recovery_row, talk_row),
        weights=mix[:5],
        k=rows - len(made),
    )
    for kind in kinds:
        prompts = verifiers if kind is verifier_row else solvers
        writer = Writer(*rng.choice(prompts))
        row = kind(rng, writer, chat) if kind is talk_row else kind(rng, writer)
        # The verdict takes learning too: half as many of the verifier's conversations are cut.
        share = {solver_row: mix.short, verifier_row: mix.short / 2}.get(kind, 0.0)
        if rng.random() < share:
            writer.stop_at_call()
            row = writer.row(f"{row['kind']}, short")
        made.append(row)
    rng.shuffle(made)
    yield from made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1200)
    parser.add_argument(
        "--mix", type=float, nargs=6, default=Mix()[:6], metavar="N", help=" ".join(Mix._fields[:6])
    )
    parser.add_argument("--chat", type=int, default=1, help="times the chat rows are shown")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("rows.jsonl"))
    arguments = parser.parse_args()
    mix = Mix(*arguments.mix, chat_passes=arguments.chat)
    with arguments.out.open("w", encoding="utf-8") as out:
        for row in generate(arguments.seed, arguments.rows, mix):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
