"""The calculator with units: exact where definitions are, and plain about what cannot be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aworld.errors import ToolError
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.builtin.calculator import Calculator
from aworld.tools.quantities.evaluation import work_out
from aworld.tools.quantities.reading import read


async def calculate(expression: str) -> ToolResult:
    return await Calculator().run(ToolContext(), expression=expression)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("3 km + 200 m", "3.2 km"),
        ("5 mile in km", "8.04672 km"),
        ("5 miles to km", "8.04672 km"),
        ("5 mile -> km", "8.04672 km"),
        ("100 km/h * 90 min", "150 km"),
        ("100 km per h * 90 min", "150 km"),
        ("60 mile/hour in km/h", "96.56064 km/h"),
        ("60 km / 2 h", "30 km/h"),
        ("(1/2) km", "0.5 km"),
        ("1 km / 1 m", "1000"),
        ("1/3 * 1 m in cm", "33.333333… cm"),
        ("6 ft 2 in in cm", "187.96 cm"),
        ("12 in", "12 in"),
        ("12 in in cm", "30.48 cm"),
        ("1 h 30 min * 2", "3 h"),
        ("1 day 2 h 30 min in min", "1590 min"),
        ("90 km/h in m/s", "25 m/s"),
        ("5 kg * 9.81 m/s^2 in N", "49.05 N"),
        ("5 kg × 9.81 m/s² in N", "49.05 N"),
        ("1 N m in J", "1 J"),
        ("2 GB / (100 Mbit/s)", "160 s"),
        ("4.184 J/(g degC) * 100 g * 15 K in kJ", "6.276 kJ"),
        ("sqrt(16 m^2)", "4 m"),
        ("(2 m)^3 in L", "8000 L"),
        ("7 m // 200 cm", "3"),
        ("7 m % 200 cm", "1 m"),
        ("round(3.75 km, 1)", "3.8 km"),
        ("max(1 km, 900 m) - min(1 km, 900 m)", "0.1 km"),
        ("20% of 50 km", "10 km"),
        ("-5 m + 3 m", "-2 m"),
        ("60/min in Hz", "1 Hz"),
        ("1/s in Hz", "1 Hz"),
        ("1 kg/(m*s^2)", "1 kg/(m*s^2)"),
        ("1 eV in J", "0.0000000000000000001602176634 J"),
        ("37 °C in °F", "98.6 degF"),
        ("-40 degF to degC", "-40 degC"),
        ("0 K in degC", "-273.15 degC"),
        ("30 degC - 20 degC", "10 K"),
        ("180 degree in rad", "3.14159265358979 rad"),
        ("sin(30°)", "0.5"),
        ("90 deg + 0", "1.5707963267949"),
    ],
)
async def test_a_quantity_has_its_value_and_its_unit(expression: str, text: str) -> None:
    assert (await calculate(expression)).text == text


async def test_the_data_has_the_number_the_fraction_and_the_unit() -> None:
    assert (await calculate("5 mile in km")).data == {
        "value": 8.04672,
        "exact": "25146/3125",
        "unit": "km",
    }
    assert (await calculate("1 parsec in km")).data["exact"] is None


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("3 km + 2 s", "One side is a length, the other a time: those cannot be added"),
        ("3 km - 2", "a length, the other a plain number: those cannot be subtracted"),
        ("1 km in s", "cannot be given in 's': it is a length, and 's' measures a time"),
        ("1 km^2 in L", "it is an area, and 'L' measures a volume"),
        ("10 km in 3 h", "an operator is missing"),
        ("5 km in (3 m)", "without a number"),
        ("5 KM", "'KM' is not a number or a unit. Did you mean 'km'"),
        ("5 kilometr", "Did you mean 'kilometer'"),
        ("3 apples", "'apples' is not a number or a unit. Write km"),
        ("10 USD in EUR", "'USD' is a currency"),
        ("€5 + €6", "'€' is a currency"),
        ("1/2 km", r"may mean \(1/2\) km or 1/\(2 km\). Set parentheses"),
        ("5 m 2", "an operator is missing before '2'"),
        ("20 degC + 5 degC", "cannot be added to"),
        ("2 * 20 degC", "cannot be multiplied"),
        ("(20 degC)^2", "has no power"),
        ("7 degC // 2 degC", "cannot be divided"),
        ("60 rpm in Hz", "differ by an angle"),
        ("3 dB", "'dB' cannot be worked with"),
        ("2^(3 m)", "An exponent is a plain number, not m"),
        ("(2 m)^pi", "cannot be raised to 3.14"),
        ("5 m^100", "cannot be raised to 100"),
        ("(2 km)!", "A factorial is of a plain number"),
        ("exp(1 m)", "exp takes plain numbers, not a length"),
        ("5 m / 0 s", "Division by zero"),
        ("5 km == 5000 m", "a claim, not a calculation"),
        ("1e9000 km * 1e9000 km", "too large"),
        ("foo(1 km)", "no function 'foo'"),
        ("km(1, 2)", "'km' is no function"),
        ("km()", "'km' is no function"),
        ("min()", "takes 1 to 1000 numbers"),
        ("m " * 1900, "too many parts"),
    ],
)
async def test_what_has_no_value_says_why(expression: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        await calculate(expression)


amounts = st.fractions(min_value=-1000, max_value=1000, max_denominator=50)
lengths = st.sampled_from(["m", "km", "mile", "inch", "ft", "light_year", "nm"])


@settings(max_examples=60)
@given(amounts, lengths, lengths)
def test_there_and_back_again_is_exact(amount: Fraction, start: str, end: str) -> None:
    there = work_out(read(f"({amount}) {start} in {end}"))
    back = work_out(read(f"({there.value}) {end} in {start}"))
    assert back.value == amount


@settings(max_examples=150)
@given(st.text(alphabet="0123 kmsh/*+-^().%°Cin", max_size=25))
def test_any_text_gives_a_quantity_or_a_reason(text: str) -> None:
    try:
        found = work_out(read(text))
    except ToolError as error:
        assert str(error)
    else:
        assert isinstance(found.value, Fraction | float)
