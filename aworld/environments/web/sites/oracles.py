"""Known solutions of the tasks on our own sites, by what an agent sees and can do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aworld.environments.base import Environment, Observation, Oracle
from aworld.environments.web.hand import Hand

Solution = Callable[[Hand], Awaitable[str]]
DONE = "done"


class SiteOracle(Oracle):
    """One task's solution."""

    def __init__(self, task_id: str) -> None:
        self._solution = SOLUTIONS[task_id]

    async def solve(self, environment: Environment, first: Observation) -> str:
        """Solve it; the answer."""
        return await self._solution(Hand(environment, first))


async def cheapest_kettle(hand: Hand) -> str:
    """The cheapest that is there is too small, the next one is sold out."""
    await hand.click("link", "Kettles")
    await _choose(hand, "Sort by", "Price, lowest first")
    await hand.click("checkbox", "Only what is in stock")
    await hand.click("button", "Show")
    for shown in _products(hand, "kettle"):
        await hand.click("link", shown)
        if float(_fact(hand, "Capacity").split()[0]) >= 1.5:
            break
        await hand.do("back")
    await _buy(hand, "office", "standard")
    return DONE


async def two_lamps(hand: Hand) -> str:
    """Sorted by rating, the first that is a desk lamp."""
    await hand.click("link", "Lamps")
    await _choose(hand, "Sort by", "Rating, best first")
    await hand.click("button", "Show")
    rated = [name for name in _products(hand, "lamp") if "desk" in name]
    await hand.click("link", rated[0])
    await hand.fill("2", "spinbutton", "Quantity")
    await _buy(hand, "home", "pickup")
    return DONE


async def order_total(hand: Hand) -> str:
    """The order's page has it."""
    await hand.click("link", "My orders")
    await hand.click("link", "Order 1003")
    return _line(hand, "Total: ").removeprefix("€")


async def return_backpack(hand: Hand) -> str:
    """The newest order with a backpack."""
    await hand.click("link", "My orders")
    await hand.click("link", _row(hand, "backpack"))
    await _choose(hand, "What", "Metro backpack")
    await hand.fill("The zip is broken", name="Reason")
    await hand.click("button", "Return it")
    return DONE


async def cancel_order(hand: Hand) -> str:
    """The one that is being prepared."""
    await hand.click("link", "My orders")
    await hand.click("link", _row(hand, "Being prepared"))
    await hand.click("button", "Cancel this order")
    return DONE


async def late_return(hand: Hand) -> str:
    """The order's page offers no return."""
    await hand.click("link", "My orders")
    await hand.click("link", _row(hand, "Pine floor lamp"))
    return "N/A" if not hand.all("button", lambda each: each.name == "Return it") else DONE


async def find_headphones(hand: Hand) -> str:
    """By the filter."""
    await hand.click("link", "All products")
    await _choose(hand, "Category", "Headphones")
    await hand.fill("100", "spinbutton", "Highest price in euros")
    await _choose(hand, "Sort by", "Rating, best first")
    await hand.click("button", "Show")
    return DONE


async def move_home(hand: Hand) -> str:
    """In the form for the address."""
    await hand.click("link", "My addresses")
    await hand.fill("Mill Road 7", name="Street (home)")
    await hand.fill("5031 Havn", name="City (home)")
    await hand.click("button", "Save home address")
    return DONE


async def assign_vpn(hand: Hand) -> str:
    """Each of the two, by the filter."""
    for ticket in ("#202", "#205"):
        await hand.click("link", "Tickets")
        await hand.fill("vpn", name="Containing")
        await _choose(hand, "Status", "Open")
        await _choose(hand, "Assigned to", "Nobody")
        # A ticket that was assigned before is no longer in this list.
        await hand.click("button", "Filter")
        await hand.click("link", ticket)
        await _choose(hand, "Assigned to", "Dana Hol")
        await _choose(hand, "Priority", "High")
        await hand.click("button", "Save")
    return DONE


async def merge_printer(hand: Hand) -> str:
    """The newer one says so itself."""
    await hand.click("link", "#209")
    await hand.fill("201", name="Number of the other ticket")
    await hand.click("button", "Merge")
    return DONE


async def count_urgent(hand: Hand) -> str:
    """Of the network team only Dana has any."""
    total = 0
    for person in ("Dana Hol", "Eli Brandt"):
        await _choose(hand, "Status", "Open")
        await _choose(hand, "Priority", "Urgent")
        await _choose(hand, "Assigned to", person)
        await hand.click("button", "Filter")
        total += len(hand.all("link", lambda each: each.name.startswith("#")))
    return str(total)


async def close_screen(hand: Hand) -> str:
    """First the comment, then the state."""
    await hand.click("link", "#206")
    await hand.fill("Replaced the cable.", name="Comment")
    await hand.click("button", "Add comment")
    await _choose(hand, "Status", "Closed")
    await hand.click("button", "Save")
    return DONE


