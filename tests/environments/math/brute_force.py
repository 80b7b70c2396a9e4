"""The AIME-style problems by brute force: each by going through all cases, not by an idea."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from fractions import Fraction


def _digits(number: int) -> int:
    return sum(map(int, str(number)))


def residues_of_seven() -> int:
    return sum((n * n + n + 1) % 7 == 0 for n in range(1, 1001))


def factorial_sum() -> int:
    return sum(k * math.factorial(k) for k in range(1, 101)) % 1000


def palindromes_by_eleven() -> int:
    return sum(str(n) == str(n)[::-1] and n % 11 == 0 and n % 3 > 0 for n in range(10**4, 10**5))


def tilted_squares() -> int:
    def is_square(four: tuple[tuple[int, int], ...]) -> bool:
        lengths = sorted(
            (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in itertools.combinations(four, 2)
        )
        return lengths[0] == lengths[3] and lengths[4] == lengths[5] == 2 * lengths[0]

    points = [(x, y) for x in range(6) for y in range(6)]
    return sum(map(is_square, itertools.combinations(points, 4)))


def square_products() -> int:
    rolls = list(itertools.product(range(1, 7), repeat=4))
    good = sum(math.isqrt(math.prod(roll)) ** 2 == math.prod(roll) for roll in rolls)
    chance = Fraction(good, len(rolls))
    return chance.numerator + chance.denominator


def egyptian_pairs() -> int:
    return sum(60 * x % (x - 60) == 0 for x in range(61, 3661))


def trailing_zeros() -> int:
    def zeros(number: int) -> int:
        text = str(number)
        return len(text) - len(text.rstrip("0"))

    return next(n for n in itertools.count(1) if zeros(math.factorial(n)) == 40)


def sparse_subsets() -> int:
    masks = [mask for mask in range(1 << 12) if not mask & mask << 1]
    return sum(sum(i + 1 for i in range(12) if mask >> i & 1) % 5 == 0 for mask in masks)


def doubled_digits() -> int:
    return sum(_digits(2 * n) == _digits(n) for n in range(1, 1000))


def signed_recurrence() -> int:
    terms = [0, 1, 2]
    for n in range(1, 2025):
        terms.append(3 * terms[n + 1] - terms[n] + (-1) ** n)
    return terms[2026] % 1000


def domino_strip() -> int:
    @functools.cache
    def ways(covered: int) -> int:
        free = next((cell for cell in range(30) if not covered >> cell & 1), None)
        if free is None:
            return 1
        found = 0
        if free + 3 < 30 and not covered >> (free + 3) & 1:
            found += ways(covered | 1 << free | 1 << free + 3)
        if free % 3 < 2 and not covered >> (free + 1) & 1:
            found += ways(covered | 1 << free | 1 << free + 1)
        return found

    return ways(0)


def stamp_values() -> int:
    possible = {17 * a + 23 * b + 41 * c for a in range(60) for b in range(45) for c in range(26)}
    return max(value for value in range(1000) if value not in possible)


def near_permutations() -> int:
    orders = itertools.permutations(range(8))
    return sum(all(abs(p - i) <= 2 for i, p in enumerate(order)) for order in orders)


def small_coefficients() -> int:
    @functools.cache
    def ways(rest: int) -> int:
        # The constant term, then the same for the rest of the polynomial at 2.
        if rest == 0:
            return 1
        return sum(ways((rest - c) // 2) for c in range(4) if c <= rest and (rest - c) % 2 == 0)

    return ways(1000)


def heronian_perimeter() -> int:
    total = 0
    for a, b in itertools.combinations_with_replacement(range(1, 36), 2):
        c = 36 - a - b
        if c < b or a + b <= c:
            continue
        squared = 18 * (18 - a) * (18 - b) * (18 - c)
        if math.isqrt(squared) ** 2 == squared:
            total += math.isqrt(squared)
    return total


def obtuse_choices() -> int:
    return sum(
        max(b - a, c - b, 20 - c + a) > 10 for a, b, c in itertools.combinations(range(20), 3)
    )


def power_tower() -> int:
    value = 1
    for _ in range(7**7):
        value = value * 7 % 1000
    return value


def ant_on_a_cube() -> int:
    ends = []
    for walk in itertools.product((1, 2, 4), repeat=6):
        ends.append(functools.reduce(lambda vertex, edge: vertex ^ edge, walk, 0))
    return ends.count(0)


def points_in_a_disc() -> int:
    return sum(x * x + y * y <= 300 for x in range(-18, 19) for y in range(-18, 19))


def square_values() -> int:
    # Beyond this n the value lies between the squares of n + 47 and n + 48.
    values = {n: n * n + 95 * n + 2026 for n in range(1, 10_000)}
    return sum(n for n, value in values.items() if math.isqrt(value) ** 2 == value)


def last_marble() -> int:
    orders = list(itertools.combinations(range(12), 5))
    mean = Fraction(sum(11 - reds[-1] for reds in orders), len(orders))
    return mean.numerator + mean.denominator


def no_three_equal() -> int:
    words = map("".join, itertools.product("AB", repeat=12))
    return sum("AAA" not in word and "BBB" not in word for word in words)


def common_measures() -> int:
    return sum(
        math.gcd(m, n) + math.lcm(m, n) == m + n + 30 for m in range(1, 200) for n in range(1, 200)
    )


def nested_floors() -> int:
    # The value only changes where 4x is whole.
    values = {q // 4 + q // 2 + q for q in range(1200)}
    return len(values & set(range(1, 1000)))


ANSWERS: dict[str, Callable[[], int]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        residues_of_seven,
        factorial_sum,
        palindromes_by_eleven,
        tilted_squares,
        square_products,
        egyptian_pairs,
        trailing_zeros,
        sparse_subsets,
        doubled_digits,
        signed_recurrence,
        domino_strip,
        stamp_values,
        near_permutations,
        small_coefficients,
        heronian_perimeter,
        obtuse_choices,
        power_tower,
        ant_on_a_cube,
        points_in_a_disc,
        square_values,
        last_marble,
        no_three_equal,
        common_measures,
        nested_floors,
    )
}
"""By the problem's id."""
