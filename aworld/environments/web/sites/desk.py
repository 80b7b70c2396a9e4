"""The ticket desk: tickets that are assigned, tagged, answered, merged and closed."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from aworld.environments.web.sites import desk_pages as pages
from aworld.environments.web.sites.state import TODAY, State

STATUSES = ("open", "pending", "closed")
PRIORITIES = ("low", "normal", "high", "urgent")
_LONGEST = 4_000


class Desk:
    """Its handlers; `state` is the episode's."""

    def __init__(self, state: State) -> None:
        self._state = state["desk"]

    def application(self) -> web.Application:
        """The site."""
        app = web.Application()
        app.add_routes(
            [
                web.get("/", self.tickets),
                web.get("/people", self.people),
                web.get("/new", self.blank),
                web.post("/new", self.create),
                web.get("/tickets/{id}", self.ticket),
                web.post("/tickets/{id}/update", self.update),
                web.post("/tickets/{id}/comment", self.comment),
                web.post("/tickets/{id}/merge", self.merge),
            ]
        )
        return app

    async def tickets(self, request: web.Request) -> web.Response:
        """Tickets that fit the filters, the oldest first."""
        asked = request.query
        words = asked.get("q", "").lower().split()
        found = [
            each
            for each in self._state["tickets"]
            if asked.get("status", "") in ("", each["status"])
            and asked.get("priority", "") in ("", each["priority"])
            and asked.get("assignee", "") in ("", each["assignee"] or "nobody")
            and all(word in pages.searched_text(each) for word in words)
        ]
        return _html(pages.tickets(found, self._people(), dict(asked)))

    async def people(self, request: web.Request) -> web.Response:
        """Who is there."""
        return _html(pages.people(self._state["people"]))

    async def blank(self, request: web.Request) -> web.Response:
        """The form for a new ticket."""
        return _html(pages.new())

    async def create(self, request: web.Request) -> web.Response:
        """Open a ticket."""
        given = await request.post()
        title, text = (str(given.get(key, "")).strip()[:_LONGEST] for key in ("title", "text"))
        priority = str(given.get("priority", ""))
        if not title or priority not in PRIORITIES:
            return _html(pages.new("A ticket needs a title."))
        number = str(self._state["next_ticket"])
        self._state["next_ticket"] += 1
        self._state["tickets"].append(
            {
                "id": number,
                "title": title,
                "requester": "Robin",
                "status": "open",
                "priority": priority,
                "assignee": "",
                "created": TODAY,
                "tags": [],
                "text": text,
                "merged_into": "",
                "comments": [],
            }
        )
        raise web.HTTPSeeOther(f"/tickets/{number}?said=The+ticket+was+opened.")

    async def ticket(self, request: web.Request) -> web.Response:
        """One ticket."""
        return self._page(self._ticket(request), request.query.get("said", ""))

    async def update(self, request: web.Request) -> web.Response:
        """Change who has it, how urgent it is, where it stands, its tags."""
        ticket, given = self._ticket(request), await request.post()
        chosen = {key: str(given.get(key, "")) for key in ("assignee", "priority", "status")}
        fits = chosen["assignee"] in ("", *self._people()) and chosen["status"] in STATUSES
        if not fits or chosen["priority"] not in PRIORITIES:
            return self._page(ticket, "These values do not fit.")
        tags = [tag.strip().lower() for tag in str(given.get("tags", "")).split(",")]
        ticket.update(chosen, tags=sorted({tag for tag in tags if tag}))
        raise web.HTTPSeeOther(f"/tickets/{ticket['id']}?said=The+ticket+was+saved.")

    async def comment(self, request: web.Request) -> web.Response:
        """Write something below it."""
        ticket, given = self._ticket(request), await request.post()
        text = str(given.get("text", "")).strip()[:_LONGEST]
        if not text:
            return self._page(ticket, "A comment needs a text.")
        self._add_comment(ticket, "Robin", text)
        raise web.HTTPSeeOther(f"/tickets/{ticket['id']}?said=The+comment+was+added.")

    async def merge(self, request: web.Request) -> web.Response:
        """Close it in favour of another."""
        ticket, given = self._ticket(request), await request.post()
        into = str(given.get("into", "")).strip().lstrip("#")
        target = next((t for t in self._state["tickets"] if t["id"] == into), None)
        if target is None or target is ticket or target["merged_into"] or ticket["merged_into"]:
            return self._page(ticket, f"This ticket cannot be merged into {into!r}.")
        ticket.update(status="closed", merged_into=into)
        self._add_comment(target, "Desk", f"Ticket {ticket['id']} was merged into this one.")
        raise web.HTTPSeeOther(f"/tickets/{into}?said=The+tickets+were+merged.")

    def _page(self, ticket: dict[str, Any], said: str) -> web.Response:
        return _html(pages.ticket(ticket, self._people(), said))

    def _people(self) -> dict[str, str]:
        return {person["id"]: person["name"] for person in self._state["people"]}

    def _ticket(self, request: web.Request) -> dict[str, Any]:
        for ticket in self._state["tickets"]:
            if ticket["id"] == request.match_info["id"]:
                found: dict[str, Any] = ticket
                return found
        raise web.HTTPNotFound(text="There is no such ticket.")

    def _add_comment(self, ticket: dict[str, Any], author: str, text: str) -> None:
        number = len(ticket["comments"]) + 1
        ticket["comments"].append({"id": number, "author": author, "text": text})


def _html(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html")
