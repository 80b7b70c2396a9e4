"""How the browser is shut in, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from aworld.sandbox.process_tree import descendants
from aworld.tools import open_things
from aworld.tools.base import ToolContext
from aworld.tools.browser import memory
from aworld.tools.browser.chromium import browsers
from aworld.tools.browser.program import find_browser
from tests.tools.browser.calling import browse, missing, refused
from tests.tools.browser.small_site import SmallSite

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(bool(missing()), reason=missing()),
]


def status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


async def jailed() -> list[int]:
    """The pids of the browser's processes."""
    chromium = await browsers.get()
    if not chromium.confinement.startswith("jail"):
        pytest.skip(f"The browser runs as {chromium.confinement!r} here.")
    program = find_browser()
    return [pid for pid in descendants(chromium.pid) if command(pid).startswith(f"{program} ")]


async def test_pages_run_as_nobody_without_rights_behind_two_walls(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    chromium = await browsers.get()
    pids = await jailed()
    assert pids
    for pid in pids:
        found = status(pid)
        assert found["NoNewPrivs"] == "1"
        if os.geteuid() == 0:
            assert int(found["Uid"].split()[0]) >= 0x4000_0000
        assert os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")
    pages = [pid for pid in pids if "--type=renderer" in command(pid)]
    if chromium.confinement == "jail+sandbox":
        assert {status(pid)["Seccomp"] for pid in pages} == {"2"}


async def test_the_jail_has_no_file_and_no_variable_of_the_machine(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    first, *_ = await jailed()
    inside = Path(f"/proc/{first}/root")
    assert not (inside / "etc/shadow").exists() and list((inside / "home").glob("*")) == []
    accounts = (inside / "etc/passwd").read_text(encoding="utf-8").splitlines()
    assert [line.partition(":")[0] for line in accounts] == ["root", "nobody"]
    names = {
        item.partition("=")[0]
        for item in Path(f"/proc/{first}/environ").read_text(encoding="utf-8").split("\0")
    }
    assert "AWORLD_HOME" not in names and not {n for n in names if "KEY" in n or "TOKEN" in n}


async def test_after_a_crash_the_next_call_starts_a_new_browser(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    await jailed()
    before = (await browsers.get()).pid
    os.kill(before, signal.SIGKILL)
    await asyncio.gather(browse(context, "text"), return_exceptions=True)
    result = await browse(context, "navigate", url=site.url())
    assert "Page: Start" in result.text
    assert (await browsers.get()).pid != before
    assert not Path(f"/proc/{before}").exists()


async def test_a_driver_that_dies_is_replaced_too(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url())
    await jailed()
    before = (await browsers.get()).pid
    drivers = [pid for pid in descendants(os.getpid()) if "/driver/node" in command(pid)]
    (driver,) = (pid for pid in drivers if before in descendants(pid))
    os.kill(driver, signal.SIGKILL)
    while memory.runs(before):
        await asyncio.sleep(0.01)
    assert "Page: Start" in (await browse(context, "navigate", url=site.url())).text


async def test_downloads_that_nobody_fetches_end_the_browser_before_the_disk_is_full(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    await jailed()
    chromium = await browsers.get()
    with (chromium.downloads / "heavy").open("wb") as file:
        file.truncate(3 * 1024**2)
    await memory.watch(chromium.pid, chromium.downloads, most_disk_mb=2)
    assert not chromium.alive
    assert "Page: Start" in (await browse(context, "navigate", url=site.url())).text


async def test_a_run_without_a_workspace_gets_no_browser() -> None:
    assert "has no workspace" in await refused(ToolContext(), "tabs")


async def test_a_page_that_hangs_does_not_hang_the_run(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url("busy"))
    said = await refused(context, "click", target="Spin")
    assert "keeps it busy" in said or "could not be acted on" in said
    await browse(context, "tab_close")
    assert "Page: Start" in (await browse(context, "navigate", url=site.url())).text


@pytest.mark.long
async def test_a_page_that_eats_memory_is_ended_alone(
    context: ToolContext, site: SmallSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await jailed()
    chromium = await browsers.get()
    other = ToolContext(workspace=str(tmp_path / "other"), network=context.network)
    watch = asyncio.create_task(memory.watch(chromium.pid, tmp_path, most_mb=1500))
    try:
        await browse(other, "navigate", url=site.url())
        await browse(context, "navigate", url=site.url("hungry"))
        await browse(context, "click", target="Eat")
        for _ in range(60):
            result = await browse(context, "tabs")
            if result.text == "No tab is open.":
                break
            await asyncio.sleep(0.5)
        assert "The page crashed" in (await browse(context, "tab_new")).text or not result.data
        assert "Page: Start" in (await browse(other, "snapshot")).text
    finally:
        watch.cancel()
        await open_things.close_all(other.workspace)


async def test_a_runs_end_closes_its_tabs_and_the_browsers_end_leaves_nothing(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    await jailed()
    chromium = await browsers.get()
    await open_things.close_all(context.workspace)
    assert chromium.browser.contexts == []
    folder, pids = chromium.downloads.parent, descendants(chromium.pid)
    await browsers.close()
    assert not folder.exists()
    assert not [pid for pid in pids if Path(f"/proc/{pid}/exe").exists()]
