"""Pictures for docs/debugging.md into docs/screenshots: a failing run stopped, mended and forked.

A real `aworld up` in a data folder of its own, on a model that says what is written here, so that
the pictures show the same each time. `python scripts/screenshots_debugging.py`, or with names as
arguments only those: `… paused edit`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.system_packages import browser  # noqa: E402
from tests.openai_server import Answer, Given, OpenAIServer  # noqa: E402
from tests.setup.running_up import RunningUp  # noqa: E402

PICTURES = ROOT / "docs" / "screenshots"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
WIDE, PHONE = 1440, 390
HEIGHTS = {WIDE: 900, PHONE: 844}
PATIENCE_S = 60.0
SETTLED_MS = 900
QUESTION = "What is 17 × 23?"
TEAM: dict[str, Any] = {
    "name": "one-solver",
    "description": "A solver with a calculator",
    "topology": "single",
    "max_rounds": 1,
    "agents": [
        {
            "name": "solver",
            "role": "solver",
            "model": "small",
            "instructions": "",
            "tools": ["calculator"],
            "parameters": {"temperature": 0},
        }
    ],
    "limits": {"steps": 12, "tokens": 20_000, "seconds": None, "cost_usd": None},
}
BREAKPOINTS = [
    {"id": "bad", "kinds": ["tool.failed"], "tools": ["calculator"], "note": "Bad result"},
    {"id": "spent", "kinds": ["llm.responded"], "log": "{agent} has used {tokens_used} tokens"},
    {"id": "search", "kinds": ["tool.called"], "tools": ["web_search"]},
]


def small_model(body: dict[str, Any]) -> Given:
    """Writes what no calculator reads, until it is shown the right result."""
    last = body["messages"][-1]
    if last["role"] == "tool" and "391" in str(last["content"]):
        return "17 × 23 is 391. Answer: 391"
    return Answer("I compute it.", tool_calls=[("calculator", {"expression": "17 ** ** 23"})])


class Session:
    """A running installation, and whoever is logged in."""

    def __init__(self, chromium: Browser, url: str, link: str) -> None:
        self._browser = chromium
        self._url = url
        first = chromium.new_context()
        page = first.new_page()
        page.goto(link)
        page.get_by_role("navigation").first.wait_for()
        self._state = first.storage_state()
        self._api = first

    def call(self, method: str, path: str, body: object = None) -> Any:
        """A call of the API; its answer."""
        token = next(c["value"] for c in self._api.cookies() if c["name"] == "csrftoken")
        answer = self._api.request.fetch(
            f"{self._url}/api{path}",
            method=method,
            headers={"X-CSRFToken": token, "Referer": f"{self._url}/"},
            data=None if body is None else json.dumps(body),
        )
        if not answer.ok:
            raise SystemExit(f"{method} {path}: {answer.status} {answer.text()}")
        return answer.json()

    def until(self, run: str, status: str) -> None:
        """Wait until a run has a status."""
        end = monotonic() + PATIENCE_S
        while self.call("GET", f"/runs/{run}")["status"] != status:
            if monotonic() > end:
                raise SystemExit(f"Run {run} did not become {status} within {PATIENCE_S} s.")
            sleep(0.2)

    def seq(self, run: str, kind: str) -> int:
        """The first event of a kind."""
        events = self.call("GET", f"/runs/{run}/events")["events"]
        return next(int(e["seq"]) for e in events if e["payload"]["kind"] == kind)

    def context(self, width: int, dark: bool) -> BrowserContext:
        """A browser window in a size and a theme."""
        return self._browser.new_context(
            base_url=self._url,
            storage_state=self._state,
            viewport={"width": width, "height": HEIGHTS[width]},
            color_scheme="dark" if dark else "light",
            locale="en-US",
        )


@dataclass(frozen=True)
class World:
    """The runs of the story, by what became of them."""

    team: str
    failed: str
    paused: str
    forked: str
    bad: int
    """The failed run's first bad result."""
    held: int
    """The same step of the paused run."""


def make_world(session: Session, model_url: str) -> World:
    """A team, its failing run, one that is stopped at the bad result, and a fork that succeeds."""
    session.call(
        "POST",
        "/models",
        {
            "name": "small",
            "provider": "openai-compatible",
            "base_url": model_url,
            "model": "small-1",
            "api_key": "none",
        },
    )
    team = session.call("POST", "/teams", {"definition": TEAM})["id"]
    asked = {"team_id": team, "input": QUESTION}
    failed = session.call("POST", "/runs", asked)["run_id"]
    session.until(failed, "failed")
    bad = session.seq(failed, "tool.failed")
    session.call("PUT", f"/teams/{team}/breakpoints", {"breakpoints": BREAKPOINTS})
    paused = session.call("POST", "/runs", asked)["run_id"]
    session.until(paused, "paused")
    edit = {"kind": "tool.returned", "text": "391"}
    forked = session.call("POST", f"/runs/{failed}/fork", {"at": bad, "edits": {str(bad): edit}})
    session.until(forked["run_id"], "finished")
    held = session.seq(paused, "tool.failed")
    return World(team, failed, paused, forked["run_id"], bad, held)


