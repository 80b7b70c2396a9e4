"""The calculator: exact, forgiving about signs, and impossible to run code with."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aworld.errors import ToolError
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.builtin.calculator import Calculator
from aworld.tools.expressions.arithmetic import evaluate
from aworld.tools.expressions.numbers import write
from aworld.tools.expressions.parser import parse


async def calculate(expression: str) -> ToolResult:
    return await Calculator().run(ToolContext(), expression=expression)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("23*47", "1081"),
        ("0.1 + 0.2", "0.3"),
        ("1/4", "0.25"),
        ("2**10", "1024"),
        ("2^10", "1024"),
        ("-2**2", "-4"),
        ("2**-1", "0.5"),
        ("2**3**2", "512"),
        ("7 // 2", "3"),
        ("-7 // 2", "-4"),
        ("7 % 3", "1"),
        ("20% of 50", "10"),
        ("3 × 4 ÷ 2 − 1", "5"),
        ("（1＋2）×3", "9"),
        ("3² + 2⁻¹", "9.5"),
        ("√16 + sqrt(9)", "7"),
        ("4**0.5", "2"),
        ("(-8)**(1/3)", "-2"),
        ("5!", "120"),
        ("2(3+4)", "14"),
        ("1,234,567 + 1", "1234568"),
        ("min(1,200)", "1"),
        ("max(3, 7/2)", "3.5"),
        ("abs(-3) + floor(2.7) + ceil(2.1)", "8"),
        ("round(2.567, 2)", "2.57"),
        ("log(8, 2) + log10(1000)", "6"),
        ("gcd(12, 18) * comb(5, 2)", "60"),
        ("2pi", "6.28318530717959"),
        ("sqrt(2)**2", "2"),
        ("100/7", "14.285714…"),
        ("1/3000000", "0.000000333333…"),
        ("1e-40", "1e-40"),
        ("1/3e5000", "3.33333…e-5001"),
        ("-1/3", "-0.333333…"),
        ("12345678901234567890 * 10", "123456789012345678900"),
    ],
)
async def test_an_expression_has_its_value(expression: str, text: str) -> None:
    assert (await calculate(expression)).text == text


async def test_a_fraction_that_never_ends_is_exact_in_the_data() -> None:
    assert await calculate("1/3") == ToolResult("0.333333…", data={"value": 1 / 3, "exact": "1/3"})


async def test_a_long_result_is_shortened_and_says_how_long_it_is() -> None:
    result = await calculate("3000!")
    assert result.text == "4.14935960343…e+9130 (9131 digits)"
    assert result.data == {"value": None, "exact": None}


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("1/0", "Division by zero"),
        ("0**-1", "Division by zero"),
        ("5 % 0", "Division by zero"),
        ("9**9**9", "too large"),
        ("2**(10**12)", "too large"),
        ("10**9000 * 10**9000", "too large"),
        ("(10**9)!", "too large"),
        ("exp(10**6)", "no value"),
        ("10.5**40000", "too large"),
        ("1e999999999", "too large"),
        ("sqrt(-1)", "no real root"),
        ("(-2)**0.3", "no real"),
        ("log(0)", "above 0"),
        ("asin(2)", "no value"),
        ("x + 1", "'x' is not a number"),
        ("foo(1)", "no function 'foo'"),
        ("max()", "takes 1 to 1000 numbers, not 0"),
        ("(1 + 2", "closing parenthesis"),
        ("1 +", "number is missing"),
        ("1 2", "operator is missing"),
        ("", "number is missing"),
        ("5 % -3", "percent or remainder"),
        ("23*47 == 1081", "a claim, not a calculation"),
        ("__import__('os').system('ls')", "means nothing here"),
        ("(1).__class__", "means nothing here"),
        ("(" * 1000, "nests too deeply"),
        ("-" * 1000 + "1", "nests too deeply"),
        ("1+" * 3000 + "1", "at most 4000"),
        ("1+" * 1900 + "1", "too many parts"),
    ],
)
async def test_what_has_no_value_is_refused_with_the_reason(expression: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        await calculate(expression)


numbers = st.fractions(min_value=-1000, max_value=1000, max_denominator=50)


@given(numbers, numbers, st.sampled_from("+-*/"))
def test_the_four_operations_are_those_of_fractions(
    left: Fraction, right: Fraction, operator: str
) -> None:
    if operator == "/" and right == 0:
        right = Fraction(1)
    work = {"+": left + right, "-": left - right, "*": left * right, "/": left / (right or 1)}
    assert evaluate(parse(f"({left}) {operator} ({right})")) == work[operator]


@given(st.fractions(max_denominator=10**6))
def test_a_written_number_is_cut_off_and_never_rounded_up(value: Fraction) -> None:
    text = write(value)
    shown = Fraction(text.rstrip("…"))
    if text.endswith("…"):
        assert 0 < abs(value) - abs(shown) < Fraction(1, 10**6)
    else:
        assert shown == value


@given(st.text(max_size=60))
def test_any_text_gives_a_number_or_a_reason(text: str) -> None:
    try:
        value = evaluate(parse(text))
    except ToolError as error:
        assert str(error)
    else:
        assert write(value)
