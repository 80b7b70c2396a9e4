"""Arithmetic questions for the demo and for measuring: one or two operations, told in words.

Every phrasing here, and every set of numbers, is kept out of the training of the local model's
adapter (`examples/tool_adapter`), so a right answer is not a remembered one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """One question and its only right answer."""

    question: str
    answer: str
    """A whole number in digits, without separators."""
    family: str
    """Which operations it takes: a key of `PHRASINGS`."""
    expression: str
    """The calculation as a calculator reads it."""


EXPRESSIONS = {
    "sum": "{a}+{b}",
    "difference": "{a}-{b}",
    "product": "{a}*{b}",
    "quotient": "{a}/{b}",
    "product_plus": "{a}*{b}+{c}",
    "product_minus": "{a}*{b}-{c}",
    "sum_minus": "{a}+{b}-{c}",
    "quotient_plus": "{a}/{b}+{c}",
}

PHRASINGS = {
    "sum": (
        "How much is {a} plus {b}?",
        "On Monday the museum had {a} visitors and on Tuesday it had {b}. "
        "How many visitors came on the two days together?",
        "{name} walked {a} steps before lunch and {b} steps after it. "
        "How many steps did {name} walk in total?",
    ),
    "difference": (
        "How much is {a} minus {b}?",
        "A water tank held {a} litres and {b} litres were used. How many litres are left?",
        "{name} had {a} stamps and gave away {b} of them. How many stamps does {name} still have?",
    ),
    "product": (
        "How much is {a} times {b}?",
        "A library has {a} shelves with {b} books on each shelf. "
        "How many books does the library have?",
    ),
    "quotient": (
        "How much is {a} divided by {b}?",
        "{a} pencils are divided equally among {b} students. "
        "How many pencils does each student get?",
    ),
    "product_plus": (
        "How much is {a} times {b} plus {c}?",
        "A cinema has {a} rows with {b} seats in each row, and {c} extra chairs. "
        "How many seats are there in all?",
        "{name} bought {a} bags with {b} marbles in each bag and found {c} more marbles. "
        "How many marbles does {name} have now?",
    ),
    "product_minus": (
        "How much is {a} times {b} minus {c}?",
        "{name} printed {a} booklets of {b} pages each and then threw away {c} pages. "
        "How many pages are left?",
    ),
    "sum_minus": (
        "How much is {a} plus {b} minus {c}?",
        "A bus company had {a} tickets, printed {b} more and sold {c}. "
        "How many tickets does it have now?",
        "{name} saved {a} coins, got {b} coins as a gift and spent {c} coins. "
        "How many coins does {name} have left?",
    ),
    "quotient_plus": ("How much is {a} divided by {b} plus {c}?",),
}

NAMES = ("Ada", "Bruno", "Chiara", "Dmitri", "Esra", "Farid", "Greta", "Hiroshi", "Ines", "Jonas")


def is_reserved(numbers: Sequence[int]) -> bool:
    """Whether these operands are the demo's: a fifth of all are, and training uses the rest."""
    return sum(numbers) % 5 == 0


def evaluate(family: str, numbers: Sequence[int]) -> int | None:
    """The answer, or None where it is no positive whole number."""
    a, b, c = (*numbers, 0, 0)[:3]
    if family in ("quotient", "quotient_plus"):
        return a // b + c if a % b == 0 else None
    value = {
        "sum": a + b,
        "difference": a - b,
        "product": a * b,
        "product_plus": a * b + c,
        "product_minus": a * b - c,
        "sum_minus": a + b - c,
    }[family]
    return value if value > 0 else None


def draw_numbers(rng: random.Random, family: str) -> tuple[int, ...]:
    """Operands of two to five digits, as many as the family takes."""
    few, many = rng.randint(11, 99), rng.choice((rng.randint(11, 99), rng.randint(100, 999)))
    large = rng.choice((rng.randint(10, 99), rng.randint(100, 999), rng.randint(1000, 9999)))
    larger = large + rng.choice((rng.randint(10, 999), rng.randint(1000, 89_999)))
    match family:
        case "sum":
            return (large, larger) if rng.random() < 0.5 else (larger, large)
        case "difference":
            return (larger, large)
        case "product":
            return (many, few) if rng.random() < 0.5 else (few, many)
        case "quotient":
            return (few * many, few)
        case "product_plus" | "product_minus":
            return (few, many, rng.randint(11, few * many - 1))
        case "sum_minus":
            return (larger, large, rng.randint(11, larger))
        case "quotient_plus":
            return (few * many, few, rng.randint(11, 999))
    raise ValueError(f"There is no family {family!r}; families: {', '.join(EXPRESSIONS)}.")


def draw(seed: int, n: int) -> list[Problem]:
    """`n` different questions, the same ones for the same seed."""
    rng = random.Random(seed)
    problems: dict[str, Problem] = {}
    while len(problems) < n:
        family = rng.choice(tuple(EXPRESSIONS))
        numbers = draw_numbers(rng, family)
        answer = evaluate(family, numbers)
        if answer is None or not is_reserved(numbers):
            continue
        slots = dict(zip("abc", numbers, strict=False))
        question = rng.choice(PHRASINGS[family]).format(name=rng.choice(NAMES), **slots)
        expression = EXPRESSIONS[family].format(**slots)
        problems[question] = Problem(question, str(answer), family, expression)
    return list(problems.values())
