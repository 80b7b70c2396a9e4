"""Units as agents write them, and when two of them measure the same."""

from __future__ import annotations

import functools
import re
from fractions import Fraction
from typing import NamedTuple

from aworld.tools.quantities.units import Dimension, find_unit

_SPELLINGS = {
    "m": "m metre metres meter meters 米",
    "km": "km kilometre kilometres kilometer kilometers 公里 千米",
    "cm": "cm centimetre centimetres centimeter centimeters 厘米",
    "mm": "mm millimetre millimetres millimeter millimeters 毫米",
    "mile": "mi mile miles 英里",
    "foot": "ft foot feet",
    "inch": "inch inches",
    "yard": "yd yard yards",
    "kg": "kg kilo kilos kilogram kilograms 公斤 千克",
    "g": "g gram grams gramme grammes 克",
    "mg": "mg milligram milligrams",
    "pound": "lb lbs pound pounds",
    "ounce": "oz ounce ounces",
    "tonne": "tonne tonnes 吨",
    "s": "s sec secs second seconds 秒",
    "ms": "ms millisecond milliseconds",
    "minute": "min mins minute minutes 分钟",
    "hour": "h hr hrs hour hours 小时",
    "day": "day days 天",
    "week": "week weeks 周",
    "degC": "°C ℃ C C° celsius Celsius 摄氏度",
    "degF": "°F ℉ F fahrenheit Fahrenheit 华氏度",
    "kelvin": "kelvin",
    "litre": "l L litre litres liter liters 升",
    "ml": "ml mL millilitre millilitres milliliter milliliters",
    "kB": "kB KB kilobyte kilobytes",
    "MB": "MB megabyte megabytes",
    "GB": "GB gigabyte gigabytes",
    "watt": "W watt watts",
    "kW": "kW kilowatt kilowatts",
    "volt": "V volt volts",
}
_COMPOUND = {
    "km/h": ({"km": 1, "hour": -1}, "km/h kph kmh 公里/小时"),
    "m/s": ({"m": 1, "s": -1}, "m/s 米/秒"),
    "mph": ({"mile": 1, "hour": -1}, "mph"),
    "m²": ({"m": 2}, "m² m^2 sqm square_metre square_metres square_meter square_meters 平方米"),
    "km²": (
        {"km": 2},
        "km² km^2 square_kilometre square_kilometres square_kilometer square_kilometers 平方公里",
    ),
    "m³": ({"m": 3}, "m³ m^3 cubic_metre cubic_metres cubic_meter cubic_meters 立方米"),
}
_MONEY = {
    "USD": "$ US$ USD dollar dollars 美元",
    "EUR": "€ EUR euro euros 欧元",
    "GBP": "£ GBP",
    "CNY": "¥ CNY RMB yuan 元 人民币",
    "JPY": "JPY yen 日元",
    "INR": "₹ INR rupee rupees",
}
PERCENT = "%"
_SHARE = "% percent per_cent ％"

NAMES: dict[str, str] = {
    spelling.replace("_", " "): name
    for name, spellings in (
        *_SPELLINGS.items(),
        *((name, spellings) for name, (_, spellings) in _COMPOUND.items()),
        *_MONEY.items(),
        (PERCENT, _SHARE),
    )
    for spelling in spellings.split()
}
"""The name of a unit by each of its spellings."""

CURRENCY_SIGNS = r"(?:US\$|[$€£¥₹])"


def _pattern() -> re.Pattern[str]:
    ordered = sorted(NAMES, key=len, reverse=True)
    words = [re.escape(name) for name in ordered if name[-1].isascii() and name[-1].isalnum()]
    signs = [re.escape(name) for name in ordered if not (name[-1].isascii() and name[-1].isalnum())]
    prefix = r"(?:degrees? )?"
    return re.compile(
        rf"[ \u00a0-]?{prefix}(?P<unit>(?:{'|'.join(words)})(?![\w/^²³'+])|(?:{'|'.join(signs)}))"
    )


FOLLOWING = _pattern()
"""A unit right behind a number, its spelling in the group `unit`."""


class Scale(NamedTuple):
    """How a unit turns into base units: `value * factor + offset`."""

    kind: Dimension | str
    """The dimension, or the currency's name."""
    factor: float
    offset: float


@functools.cache
def scale(name: str) -> Scale:
    """The scale of a unit of `NAMES`. The first one that is no money loads Pint (a second)."""
    if name in _MONEY or name == PERCENT:
        return Scale(name, 1.0, 0.0)
    powers = _COMPOUND[name][0] if name in _COMPOUND else {name: 1}
    factor, offset, total = 1.0, 0.0, dict[str, Fraction]()
    for part, power in powers.items():
        unit = find_unit(part)
        factor *= float(unit.factor) ** power
        offset += float(unit.offset)
        for dimension, own in unit.dimension:
            total[dimension] = total.get(dimension, Fraction(0)) + own * power
    kind = tuple(sorted((dimension, power) for dimension, power in total.items() if power))
    return Scale(kind, factor, offset)


def known(name: str) -> bool:
    """Whether `scale` takes the name."""
    return name in _SPELLINGS or name in _COMPOUND or name in _MONEY or name == PERCENT


def sums(name: str) -> bool:
    """Whether several of them may stand for one quantity, as in `1 h 59 min` or `6 ft 2 inches`."""
    return name in {"hour", "minute", "s", "day", "week", "foot", "inch", "pound", "ounce"}