async def new_ticket(hand: Hand) -> str:
    """Tags can be given to a ticket that exists."""
    await hand.click("link", "New ticket")
    await hand.fill("Badge reader at gate 3 is dead", name="Title")
    await _choose(hand, "Priority", "High")
    await hand.click("button", "Open ticket")
    await hand.fill("access", name="Tags, with commas")
    await hand.click("button", "Save")
    return DONE


async def correct_depth(hand: Hand) -> str:
    """The whole text is put in again, with one number changed."""
    await hand.click("link", "Lake Orsen")
    await hand.click("link", "Edit")
    await hand.fill(_DEEPER, name="Text")
    await hand.fill("Depth corrected", name="What you changed")
    await hand.click("button", "Save article")
    return DONE


async def longest_river(hand: Hand) -> str:
    """The lake's article names three; each has its length."""
    lengths: dict[str, int] = {}
    for river in ("River Sild", "River Tove", "River Ask"):
        await hand.click("link", "All articles")
        await hand.click("link", river)
        text = hand.seen.text
        lengths[river] = max(n for n in range(1, 200) if f" {n} km" in text)
    return max(lengths, key=lambda river: lengths[river])


async def restore_mountain(hand: Hand) -> str:
    """By the article's history."""
    await hand.click("link", "Mount Calder")
    await hand.click("link", "History")
    await hand.click("link", "Version 2")
    await hand.click("button", "Restore this version")
    return DONE


async def first_mayor(hand: Hand) -> str:
    """The list begins later."""
    await hand.click("link", "Brinholm")
    return "N/A" if "1998" in hand.seen.text and "1980" not in hand.seen.text else DONE


async def lamp_for_the_desk(hand: Hand) -> str:
    """At least 400 lm, at most 7 W: two have the light, one of them the power."""
    await hand.click("link", "Desk equipment at Corvid Labs")
    await hand.do("navigate", url="http://shop.test/products?category=Lamps")
    for name in [each for each in _products(hand, "lamp") if "desk" in each]:
        await hand.click("link", name)
        light, power = (int(_fact(hand, what).split()[0]) for what in ("Brightness", "Power"))
        if light >= 400 and power <= 7:
            break
        await hand.do("back")
    await _buy(hand, "office", "express")
    return DONE


async def _buy(hand: Hand, address: str, shipping: str) -> None:
    """From a product's page to the order."""
    await hand.click("button", "Add to cart")
    await hand.click("link", "Go to checkout")
    for label, start in (("Deliver to", address), ("Shipping", shipping)):
        await _choose(hand, label, _option(hand, start.capitalize()))
    await hand.click("button", "Place order")


async def _choose(hand: Hand, label: str, option: str) -> None:
    await hand.do("select", target=hand.find("combobox", label).ref, options=[option])


def _option(hand: Hand, start: str) -> str:
    """The option that begins so."""
    for line in hand.seen.text.splitlines():
        text = line.strip().removeprefix("- ").strip("'")
        if text.startswith(f'option "{start}'):
            return text.split('"')[1]
    return start


def _products(hand: Hand, kind: str) -> list[str]:
    """The names of the products on a list's page, in its order."""
    named = hand.all("link", lambda each: each.name.endswith(kind))
    return [each.name for each in named]


def _fact(hand: Hand, name: str) -> str:
    """What the table of facts says."""
    cell = hand.find("cell", name)
    return hand.find("cell", after=cell.ref).name


def _line(hand: Hand, start: str) -> str:
    """The rest of a paragraph that begins so."""
    found = hand.all(fits=lambda each: each.name.startswith(start))
    return found[0].name.removeprefix(start)


def _row(hand: Hand, containing: str) -> str:
    """The link at the start of the first row that has a cell with a text."""
    link = ""
    for each in hand.elements:
        if each.role == "link":
            link = each.name
        elif each.role == "cell" and containing in each.name:
            break
    return link


_DEEPER = """\
'''Lake Orsen''' is a lake in the valley of [[Brinholm]]. It is 11 km long and 74 m deep at its \
deepest point.

== Rivers ==
Three rivers flow into the lake: the [[River Sild]], the [[River Tove]] and the [[River Ask]].

== Ferry ==
A ferry crosses the lake from May to October and takes cars. See [[Orsen Ferry]].
"""

SOLUTIONS: dict[str, Solution] = {
    "shop-cheapest-kettle": cheapest_kettle,
    "shop-two-lamps": two_lamps,
    "shop-order-total": order_total,
    "shop-return-backpack": return_backpack,
    "shop-cancel-order": cancel_order,
    "shop-late-return": late_return,
    "shop-find-headphones": find_headphones,
    "shop-move-home": move_home,
    "desk-assign-vpn": assign_vpn,
    "desk-merge-printer": merge_printer,
    "desk-count-urgent": count_urgent,
    "desk-close-screen": close_screen,
    "desk-new-ticket": new_ticket,
    "wiki-correct-depth": correct_depth,
    "wiki-longest-river": longest_river,
    "wiki-restore-mountain": restore_mountain,
    "wiki-first-mayor": first_mayor,
    "lamp-for-the-desk": lamp_for_the_desk,
}
