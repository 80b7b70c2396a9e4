"""`make screenshots`: pictures of every page into docs/screenshots, dark and light, wide and phone.

A real `aworld up` in a data folder of its own, on a scripted model, so that the pictures show the
same each time. With names as arguments only those: `make screenshots ARGS='home run'`.
"""

from __future__ import annotations

import argparse
import importlib
import io
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.screenshot_model import ScriptedModel  # noqa: E402
from scripts.screenshot_scenes import (  # noqa: E402
    CHINESE,
    PAUSED,
    REFUSED,
    REJECTED,
    SCENES,
    worked_out,
)
from scripts.screenshot_world import Api, World  # noqa: E402
from scripts.system_packages import browser  # noqa: E402
from tests.openai_server import OpenAIServer  # noqa: E402
from tests.setup.running_up import RunningUp  # noqa: E402

PICTURES = ROOT / "docs" / "screenshots"
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
PROBLEMS = 6
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
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
    Shot("settings", at("/settings")),
    Shot("settings-model", at("/settings"), _open_model),
    Shot("workers", at("/workers")),
    Shot("workers-zh", at("/workers"), language="zh"),
    Shot("palette", at("/runs"), _search),
    Shot("keys", run(REJECTED), _show_keys),
    Shot("not-found", at("/runs"), _lost),
    Shot("login", at("/login"), known=False),
)


def main(arguments: list[str]) -> int:
    """Take them; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="which pictures; all where none is named")
    parser.add_argument("--into", type=Path, default=PICTURES)
    given = parser.parse_args(arguments)
    shots = [shot for shot in SHOTS if not given.names or shot.name in given.names]
    program = os.environ.get("CHROMIUM") or browser()
    if program is None:
        print("No browser: install chromium (aworld doctor says how), then run it again.")
        return 1
    given.into.mkdir(parents=True, exist_ok=True)
    with _installation() as (up, world), sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=FLAGS)
        written = sum(_take_all(chromium, up.url, world, shots, given.into))
        chromium.close()
    print(f"written: {len(shots) * 4} pictures, {written / 1e6:.1f} MB, into {given.into}")
    return 0


@contextmanager
def _installation() -> Iterator[tuple[RunningUp, World]]:
    """A whole installation with its runs, gone afterwards."""
    environment = {name: value for name, value in os.environ.items() if "AWORLD_" not in name}
    environment.update(_asked_for_front_end(), AWORLD_CONCURRENCY="2")
    # A run that is cancelled closes its connection; that is no fault of the model's server.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    scenes = dict(SCENES)
    script = ScriptedModel(scenes)
    command = [sys.executable, "-m", "aworld.command_line.main"]
    with (
        tempfile.TemporaryDirectory(prefix="aworld-pictures-") as folder,
        OpenAIServer(default=script.reply) as model,
    ):
        environment["AWORLD_LOCAL_MODEL_URL"] = model.base_url
        environment["PYTHONPATH"] = str(ROOT)
        with RunningUp(command, Path(folder), environment=environment) as up:
            try:
                api = Api(up.url, up.link())
                up.until(lambda: up.report().get("setup", {}).get("ready"), "readiness")
                problems = api.get(f"/tasks?limit={PROBLEMS}")["tasks"]
                for task in problems:
                    expression = task["metadata"]["expression"]
                    scenes[task["question"]] = worked_out(expression, task["answer"])
                world = World(api, model.base_url, script)
                world.fill(problems)
                yield up, world
            finally:
                script.end()


def _asked_for_front_end() -> dict[str, str]:
    built = os.environ.get("AWORLD_FRONTEND")
    return {} if built is None else {"AWORLD_FRONTEND": built}


def _take_all(
    chromium: Browser, url: str, world: World, shots: list[Shot], into: Path
) -> Iterator[int]:
    """Bytes written, a picture at a time."""
    forms = [
        (width, size, theme)
        for width, size in (("1440", WIDE), ("390", PHONE))
        for theme in ("dark", "light")
    ]
    for hurry in (True, False):
        for width, size, theme in forms:
            contexts: dict[tuple[str, bool], BrowserContext] = {}
            for shot in shots:
                if shot.hurry is not hurry:
                    continue
                whose = (shot.language, shot.known)
                if whose not in contexts:
                    contexts[whose] = _context(chromium, url, world, shot, theme, size)
                path = into / f"{shot.name}-{theme}-{width}.png"
                path.write_bytes(_take(contexts[whose].new_page(), shot, world))
                yield path.stat().st_size
            for context in contexts.values():
                context.close()


def _context(
    chromium: Browser, url: str, world: World, shot: Shot, theme: str, size: dict[str, int]
) -> BrowserContext:
    context = chromium.new_context(
        base_url=url,
        viewport=size,  # type: ignore[arg-type]
        locale="zh-CN" if shot.language == "zh" else "en-US",
        timezone_id="UTC",
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        is_mobile=size is PHONE,
        has_touch=size is PHONE,
    )
    context.add_init_script(
        f"localStorage.setItem('aworld.theme', '\"{theme}\"');"
        f"localStorage.setItem('aworld.language', '\"{shot.language}\"');"
    )
    if shot.known:
        context.add_cookies(world.api.cookies())  # type: ignore[arg-type]
    return context


def _take(page: Page, shot: Shot, world: World) -> bytes:
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(error.message))
    page.goto(shot.path(world))
    _settle(page)
    shot.act(page, world)
    _settle(page)
    # A ring that only says where the driver clicked is no part of the page.
    page.evaluate("document.activeElement?.matches('[role=tab]') && document.activeElement.blur()")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if wide > 0:
        print(f"{shot.name}: {wide} px wider than the screen of {page.viewport_size}")
    if faults:
        print(f"{shot.name}: {faults}")
    picture = _smaller(page.screenshot())
    page.close()
    return picture


def _settle(page: Page) -> None:
    """Until what is loaded is drawn; a live page never falls silent, so no waiting for silence."""
    page.wait_for_load_state("load")
    page.wait_for_function(
        """() => document.fonts.status === "loaded"
            && document.querySelector("[role=status][aria-label]:not([title])") === null"""
    )
    page.wait_for_timeout(450)


def _smaller(picture: bytes) -> bytes:
    """The same picture, packed better where Pillow is there."""
    try:
        pillow = importlib.import_module("PIL.Image")
    except ImportError:
        return picture
    image = pillow.open(io.BytesIO(picture)).convert("RGB")
    packed = io.BytesIO()
    image.save(packed, "PNG", optimize=True)
    return min(packed.getvalue(), picture, key=len)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
