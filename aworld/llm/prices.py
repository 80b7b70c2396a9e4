"""What tokens cost. Only prices that a user gave are used: an unknown price is None, never 0."""

from __future__ import annotations

import math

import msgspec

from aworld.errors import ConfigurationError
from aworld.llm.base import Usage

_MILLION = 1_000_000


class Price(msgspec.Struct, frozen=True, omit_defaults=True):
    """USD for a million tokens."""

    input: float
    output: float
    cached_input: float | None = None
    """Input tokens that the provider had in its cache; None means they cost as much as others."""
    cache_write: float | None = None
    """Input tokens that the provider put into its cache; None means they cost as much as others."""

    def cost(self, usage: Usage) -> float:
        """USD of one call."""
        cached_price = self.input if self.cached_input is None else self.cached_input
        write_price = self.input if self.cache_write is None else self.cache_write
        fresh = max(0, usage.input - usage.cached_input - usage.cache_write)
        total = fresh * self.input + usage.cached_input * cached_price
        total += usage.cache_write * write_price + usage.output * self.output
        return total / _MILLION


def price_from(value: object) -> Price | None:
    """Read a price as it stands in a model connection, or nothing: `{input, output,
    cached_input?, cache_write?}`.

    Raises:
        ConfigurationError: it is something else, or negative.
    """
    if value is None or value == {}:
        return None
    try:
        price = value if isinstance(value, Price) else msgspec.convert(value, Price)
    except msgspec.ValidationError as error:
        raise ConfigurationError(
            f"The price {value!r} cannot be read ({error}). Give USD per million tokens, "
            'like {"input": 0.5, "output": 2.0, "cached_input": 0.1}.'
        ) from None
    rates = (price.input, price.output, price.cached_input or 0.0, price.cache_write or 0.0)
    if not all(0 <= rate < math.inf for rate in rates):
        raise ConfigurationError(
            f"The price {value!r} is negative or endless. Prices are 0 or more."
        )
    return price
