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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.screenshot_model import ScriptedModel  # noqa: E402
from scripts.screenshot_pages import PHONE, SHOTS, WIDE, Shot  # noqa: E402
from scripts.screenshot_scenes import SCENES, worked_out  # noqa: E402
from scripts.screenshot_world import Api, World  # noqa: E402
from scripts.system_packages import browser  # noqa: E402
from tests.openai_server import OpenAIServer  # noqa: E402
from tests.setup.running_up import RunningUp  # noqa: E402

PICTURES = ROOT / "docs" / "screenshots"
PROBLEMS = 6
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


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
