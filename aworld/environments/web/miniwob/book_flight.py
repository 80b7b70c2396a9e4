"""The known solution of MiniWoB's longest page: suggestions, a calendar, a list to compare."""

from __future__ import annotations

import datetime
import re

from aworld.environments.web.hand import Hand
from aworld.errors import EnvironmentFault
from aworld.tools.browser.snapshot import Element

_GOAL = re.compile(
    r"Book the (cheapest|shortest) one-way flight from: (.*) to: (.*) on (\d+/\d+/\d+)\."
)
_LAST_SHOWN = datetime.date(2016, 12, 1)
"""The calendar opens at the last month it allows."""


async def book_flight(hand: Hand, goal: str) -> None:
    """Book the cheapest one-way flight from: SHV to: TYS on 10/27/2016."""
    found = _GOAL.fullmatch(goal)
    if found is None:
        raise EnvironmentFault(f"The goal {goal!r} is not one that this solution knows.")
    wish, origin, destination, date = found.groups()
    await _choose_airport(hand, "flight-from", origin)
    await _choose_airport(hand, "flight-to", destination)
    await _choose_day(hand, datetime.datetime.strptime(date, "%m/%d/%Y").date())  # noqa: DTZ007
    await hand.click("button", "Search")
    offers = hand.all("button", fact="flight-price")
    durations = hand.all(fact="time-duration")
    values = _prices(offers) if wish == "cheapest" else _minutes(durations)
    await hand.do("click", target=offers[values.index(min(values))].ref)


async def _choose_airport(hand: Hand, field: str, wanted: str) -> None:
    """Type it and take the suggestion: a city's name, or a code in brackets."""
    await hand.do("fill", target=hand.find("textbox", fact=field).ref, text=wanted)
    suggestions = hand.all(fact="ui-menu-item-wrapper")
    fitting = [each for each in suggestions if each.name.startswith(f"{wanted} (")] or [
        each for each in suggestions if f"({wanted})" in each.name
    ]
    await hand.do("click", target=(fitting or suggestions)[0].ref)


async def _choose_day(hand: Hand, day: datetime.date) -> None:
    await hand.do("click", target=hand.find("textbox", fact="datepicker").ref)
    for _ in range(_LAST_SHOWN.month - day.month):
        await hand.do("click", target=hand.find("link", fact="ui-datepicker-prev").ref)
    await hand.click("link", str(day.day))


def _prices(offers: list[Element]) -> list[int]:
    """`Book flight for $386`."""
    return [int(each.name.rpartition("$")[2]) for each in offers]


def _minutes(durations: list[Element]) -> list[int]:
    """`5h 12m`."""
    parts = [re.fullmatch(r"(\d+)h (\d+)m", each.name) for each in durations]
    return [int(found[1]) * 60 + int(found[2]) for found in parts if found is not None]
