"""Text search on MongoDB: the tokens of pages of events in indexed arrays, built behind the log.

A page is up to `PAGE_EVENTS` successive events. The index gives pages that may match; the events
themselves confirm it. What is not indexed yet is searched as it is.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from aworld.errors import NotFound
from aworld.events.union import AnyPayload, Event
from aworld.storage.base import Hit
from aworld.storage.mongo_collections import Collections, Document
from aworld.storage.mongo_events import MongoEvents
from aworld.storage.text_tokens import Query, query, snippet, text_of, tokens

PAGE_EVENTS: Final = 256
PAGE_TOKENS: Final = 50_000
"""A page of more tokens lies in several documents."""
TAIL_EVENTS: Final = 2048
"""Of the events not yet indexed, the newest so many of a run are searched."""
UNSELECTIVE_PAGES: Final = 200
"""How many of the newest pages are searched for punctuation alone, which no index knows."""


class _Page(NamedTuple):
    """Successive events of one run's own."""

    run: str
    first: int
    last: int


class MongoText:
    """Searching, and bringing the index forward."""

    def __init__(
        self,
        collections: Collections,
        events: MongoEvents,
        resolve: Callable[[Event], AnyPayload],
    ) -> None:
        self._all = collections
        self._events = events
        self._resolve = resolve

    def advance(self, budget_s: float) -> bool:
        """Index pages until the time is up; whether more are left."""
        deadline = time.monotonic() + budget_s
        while (run := self._next_due()) is not None:
            if time.monotonic() > deadline:
                return True
            self._index_page(run)
        return False

    def search(self, text: str, run: Document | None, limit: int) -> list[Hit]:
        """The first events that match, newest run first; with `run`, only its own and those it
        shares."""
        wanted = query(text)
        hits: list[Hit] = []
        if wanted.pattern is None:
            return hits
        for page, shown_as in self._candidates(wanted, run):
            for event, match, whole in self._matches(page, wanted.pattern):
                shown = snippet(whole, match)
                hits.append(Hit(shown_as, event.seq, event.kind, event.actor, shown))
                if len(hits) == limit:
                    return hits
        return hits

    def runs_with(self, text: str) -> set[str]:
        """Ids of the runs that have a matching event of their own."""
        wanted = query(text)
        found: set[str] = set()
        if wanted.pattern is not None:
            for page in self._pages(wanted, None):
                if page.run not in found and any(self._matches(page, wanted.pattern)):
                    found.add(page.run)
        return found

    def forget(self, run_id: str, after: int) -> None:
        """Take the pages that hold anything behind a seq out of the index; what they hold up to
        it is indexed anew."""
        where = {"run": run_id, "last_seq": {"$gt": after}}
        firsts = [page["first_seq"] for page in self._all.text.find(where, {"first_seq": 1})]
        if firsts:
            self._all.runs.update_one(
                {"_id": run_id},
                {"$min": {"indexed_seq": min(firsts) - 1}, "$set": {"text_due": True}},
            )
            self._all.text.delete_many(where)

    def _next_due(self) -> Document | None:
        for run in self._all.runs.find({"text_due": True}):
            if run["status"] != "running" or run["last_seq"] - run["indexed_seq"] >= PAGE_EVENTS:
                return run
        return None

    def _index_page(self, run: Document) -> None:
        indexed, end = run["indexed_seq"], run["last_seq"]
        events = self._events.read(run, indexed, PAGE_EVENTS)
        last = events[-1].seq if events else end
        found: set[str] = set()
        for event in events:
            found |= tokens(self._text(event))
        listed = sorted(found)
        for part, at in enumerate(range(0, len(listed), PAGE_TOKENS)):
            self._all.text.update_one(
                {"run": run["_id"], "first_seq": indexed + 1, "part": part},
                {"$set": {"last_seq": last, "tokens": listed[at : at + PAGE_TOKENS]}},
                upsert=True,
            )
        same = {"_id": run["_id"], "indexed_seq": indexed}
        done = self._all.runs.update_one(
            {**same, "last_seq": end}, {"$set": {"indexed_seq": last, "text_due": last < end}}
        )
        if not done.matched_count:  # The run has grown meanwhile: it stays due.
            self._all.runs.update_one(same, {"$set": {"indexed_seq": last}})

    def _text(self, event: Event) -> str:
        try:
            return text_of(self._resolve(event))
        except NotFound:  # The blob was removed by hand: what the log itself has is searched.
            return text_of(event.payload)

    def _matches(
        self, page: _Page, pattern: re.Pattern[str]
    ) -> Iterator[tuple[Event, re.Match[str], str]]:
        run = self._all.runs.find_one({"_id": page.run})
        if run is None:
            return
        for event in self._events.read(run, page.first - 1, page.last - page.first + 1):
            whole = self._text(event)
            match = pattern.search(whole.lower())
            if match is not None:
                yield event, match, whole

    def _candidates(self, wanted: Query, run: Document | None) -> Iterator[tuple[_Page, str]]:
        if run is not None:
            for part in self._events.lineage(run):
                for page in self._pages(wanted, part.run):
                    if page.first <= part.last:
                        yield page._replace(last=min(page.last, part.last)), run["_id"]
            return
        for page in self._pages(wanted, None):
            shown_as, end = self._shown_as(page)
            if shown_as and page.first <= end:
                yield page._replace(last=end), shown_as

    def _pages(self, wanted: Query, run_id: str | None) -> Iterator[_Page]:
        """Pages that may hold a match, newest run first."""
        only: Document = {} if run_id is None else {"run": run_id}
        fields = {"run": 1, "first_seq": 1, "last_seq": 1}
        exact = [term.token for term in wanted.terms if not term.prefix]
        begins = [term.token for term in wanted.terms if term.prefix]
        if exact:
            found = self._all.text.find({**only, "tokens": max(exact, key=len)}, fields)
        elif begins:
            token = max(begins, key=len)
            inside = {"$gte": token, "$lt": token + "\U0010ffff"}
            found = self._all.text.find({**only, "tokens": inside}, fields)
        else:
            found = self._all.text.find(only, fields).sort("_id", -1).limit(UNSELECTIVE_PAGES)
        pages = {_Page(one["run"], one["first_seq"], one["last_seq"]) for one in found}
        due: Document = {"text_due": True} if run_id is None else {"text_due": True, "_id": run_id}
        for run in self._all.runs.find(due, {"indexed_seq": 1, "last_seq": 1}):
            last = run["last_seq"]
            pages.add(_Page(run["_id"], max(run["indexed_seq"], last - TAIL_EVENTS) + 1, last))
        ids = list({page.run for page in pages})
        runs = self._all.runs.find({"_id": {"$in": ids}}, {"created_at": 1, "order": 1})
        age = {run["_id"]: (-run["created_at"], -run["order"]) for run in runs}
        known = (page for page in pages if page.run in age)
        yield from sorted(known, key=lambda page: (age[page.run], page.first))

    def _shown_as(self, page: _Page) -> tuple[str, int]:
        """Under which run events are shown, and up to which seq: their own, or, where that was
        deleted, its newest fork that shares them. Empty where there is none."""
        run, last = self._all.runs.find_one({"_id": page.run}), page.last
        while run is not None and run["hidden"]:
            run = self._all.runs.find_one(
                {"parent_run_id": run["_id"]}, sort=[("hidden", 1), ("created_at", -1)]
            )
            last = min(last, run["parent_seq"]) if run is not None else last
        return ("", last) if run is None else (run["_id"], last)
