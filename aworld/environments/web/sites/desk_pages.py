"""The ticket desk's pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aworld.environments.web.sites.layout import Site, card, page
from aworld.environments.web.sites.markup import area, choice, field, form, link, table, tag

Ticket = Mapping[str, Any]

SITE = Site(
    "Help Desk",
    "desk.test",
    "#3b4b8f",
    (("/", "Tickets"), ("/people", "People"), ("/new", "New ticket")),
    "/",
)
_STATUSES = (("open", "Open"), ("pending", "Pending"), ("closed", "Closed"))
_PRIORITIES = (("low", "Low"), ("normal", "Normal"), ("high", "High"), ("urgent", "Urgent"))


def searched_text(ticket: Ticket) -> str:
    """What a search looks at."""
    return " ".join((ticket["title"], ticket["text"], *ticket["tags"])).lower()


def tickets(found: Sequence[Ticket], people: Mapping[str, str], asked: Mapping[str, str]) -> str:
    """A list with its filters."""
    who = [("", "Anybody"), ("nobody", "Nobody"), *people.items()]
    filters = form(
        "/",
        tag(
            "div",
            field("Containing", "q", asked.get("q", "")),
            choice("Status", "status", (("", "Any"), *_STATUSES), asked.get("status", "")),
            choice("Priority", "priority", (("", "Any"), *_PRIORITIES), asked.get("priority", "")),
            choice("Assigned to", "assignee", who, asked.get("assignee", "")),
            class_="row",
        ),
        method="get",
        button="Filter",
    )
    rows = [
        (
            link(f"/tickets/{each['id']}", f"#{each['id']}"),
            each["title"],
            each["requester"],
            each["created"],
            each["status"],
            each["priority"],
            people.get(each["assignee"], "nobody"),
            ", ".join(each["tags"]),
        )
        for each in found
    ]
    head = ("Ticket", "Title", "From", "Opened", "Status", "Priority", "Assigned to", "Tags")
    return page(
        SITE,
        "Tickets",
        card("Filter", filters),
        table(head, rows, caption=f"{len(found)} tickets, the oldest first"),
    )


def ticket(shown: Ticket, people: Mapping[str, str], said: str = "") -> str:
    """One ticket, with what can be done with it."""
    number = shown["id"]
    merged = shown["merged_into"]
    state = form(
        f"/tickets/{number}/update",
        tag(
            "div",
            choice("Assigned to", "assignee", [("", "Nobody"), *people.items()], shown["assignee"]),
            choice("Priority", "priority", _PRIORITIES, shown["priority"]),
            choice("Status", "status", _STATUSES, shown["status"]),
            field("Tags, with commas", "tags", ", ".join(shown["tags"])),
            class_="row",
        ),
        button="Save",
    )
    comments = [
        tag("li", tag("strong", each["author"]), f": {each['text']}") for each in shown["comments"]
    ]
    comment = form(f"/tickets/{number}/comment", area("Comment", "text"), button="Add comment")
    merge = form(
        f"/tickets/{number}/merge", field("Number of the other ticket", "into"), button="Merge"
    )
    return page(
        SITE,
        f"#{number} {shown['title']}",
        tag("p", f"From {shown['requester']}, opened on {shown['created']}.", class_="soft"),
        tag("p", "Merged into ", link(f"/tickets/{merged}", f"#{merged}")) if merged else None,
        card("Description", tag("p", shown["text"])),
        card("State", state),
        card("Comments", tag("ul", comments) if comments else tag("p", "None yet."), comment),
        None if merged else card("Merge into another ticket", merge),
        notice=said,
    )


def people(shown: Iterable[Mapping[str, str]]) -> str:
    """Who is there, and who is away."""
    rows = [(each["name"], each["team"], each["skills"], each["away"] or "here") for each in shown]
    return page(SITE, "People", table(("Name", "Team", "Knows about", "Away"), rows))


def new(said: str = "") -> str:
    """The form for a new ticket."""
    fields = (
        field("Title", "title", size=50),
        area("Description", "text"),
        choice("Priority", "priority", _PRIORITIES, "normal"),
    )
    return page(
        SITE,
        "New ticket",
        card("What is wrong?", form("/new", *fields, button="Open ticket")),
        notice=said,
    )