# -- what a person does before each picture --------------------------------------------------------


def nothing(page: Page) -> None:
    """The page as it opens."""


def state(page: Page) -> None:
    """The state at the playhead."""
    if page.viewport_size is not None and page.viewport_size["width"] == PHONE:
        page.locator("article[aria-current=true]").click()
    page.get_by_role("tab", name="State").click()
    page.get_by_role("region", name="State at the playhead").wait_for()


def breakpoint_form(page: Page) -> None:
    """A breakpoint at the chosen step, tried on past runs."""
    page.get_by_role("button", name="Stop where this happens").click()
    page.get_by_text("would have stopped").wait_for()


def breakpoint_list(page: Page) -> None:
    """The team's breakpoints."""
    page.get_by_role("button", name="3 breakpoints").click()
    page.get_by_role("button", name="New breakpoint").wait_for()


def edit(page: Page) -> None:
    """The failure becomes a result."""
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("radio", name="Result").click()
    page.get_by_label("Text", exact=True).fill("391")


def answer(page: Page) -> None:
    """An answer in the model's place."""
    page.get_by_role("button", name="Answer instead …").click()
    page.get_by_label("Text", exact=True).fill("17 × 23 is 391. Answer: 391")


def fork(page: Page) -> None:
    """A fork with the edit, the calculator from the recording."""
    edit(page)
    page.get_by_role("button", name="Fork with this change …").click()
    page.get_by_label("calculator: how it is answered").select_option("replay")
    page.get_by_text("calculator from the recording").wait_for()


def replay(page: Page) -> None:
    """The verdict of a replay."""
    page.get_by_role("button", name="Replay", exact=True).click()
    page.get_by_role("dialog").get_by_text("Identical").wait_for()


def team_tab(page: Page) -> None:
    """The breakpoints on the team's own page."""
    page.get_by_role("tab", name="Breakpoints").click()
    page.get_by_role("button", name="New breakpoint").wait_for()


@dataclass(frozen=True)
class Shot:
    """One picture: light, and wide in the dark too where `dark`."""

    name: str
    path: Callable[[World], str]
    act: Callable[[Page], None] = nothing
    widths: Sequence[int] = (WIDE,)
    dark: bool = False


SHOTS = (
    Shot("failed", lambda w: f"/runs/{w.failed}?seq={w.bad}", state, (WIDE, PHONE), dark=True),
    Shot("breakpoint", lambda w: f"/runs/{w.failed}?seq={w.bad}", breakpoint_form),
    Shot("breakpoints", lambda w: f"/runs/{w.paused}", breakpoint_list),
    Shot("paused", lambda w: f"/runs/{w.paused}?seq={w.held}", nothing, (WIDE, PHONE), dark=True),
    Shot("edit", lambda w: f"/runs/{w.paused}?seq={w.held}", edit),
    Shot("answer", lambda w: f"/runs/{w.paused}", answer),
    Shot("fork", lambda w: f"/runs/{w.failed}?seq={w.bad}", fork),
    Shot("forked", lambda w: f"/runs/{w.forked}", nothing, dark=True),
    Shot("replay", lambda w: f"/runs/{w.forked}", replay),
    Shot("team", lambda w: f"/teams/{w.team}", team_tab),
)


def take(session: Session, world: World, shot: Shot) -> None:
    """The picture in every form."""
    for width in shot.widths:
        for dark in (False, True) if shot.dark and width == WIDE else (False,):
            context = session.context(width, dark)
            page = context.new_page()
            page.goto(shot.path(world))
            page.get_by_role("main").wait_for()
            page.wait_for_timeout(SETTLED_MS)
            shot.act(page)
            page.wait_for_timeout(SETTLED_MS)
            theme = "dark" if dark else "light"
            page.screenshot(path=PICTURES / f"debug-{shot.name}-{theme}-{width}.png")
            context.close()


def main(names: Sequence[str]) -> int:
    """Take the pictures named, or all."""
    unknown = set(names) - {shot.name for shot in SHOTS}
    chromium = browser()
    if unknown or not chromium:
        told = f"no picture is called {', '.join(sorted(unknown))}" if unknown else "no browser"
        print(f"{told}; known: {', '.join(shot.name for shot in SHOTS)}", file=sys.stderr)
        return 2
    PICTURES.mkdir(parents=True, exist_ok=True)
    environment = {key: value for key, value in os.environ.items() if "AWORLD_" not in key}
    command = [sys.executable, "-m", "aworld.command_line.main"]
    with (
        tempfile.TemporaryDirectory(prefix="aworld-pictures-") as folder,
        OpenAIServer(default=small_model) as model,
        RunningUp(command, Path(folder), environment=environment) as up,
        sync_playwright() as playwright,
    ):
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        session = Session(launched, up.url, up.link())
        up.until(lambda: up.process_named("worker-1").get("state") == "running", "worker")
        world = make_world(session, model.base_url)
        for shot in SHOTS:
            if not names or shot.name in names:
                take(session, world, shot)
                print(shot.name)  # noqa: T201
        launched.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
