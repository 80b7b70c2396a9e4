"""What can be limited on a connection, and the errors of a limit that is reached."""

from __future__ import annotations

import math

import msgspec

from aworld.errors import ConfigurationError, ProviderError, ProviderRefused


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """Of one connection, over all workers together. None means no limit."""

    requests_per_minute: int | None = None
    """Attempts, retries included, in any 60 seconds."""
    tokens_per_minute: int | None = None
    """Input and output in any 60 seconds; a call that is under way counts with an estimate."""
    concurrent: int | None = None
    """Calls at once."""
    cost_per_day_usd: float | None = None
    """USD a day, which begins at 00:00 UTC."""
    cost_per_month_usd: float | None = None
    """USD a calendar month, UTC."""

    @property
    def any(self) -> bool:
        """Whether anything is limited."""
        return any(getattr(self, field) is not None for field in self.__struct_fields__)

    @property
    def has_budget(self) -> bool:
        """Whether cost is limited."""
        return self.cost_per_day_usd is not None or self.cost_per_month_usd is not None


class BudgetSpent(ProviderRefused):
    """The connection's budget of a day or a month is used up; nothing was sent."""

    def __init__(self, message: str) -> None:
        super().__init__(message, status=402)


class WaitsForLimit(ProviderError):
    """Not a failure: the call waits until its connection's limits let it in."""

    def __init__(self, message: str) -> None:
        super().__init__(message, retryable=True)


def limits_from(value: object, *, priced: bool = True) -> Limits:
    """Read limits as they stand in a connection. `priced` is whether a price is known.

    Raises:
        ConfigurationError: a limit is unknown, no number above 0, or a budget without a price.
    """
    if value is None or isinstance(value, Limits):
        return value or Limits()
    try:
        found = msgspec.convert(value, Limits, strict=True)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"The limits {value!r} cannot be read: {error}.") from None
    unknown = sorted(set(value) - set(Limits.__struct_fields__)) if isinstance(value, dict) else []
    if unknown:
        known = ", ".join(Limits.__struct_fields__)
        raise ConfigurationError(f"There is no limit {unknown[0]!r}. Limits are: {known}.")
    for field in Limits.__struct_fields__:
        amount = getattr(found, field)
        if amount is not None and not 0 < amount < math.inf:
            raise ConfigurationError(
                f"The limit {field} is {amount:g}; give a number above 0, or leave it out."
            )
    if found.has_budget and not priced:
        raise ConfigurationError(
            "A budget needs the price of the connection's tokens. Give its price, or leave the "
            "budget out."
        )
    return found
