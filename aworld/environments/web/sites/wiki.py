"""The wiki: articles with a history, edited by anybody."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from aiohttp import web

from aworld.environments.web.sites import wiki_pages as pages
from aworld.environments.web.sites.state import TODAY, State

_LONGEST_TITLE = 80
_LONGEST_TEXT = 50_000


class Wiki:
    """Its handlers; `state` is the episode's."""

    def __init__(self, state: State) -> None:
        self._state = state["wiki"]

    def application(self) -> web.Application:
        """The site."""
        app = web.Application()
        app.add_routes(
            [
                web.get("/", self.home),
                web.get("/search", self.search),
                web.get("/new", self.blank),
                web.post("/new", self.create),
                web.get("/wiki/{title}", self.article),
                web.get("/edit/{title}", self.edit),
                web.post("/edit/{title}", self.save),
                web.get("/history/{title}", self.history),
                web.get("/history/{title}/{revision}", self.revision),
                web.post("/history/{title}/{revision}/restore", self.restore),
            ]
        )
        return app

    async def home(self, request: web.Request) -> web.Response:
        """All articles."""
        return _html(pages.home(sorted(each["id"] for each in self._state["articles"])))

    async def search(self, request: web.Request) -> web.Response:
        """Articles that contain all words."""
        asked = request.query.get("q", "")
        words = asked.lower().split()
        found = [
            each
            for each in self._state["articles"]
            if words and all(word in f"{each['id']} {_text(each)}".lower() for word in words)
        ]
        return _html(pages.results(asked, [(each["id"], _text(each)) for each in found]))

    async def blank(self, request: web.Request) -> web.Response:
        """The form for a new article."""
        return _html(pages.new())

    async def create(self, request: web.Request) -> web.Response:
        """Write a new article."""
        given = await request.post()
        title = " ".join(str(given.get("title", "")).split())[:_LONGEST_TITLE]
        if (
            not title
            or "/" in title
            or any(each["id"] == title for each in self._state["articles"])
        ):
            return _html(pages.new("The title is missing, has a slash, or is taken."))
        article: dict[str, Any] = {"id": title, "revisions": []}
        self._state["articles"].append(article)
        _add(article, str(given.get("text", "")), "First version")
        raise web.HTTPSeeOther(_address("wiki", title))

    async def article(self, request: web.Request) -> web.Response:
        """One article."""
        article = self._article(request)
        said = request.query.get("said", "")
        return _html(pages.article(article["id"], _text(article), self._titles(), said))

    async def edit(self, request: web.Request) -> web.Response:
        """Its text in a form."""
        article = self._article(request)
        return _html(pages.edit(article["id"], _text(article)))

    async def save(self, request: web.Request) -> web.Response:
        """Put a new text in its place."""
        article, given = self._article(request), await request.post()
        _add(article, str(given.get("text", "")), str(given.get("summary", "")).strip())
        raise web.HTTPSeeOther(_address("wiki", article["id"]) + "?said=The+article+was+saved.")

    async def history(self, request: web.Request) -> web.Response:
        """Its versions, the newest first."""
        article = self._article(request)
        return _html(pages.history(article["id"], article["revisions"][::-1]))

    async def revision(self, request: web.Request) -> web.Response:
        """A version as it was."""
        article = self._article(request)
        shown = self._revision(article, request)
        return _html(pages.revision(article["id"], shown, self._titles()))

    async def restore(self, request: web.Request) -> web.Response:
        """Make an old version the newest."""
        article = self._article(request)
        old = self._revision(article, request)
        _add(article, old["text"], f"Restored version {old['id']}")
        raise web.HTTPSeeOther(_address("wiki", article["id"]) + "?said=The+version+was+restored.")

    def _titles(self) -> set[str]:
        return {each["id"] for each in self._state["articles"]}

    def _article(self, request: web.Request) -> dict[str, Any]:
        title = request.match_info["title"].replace("_", " ")
        for article in self._state["articles"]:
            if article["id"] == title:
                found: dict[str, Any] = article
                return found
        raise web.HTTPNotFound(text=pages.missing(title), content_type="text/html")

    def _revision(self, article: dict[str, Any], request: web.Request) -> dict[str, Any]:
        for revision in article["revisions"]:
            if str(revision["id"]) == request.match_info["revision"]:
                found: dict[str, Any] = revision
                return found
        raise web.HTTPNotFound(text="There is no such version.")


def _text(article: dict[str, Any]) -> str:
    return str(article["revisions"][-1]["text"])


def _add(article: dict[str, Any], text: str, summary: str) -> None:
    # Forms send lines with \r\n, and browsers add or drop the last one.
    plain = text.replace("\r\n", "\n").strip()[:_LONGEST_TEXT]
    number = len(article["revisions"]) + 1
    article["revisions"].append(
        {"id": number, "author": "Robin", "date": TODAY, "summary": summary, "text": plain}
    )


def _address(what: str, title: str) -> str:
    return f"/{what}/{quote(title.replace(' ', '_'))}"


def _html(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html")
