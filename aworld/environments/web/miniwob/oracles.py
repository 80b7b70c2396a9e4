"""Known solutions of ten pages. They read the goal and the page as an agent does."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from aworld.environments.base import Environment, Observation, Oracle
from aworld.environments.web.hand import Hand
from aworld.environments.web.miniwob.book_flight import book_flight
from aworld.errors import EnvironmentFault

Solution = Callable[[Hand, str], Awaitable[None]]


class PageOracle(Oracle):
    """One page's solution."""

    def __init__(self, page: str) -> None:
        self._solution = SOLUTIONS[page]

    async def solve(self, environment: Environment, first: Observation) -> str:
        """Solve it; MiniWoB wants no answer."""
        hand = Hand(environment, first)
        await self._solution(hand, _goal(first.text))
        return ""


def _goal(text: str) -> str:
    line = next(line for line in text.splitlines() if line.startswith("Goal: "))
    return line.removeprefix("Goal: ")


def _parts(pattern: str, goal: str) -> Sequence[str]:
    found = re.fullmatch(pattern, goal)
    if found is None:
        raise EnvironmentFault(f"The goal {goal!r} is not one that this solution knows.")
    return found.groups(default="")


async def click_button(hand: Hand, goal: str) -> None:
    """Click on the "Next" button."""
    (name,) = _parts(r'Click on the "(.*)" button\.', goal)
    await hand.click("button", name)


async def click_checkboxes(hand: Hand, goal: str) -> None:
    """Select YM2l8, Ui and click Submit."""
    (names,) = _parts(r"Select (.*) and click Submit\.", goal)
    for name in [] if names == "nothing" else names.split(", "):
        await hand.click("checkbox", name)
    await hand.click("button", "Submit")


async def enter_text(hand: Hand, goal: str) -> None:
    """Enter "Thaddeus" into the text field and press Submit."""
    (text,) = _parts(r'Enter "(.*)" into the text field and press Submit\.', goal)
    await hand.fill(text)
    await hand.click("button", "Submit")


async def login_user(hand: Hand, goal: str) -> None:
    """Enter the username "myron" and the password "TVkEp" into the text fields."""
    user, password = _parts(
        r'Enter the username "(.*)" and the password "(.*)" into the text fields and press login\.',
        goal,
    )
    await hand.do("fill", target=hand.find("textbox", fact="(username)").ref, text=user)
    await hand.do("fill", target=hand.find("textbox", fact="(password)").ref, text=password)
    await hand.click("button", "Login")


async def choose_list(hand: Hand, goal: str) -> None:
    """Select Taiwan from the list and click Submit."""
    (option,) = _parts(r"Select (.*) from the list and click Submit\.", goal)
    await hand.do("select", target=hand.find("combobox").ref, options=[option])
    await hand.click("button", "Submit")


async def use_autocomplete(hand: Hand, goal: str) -> None:
    """Enter an item that starts with "Spai" and ends with "ain"."""
    start, end = _parts(r'Enter an item that starts with "(.*?)"(?: and ends with "(.*)")?\.', goal)
    await hand.fill(start)
    fitting = hand.all(
        fits=lambda each: each.name.startswith(start) and each.name.endswith(end),
        fact="ui-menu-item-wrapper",
    )
    await hand.do("click", target=fitting[0].ref)
    await hand.click("button", "Submit")


async def search_engine(hand: Hand, goal: str) -> None:
    """Enter "Vanda" and press "Search", then find and click the 5th search result."""
    text, ordinal = _parts(
        r'Use the textbox to enter "(.*)" and press "Search", then find and click the '
        r"(\d+)\w\w search result\.",
        goal,
    )
    page, position = divmod(int(ordinal) - 1, 3)
    await hand.fill(text)
    await hand.click("button", "Search")
    if page:
        await hand.click("link", str(page + 1))
    await hand.do("click", target=hand.all("link", fact="search-title")[position].ref)


async def click_tab_2(hand: Hand, goal: str) -> None:
    """Switch between the tabs to find and click on the link "augue"."""
    (word,) = _parts(r'Switch between the tabs to find and click on the link "(.*)"\.', goal)
    for tab in hand.all("link", fact="ui-tabs-anchor"):
        await hand.do("click", target=tab.ref)
        found = hand.all("span", lambda each: each.name == word, "alink")
        if found:
            await hand.do("click", target=found[0].ref)
            return


async def email_inbox(hand: Hand, goal: str) -> None:
    """Find the email by Alexina and reply, forward, delete it or mark it as important."""
    sender, rest = _parts(r"Find the email by (.*?) and (.*)", goal)
    row = hand.find(name=sender, fact="email-sender")
    if "trash icon" in rest or "star icon" in rest:
        icon = "trash" if "trash icon" in rest else "star"
        await hand.do("click", target=hand.find(fact=f"({icon})", after=row.ref).ref)
        return
    await hand.do("click", target=row.ref)
    reply = re.fullmatch(r'reply to them with the text "(.*)"\.', rest)
    forward = re.fullmatch(r"forward that email to (.*)\.", rest)
    if reply is not None:
        await hand.click(fact="email-reply")
        await hand.do("fill", target=hand.find(fact="reply-text").ref, text=reply[1])
        await hand.click(fact="(send-reply)")
    elif forward is not None:
        await hand.click(fact="email-forward")
        await hand.do("fill", target=hand.find(fact="forward-sender").ref, text=forward[1])
        await hand.click(fact="(send-forward)")


SOLUTIONS: dict[str, Solution] = {
    "click-button": click_button,
    "click-checkboxes": click_checkboxes,
    "enter-text": enter_text,
    "login-user": login_user,
    "choose-list": choose_list,
    "use-autocomplete": use_autocomplete,
    "search-engine": search_engine,
    "click-tab-2": click_tab_2,
    "email-inbox": email_inbox,
    "book-flight": book_flight,
}
