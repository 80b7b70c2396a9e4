"""Claims about all or some numbers: decided surely, or said to be open; never guessed."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aworld.errors import ToolError
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.builtin.logic_check import LogicCheck
from aworld.tools.expressions import integer_claims
from aworld.tools.expressions.integer_claims import check_all
from aworld.tools.expressions.parser import parse


async def check(claim: str) -> ToolResult:
    return await LogicCheck().run(ToolContext(), claim=claim)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("for all integers n: n*(n+1) % 2 == 0", "true"),
        ("for all integers n: even(n^2 + n)", "true"),
        ("For every integer n, odd(n^2) iff odd(n).", "true"),
        ("for all n in Z: n^2 >= n", "true"),
        ("∀ n ∈ ℤ: (n^2 % 4 == 0) or (n^2 % 4 == 1)", "true"),
        ("for all integers n: n^5 % 5 == n % 5", "true"),
        ("for all integers n: divides(6, n^3 - n)", "true"),
        ("for all integers a, b: (a^2 + b^2) % 4 != 3", "true"),
        ("for all integers a: for all integers b: (a^2 + b^2) % 4 != 3", "true"),
        ("for all integers n != 0: n^2 > 0", "true"),
        ("for all positive integers n, n >= 1", "true"),
        ("for all natural numbers n: n^3 - n >= 0", "true"),
        ("for all integers n: n^3 - n >= 0", "false: not for n = -1002"),
        ("for all integers n: n^2 - 79*n + 1601 > 0", "true"),
        ("for all n in 1..39: is_prime(n^2 + n + 41)", "true"),
        ("for all n in 1..40: is_prime(n^2 + n + 41)", "false: not for n = 40"),
        ("exists n in {2, 3, 5}: n^2 == 9", "true: for n = 3"),
        ("there exists an integer n such that n^3 - n == 6", "true: for n = 2"),
        ("exists integer n: n^3 > 1000*n^2", "true: for n = 1001"),
        ("exists integer x: x^2 == 2", "false: there is none"),
        ("exists integers x, y: 6x + 9y == 5", "false: there is no solution even modulo 3"),
        (
            "exists integers x, y: x^2 + y^2 == 4*x*y + 3",
            "false: there is no solution even modulo 4",
        ),
        ("is_prime(97) and not is_prime(91)", "true"),
        ("is_prime(2^61 - 1)", "true"),
        ("prime(561)", "false: prime(561) is not so"),
        ("divides(7, 91)", "true"),
    ],
)
async def test_what_can_be_decided_without_algebra(claim: str, text: str) -> None:
    said = (await check(claim)).text
    assert said == text or (text.startswith("false: not for n = -") and said.startswith(text[:-4]))


async def test_what_algebra_decides() -> None:
    wanted = {
        "for all integers a, b: a^2 + b^2 >= 2*a*b": "true",
        "for all real x: x^2 >= x": "false: not for x = 1/2",
        "exists x: x^2 == 2": "true: for x = -sqrt(2)",
        "exists real x > 0: x^2 < 0": "false: there is none",
    }
    found = await asyncio.gather(*map(check, wanted))
    assert {claim: one.text for claim, one in zip(wanted, found, strict=True)} == wanted


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("for all integers n >= 5: 2^n > n^2", "no number near 0 settles it"),
        ("for all n in 1..10: 1/(n-5) < 2", "could not be decided for n = 5: Division by zero"),
        ("for all n: exists m: m > n", "'for all' and 'exists' together"),
        ("for all integers n: n + k > 0", "Nothing is said about 'k'"),
        ("for all integers n: foo(n) > 1", "no function 'foo'"),
        ("for all n in {1, x}: n > 0", "no whole number"),
        ("for all n in 1..10000000: n > 0", "At most 100000 numbers"),
        ("for all a, b, c in 1..1000: a > 0", "more than 200000 cases"),
        ("for all real x: is_prime(x)", "asks about whole numbers"),
        ("for all a, b, c, d, f, g, h, i, j: a > 0", "about 8 numbers, this one has 9"),
        ("for all n" + " " * 3000 + "x", "cannot be read"),
        ("for all n: " + "n > 0 and " * 1000 + "n > 1", "may have 4000 characters"),
        ("even(n)", "Say for which n it is claimed"),
        ("even(1/2)", "takes 1 whole number"),
        ("is_prime(10^40)", "so large a number"),
        ("for all integers n: n + 1", "'n \\+ 1' is not a claim"),
        ("for all integers n:", "number is missing|cannot be read|means nothing"),
    ],
)
async def test_what_is_open_or_wrong_is_said_to_be_so(claim: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        await check(claim)


async def test_trying_numbers_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integer_claims, "SECONDS", 0.0)
    with pytest.raises(ToolError, match="because there was no time"):
        await check("for all n in 1..100: n > 0")


coefficients = st.integers(min_value=-9, max_value=9)
signs = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])


@settings(max_examples=60, deadline=None)
@given(coefficients, coefficients, coefficients, signs, st.integers(1, 6), st.integers(0, 5), signs)
def test_decisions_agree_with_trying(
    a: int, b: int, c: int, sign: str, modulus: int, rest: int, second: str
) -> None:
    text = f"({a})*n^2 + ({b})*n + ({c}) {sign} 0 or (n^2 + {a}) % {modulus} {second} {rest}"
    answer = check_all(parse(text), ["n"], text)

    def true_at(n: int) -> bool:
        value = a * n * n + b * n + c
        return bool(eval(f"{value} {sign} 0 or {(n * n + a) % modulus} {second} {rest}"))

    assert answer.holds is all(true_at(n) for n in range(-60, 61))
    if answer.against is not None:
        assert not true_at(answer.against["n"])
