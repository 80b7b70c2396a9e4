"""How the Run page carries a run of 1,000,000 events and a payload of 20 MB.

`python benchmarks/viewer_million.py --dist frontend/dist` starts the fixture server, drives a
headless Chromium and prints JSON lines `{name, value, unit, goal}`. Times in the page are the
page's own work (script in animation frames), so a busy machine disturbs them least.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-precise-memory-info",
]
WATCH = """
window.frames_ms = []; window.long_ms = [];
const real = window.requestAnimationFrame.bind(window);
let sum = 0, pending = 0;
window.requestAnimationFrame = (run) => real((now) => {
  const started = performance.now();
  run(now);
  sum += performance.now() - started;
  if (!pending) { pending = 1; queueMicrotask(() => {
    window.frames_ms.push(sum); sum = 0; pending = 0; }); }
});
new PerformanceObserver((list) => list.getEntries().forEach((e) => window.long_ms.push(e.duration)))
  .observe({ type: "longtask", buffered: true });
"""


def report(name: str, value: float, unit: str, goal: float) -> None:
    """One line of the results."""
    row = {"name": name, "value": round(value, 2), "unit": unit, "goal": goal}
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def wait_until_up(
    address: str, server: subprocess.Popen[bytes] | None, seconds: float = 300
) -> None:
    """Wait for the fixture, which first writes a million events."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if server is not None and server.poll() is not None:
            raise SystemExit(f"The fixture ended with status {server.returncode}; see above.")
        try:
            urllib.request.urlopen(address, timeout=5).read()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise SystemExit(f"{address} did not answer within {seconds:.0f} s")


def first_paint(page: Page, address: str) -> None:
    """From the start of the navigation to the first draw of the timeline with bars."""
    page.goto(f"{address}/runs/million")
    page.wait_for_function("performance.getEntriesByName('timeline drawn').length > 0")
    drawn = page.evaluate("performance.getEntriesByName('timeline drawn')[0].startTime")
    page.locator("article").first.wait_for()
    shown = page.evaluate("performance.now()")
    report("viewer_1m_first_paint_s", drawn / 1000, "s", 1.5)
    report("viewer_1m_transcript_s", shown / 1000, "s", 1.5)


def zoom(page: Page, steps: int = 160) -> None:
    """Script time in the frames of zooming in and out over the whole range."""
    page.wait_for_timeout(1500)
    box = page.locator("canvas[role=img]").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.34, box["y"] + 90)
    page.evaluate("window.frames_ms.length = 0")
    for step in range(steps):
        page.mouse.wheel(0, -220 if step < steps / 2 else 220)
        page.evaluate("new Promise((done) => setTimeout(done, 16))")
    frames = sorted(page.evaluate("window.frames_ms"))
    report("viewer_1m_zoom_p95_ms", frames[int(len(frames) * 0.95)], "ms", 16.7)
    report("viewer_1m_zoom_median_ms", statistics.median(frames), "ms", 16.7)


def heap(page: Page) -> None:
    """JavaScript heap after a collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = page.evaluate("performance.memory.usedJSHeapSize")
    report("viewer_1m_heap_mb", used / 2**20, "MB", 400)


def large_payload(page: Page, address: str) -> None:
    """From choosing Payload to its first lines, and the longest task meanwhile."""
    page.goto(f"{address}/runs/large?seq=7")
    page.get_by_role("tab", name="Payload").wait_for()
    page.wait_for_timeout(1500)
    page.evaluate("window.long_ms.length = 0")
    started = page.evaluate("performance.now()")
    page.get_by_role("tab", name="Payload").click()
    page.locator("code", has_text="tool.returned").first.wait_for()
    shown = page.evaluate("performance.now()")
    report("viewer_20mb_payload_s", (shown - started) / 1000, "s", 1.0)
    longest = max(page.evaluate("window.long_ms"), default=0)
    report("viewer_20mb_longest_task_ms", longest, "ms", 100)


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=ROOT / "frontend" / "dist")
    parser.add_argument("--port", type=int, default=8471)
    parser.add_argument("--url", default="", help="a fixture that runs already")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    address = options.url or f"http://127.0.0.1:{options.port}"
    fixture = ROOT / "frontend" / "dev" / "run_fixture.py"
    server = (
        None
        if options.url
        else subprocess.Popen(
            [
                sys.executable,
                str(fixture),
                "--million",
                "--port",
                str(options.port),
                "--dist",
                str(options.dist),
            ],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )
    )
    try:
        wait_until_up(f"{address}/api/runs/million", server)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.add_init_script(WATCH)
            first_paint(page, address)
            zoom(page)
            heap(page)
            large_payload(page, address)
            browser.close()
    finally:
        if server is not None:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
