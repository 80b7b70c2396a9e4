"""Which pictures there are: the address of each, and what a person does there first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page

from scripts.screenshot_scenes import CHINESE, PAUSED, REFUSED, REJECTED
from scripts.screenshot_world import World

WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
BROKEN = """{"question": "How much is 17 times 23?", "answer": "391"}
{"question": "How much is 96 divided by 8?", "answer": "12"}
{"question": "A pond has 40 frogs,
{"answer": "7"}
"""


@dataclass(frozen=True)
class Shot:
    """One picture in its four forms."""

    name: str
    path: Callable[[World], str]
    act: Callable[[Page, World], None] = lambda page, world: None
    """What a person does once the page is there."""
    language: str = "en"
    known: bool = True
    """Whether somebody is logged in."""
    hurry: bool = False
    """Taken before all others: a paused run frees its worker after a minute."""


def at(path: str) -> Callable[[World], str]:
    """The address, the same in every installation."""
    return lambda world: path


def run(question: str, query: str = "") -> Callable[[World], str]:
    """The address of a run."""
    return lambda world: f"/runs/{world.runs[question]}{query}"


def run_at(question: str, kind: str, number: int = 0) -> Callable[[World], str]:
    """The address of a run with one of its events chosen."""
    return lambda world: run(question, f"?seq={world.seq(question, kind, number)}")(world)


def _import_broken(page: Page, world: World) -> None:
    page.get_by_role("button", name="Import", exact=True).first.click()
    page.get_by_role("dialog").locator("input[type=file]").set_input_files(
        {"name": "riddles.jsonl", "mimeType": "application/json", "buffer": BROKEN.encode()}
    )
    page.get_by_text("lines cannot be read").wait_for()


def _open_model(page: Page, world: World) -> None:
    page.get_by_role("button", name="qwen", exact=True).click()
    page.get_by_role("dialog").wait_for()


def _search(page: Page, world: World) -> None:
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").last.fill("pencils")
    page.get_by_role("option").nth(1).wait_for()
    page.get_by_text("Found in the logs").wait_for()


def _show_prompt(page: Page, world: World) -> None:
    if page.viewport_size == PHONE:
        page.locator("article[aria-current=true]").click()
    page.get_by_role("tab", name="Prompt").click()
    page.get_by_text("You solve questions").first.wait_for()


def _show_keys(page: Page, world: World) -> None:
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


def _lost(page: Page, world: World) -> None:
    """An address that leads nowhere, come to within the page."""
    page.evaluate("history.pushState({}, '', '/no/such/page')")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    page.get_by_text("/no/such/page").wait_for()


def _speak(page: Page, world: World) -> None:
    """Once the page listens the model begins to answer."""
    page.locator("article").last.wait_for()
    world.speak()
    page.get_by_text("which is 735 litres").first.wait_for()


def _try_tool(page: Page, world: World) -> None:
    page.get_by_label("expression").fill("3 km + 200 m")
    page.get_by_role("button", name="Call", exact=True).click()
    page.get_by_role("region", name="Result of the call").wait_for()


def _act_by_hand(page: Page, world: World) -> None:
    page.get_by_role("button", name="Begin").click()
    picture = page.get_by_alt_text("Screenshot of the world")
    picture.wait_for(timeout=90_000)
    picture.scroll_into_view_if_needed()


def _open_yaml(page: Page, world: World) -> None:
    page.get_by_role("tab", name="YAML").click()
    page.locator(".cm-content").wait_for()


SHOTS = (
    Shot("home", at("/")),
    Shot("home-zh", at("/"), language="zh"),
    Shot("runs", at("/runs")),
    Shot("runs-failures", at("/runs?status=failed,lost")),
    Shot("runs-queue", at("/runs?view=queue")),
    Shot("run", run_at(REJECTED, "tool.failed")),
    Shot("run-finished", run_at(REJECTED, "verification.passed")),
    Shot("run-failed", lambda world: f"/runs/{world.recorded()}"),
    Shot("run-refused", run_at(REFUSED, "llm.failed")),
    Shot("run-live", lambda world: f"/runs/{world.live()}", _speak),
    Shot("run-paused", run(PAUSED), hurry=True),
    Shot("run-prompt", run_at(REJECTED, "llm.requested", 1), _show_prompt),
    Shot("run-events", run(REJECTED, "?view=events")),
    Shot("run-zh", run_at(CHINESE, "tool.returned"), language="zh"),
    Shot("run-missing", at("/runs/20260101")),
    Shot("teams", at("/teams")),
    Shot("team", lambda world: f"/teams/{world.team['id']}"),
    Shot("team-problems", lambda world: f"/teams/{world.draft['id']}"),
    Shot("team-yaml", lambda world: f"/teams/{world.team['id']}", _open_yaml),
    Shot("tasks", at("/tasks")),
    Shot("tasks-import", at("/tasks"), _import_broken),
    Shot("tools", at("/tools")),
    Shot("tool", at("/tools/calculator"), _try_tool),
    Shot("environments", at("/environments")),
    Shot("environments-zh", at("/environments"), language="zh"),
    Shot("suite", at("/environments/gaia-own")),
    Shot("task-by-hand", at("/environments/miniwob/click-button"), _act_by_hand),
    Shot("settings", at("/settings")),
    Shot("settings-model", at("/settings"), _open_model),
    Shot("workers", at("/workers")),
    Shot("workers-zh", at("/workers"), language="zh"),
    Shot("palette", at("/runs"), _search),
    Shot("keys", run(REJECTED), _show_keys),
    Shot("not-found", at("/runs"), _lost),
    Shot("login", at("/login"), known=False),
)
