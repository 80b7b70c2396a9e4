"""The examination: questions that neither the adapter's training nor the demo's generator knows.

The operations are the demo's eight, the numbers are drawn as the demo draws them and are kept out
of the training by the same rule; wordings, people and settings are only here. They were written
before any answer to them was seen. The last three are of another origin: the demo asked them once,
and lost them because the adapter got them wrong.
"""

from __future__ import annotations

import random

from aworld.environments.math.word_problems import (
    EXPRESSIONS,
    Problem,
    draw_numbers,
    evaluate,
    is_reserved,
)

PHRASINGS: dict[str, tuple[str, ...]] = {
    "sum": (
        "Please find {a} plus {b}.",
        "Which number do you get if you add {b} to {a}?",
        "An orchestra sold {a} seats online and {b} at the door. How many seats were sold?",
        "{name} typed {a} words yesterday and {b} words today. "
        "How many words has {name} typed in both days?",
        "In the first hour {a} cars crossed the bridge, in the next hour {b}. "
        "How many cars crossed it in these two hours?",
    ),
    "difference": (
        "Please find {a} minus {b}.",
        "Which number do you get if you take {b} from {a}?",
        "A stadium has {a} places and {b} of them are reserved. How many places are not reserved?",
        "{name} wants to swim {a} metres and has swum {b} metres. How many metres are still to go?",
        "A nursery grew {a} seedlings, but frost killed {b}. How many seedlings survived?",
    ),
    "product": (
        "Please find {a} times {b}.",
        "Which number do you get if you multiply {a} by {b}?",
        "A hotel has {a} corridors with {b} doors in each corridor. How many doors are there?",
        "{name} cycles {a} kilometres every week. How many kilometres does {name} cycle in {b} "
        "weeks?",
        "A pack of paper weighs {a} grams. How many grams do {b} such packs weigh?",
    ),
    "quotient": (
        "Please find {a} divided by {b}.",
        "Which number do you get if you divide {a} by {b}?",
        "{a} sweets are handed out equally to {b} dancers. How many sweets does each dancer get?",
        "{name} pays {a} dollars back in {b} equal instalments. How many dollars is one "
        "instalment?",
        "A machine filled {a} tubes during {b} hours. How many tubes did it fill per hour?",
    ),
    "product_plus": (
        "Please find {a} times {b} plus {c}.",
        "Which number do you get if you multiply {a} by {b} and then add {c}?",
        "A car park has {a} levels with {b} spaces on each level, and {c} spaces outside. "
        "How many spaces are there altogether?",
        "{name} wrote {a} notebooks with {b} poems each and {c} poems on loose sheets. "
        "How many poems did {name} write?",
        "A choir gave {a} concerts with {b} songs each, and sang {c} songs at a wedding. "
        "How many songs did it sing in total?",
    ),
    "product_minus": (
        "Please find {a} times {b} minus {c}.",
        "Which number do you get if you multiply {a} by {b} and then subtract {c}?",
        "A theatre has {a} balconies with {b} seats each. {c} seats are being repaired. "
        "How many seats can be used?",
        "{name} knitted {a} scarves with {b} stripes each and later removed {c} stripes. "
        "How many stripes are left?",
        "A forester planted {a} rows of {b} oaks, and a storm felled {c} oaks. "
        "How many oaks are still standing?",
    ),
    "sum_minus": (
        "Please find {a} plus {b} minus {c}.",
        "Which number do you get if you add {a} and {b} and then subtract {c}?",
        "A parking garage held {a} scooters. {b} scooters drove in and {c} drove out. "
        "How many scooters are inside now?",
        "{name} had {a} followers, won {b} new followers and lost {c} followers. "
        "How many followers does {name} have now?",
        "A silo held {a} tonnes of wheat. {b} tonnes were added and {c} tonnes were taken out. "
        "How many tonnes does it hold now?",
    ),
    "quotient_plus": (
        "Please find {a} divided by {b} plus {c}.",
        "Which number do you get if you divide {a} by {b} and then add {c}?",
        "An office lays {a} brochures evenly on {b} desks, each of which already had {c} "
        "brochures. How many brochures does a desk have now?",
    ),
}

DROPPED = {
    "product": "{name} bakes {a} cakes every day. How many cakes does {name} bake in {b} days?",
    "quotient": "{name} packs {a} eggs into boxes of {b}. How many boxes are needed?",
    "product_minus": "A shop received {a} crates with {b} oranges in each crate, "
    "but {c} oranges were rotten. How many good oranges are there?",
}
"""What the demo asked once; drawn as often as any other phrasing of the family."""

NAMES = ("Amara", "Bogdan", "Celeste", "Dario", "Freya", "Goran", "Ilse", "Kenji", "Lucia", "Mateo")


def phrasings_of(family: str) -> tuple[str, ...]:
    """All wordings of a family, the dropped one among them."""
    dropped = DROPPED.get(family)
    return PHRASINGS[family] + ((dropped,) if dropped else ())


def draw(seed: int, n: int) -> list[Problem]:
    """`n` different questions, the same ones for the same seed; families equally often."""
    rng = random.Random(seed)
    problems: dict[str, Problem] = {}
    while len(problems) < n:
        family = rng.choice(tuple(EXPRESSIONS))
        numbers = draw_numbers(rng, family)
        answer = evaluate(family, numbers)
        if answer is None or not is_reserved(numbers):
            continue
        slots = dict(zip("abc", numbers, strict=False))
        question = rng.choice(phrasings_of(family)).format(name=rng.choice(NAMES), **slots)
        expression = EXPRESSIONS[family].format(**slots)
        problems[question] = Problem(question, str(answer), family, expression)
    return list(problems.values())
