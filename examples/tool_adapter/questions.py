"""The training questions: a phrasing, numbers that are not the demo's, and what comes out."""

from __future__ import annotations

import random
from fractions import Fraction

from phrasings import EXPRESSIONS, GROUPS, NAMES, PHRASINGS, THINGS

from aworld.environments.math import word_problems
from aworld.tools.expressions.arithmetic import evaluate
from aworld.tools.expressions.numbers import write
from aworld.tools.expressions.parser import parse

WEIGHTS = {
    "sum": 3,
    "difference": 5,
    "product": 3,
    "quotient": 5,
    "product_plus": 3,
    "product_minus": 6,
    "sum_minus": 4,
    "quotient_plus": 2,
}
"""How often the demo's families are drawn: the harder, the more often."""


def value_of(expression: str) -> Fraction:
    """What the product's own calculator makes of an expression without functions."""
    value = evaluate(parse(expression))
    assert isinstance(value, Fraction)
    return value


class Question:
    """A training question: its text, the expression and the result."""

    def __init__(self, rng: random.Random) -> None:
        extra = rng.random() < 0.1
        weights = dict.fromkeys(EXPRESSIONS, 1) if extra else WEIGHTS
        (family,) = rng.choices([*weights], [*weights.values()])
        numbers = self._numbers(rng, family)
        slots = dict(zip("abc", numbers, strict=False))
        commas = rng.random() < 0.07
        shown = {key: f"{number:,}" if commas else number for key, number in slots.items()}
        things = rng.sample(THINGS, 2)
        self.text = rng.choice(PHRASINGS[family]).format(
            name=rng.choice(NAMES), x=things[0], y=things[1], g=rng.choice(GROUPS), **shown
        )
        if rng.random() < 0.06:
            self.text = self.text.lower().rstrip("?.")
        form = (EXPRESSIONS | word_problems.EXPRESSIONS)[family]
        self.expression = form.format(**slots)
        self.result = write(value_of(self.expression))

    def _numbers(self, rng: random.Random, family: str) -> tuple[int, ...]:
        while True:
            if family in EXPRESSIONS:
                numbers = extra_numbers(rng, family)
            else:
                numbers = word_problems.draw_numbers(rng, family)
                if rng.random() < 0.1:  # small numbers are asked for too
                    numbers = tuple(rng.randint(2, 12) for _ in numbers)
                if word_problems.evaluate(family, numbers) is None and rng.random() < 0.9:
                    continue
            if not word_problems.is_reserved(numbers):
                return numbers

    @property
    def sentence(self) -> str:
        return f"{self.expression} = {self.result}. Answer: {self.result}"


def extra_numbers(rng: random.Random, family: str) -> tuple[int, ...]:
    """Operands of a family that the demo does not ask."""
    few, many, more = rng.randint(11, 99), rng.randint(11, 999), rng.randint(11, 999)
    return {
        "sum_times": (many, more, few),
        "difference_shared": (few * many + more, more, few),
        "sum_of_three": (many, more, rng.randint(10, 9999)),
        "product_of_three": (few, rng.randint(2, 99), rng.randint(2, 20)),
        "percent": (rng.randint(1, 99), rng.choice((10, 100, 7)) * rng.randint(2, 99)),
        "square": (many,),
    }[family]


def wrong_result(rng: random.Random, question: Question) -> str:
    """A number that is near, or shaped like, the result, and is not it."""
    right = value_of(question.expression)
    while True:
        number = round(right)
        digits = list(str(abs(number)))
        place = rng.randrange(len(digits))
        digits[place] = rng.choice("0123456789")
        guess = rng.choice(
            (
                number + rng.choice((-1, 1)) * rng.choice((1, 2, 10, 100, rng.randint(1, 99))),
                int("".join(digits)),
                number * 10,
                rng.randint(10, 99_999),
            )
        )
        if guess != right and guess >= 0:
            return str(guess)
