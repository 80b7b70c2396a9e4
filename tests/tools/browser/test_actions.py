"""What agents do with pages, and what they are told."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from aworld.tools.base import ToolContext
from aworld.tools.failures import MalformedCall, ToolRefused
from tests.tools.browser.calling import browse, missing, refused
from tests.tools.browser.small_site import SmallSite

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(bool(missing()), reason=missing()),
]


async def test_a_page_is_shown_as_a_tree_with_refs(context: ToolContext, site: SmallSite) -> None:
    result = await browse(context, "navigate", url=site.url())
    assert f"Page: Start\nAddress: {site.url()}\n" in result.text
    assert re.search(r'- button "Greet" \[ref=\w+\]', result.text)
    assert result.data == {"address": site.url(), "tab": 1}


async def test_elements_are_acted_on_by_name_or_by_ref(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    filled = await browse(context, "fill", target="Name", text="Ada")
    ref = re.search(r'button "Greet" \[ref=(\w+)\]', filled.text)
    assert ref is not None
    assert "Hello Ada" in (await browse(context, "click", target=ref[1])).text
    chosen = await browse(context, "select", target="Colour", options=["Green"])
    assert '- option "Green" [selected]' in chosen.text
    assert "hovered" in (await browse(context, "hover", target="Hover me")).text
    assert "dropped" in (await browse(context, "drag", target="Grip", to="Bin")).text


async def test_what_cannot_be_done_is_told_in_a_sentence(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    said = await refused(context, "click", target="Grret")
    assert said.startswith("There is no element 'Grret' on the page. The nearest: button 'Greet'")
    assert "no option 'Blue'. It has: 'Red', 'Green'." in await refused(
        context, "select", target="Colour", options=["Blue"]
    )
    assert "disabled" in await refused(context, "click", target="Locked")
    assert "no element 'e999'" in await refused(context, "click", target="e999")
    assert "no key of that name" in await refused(context, "press", key="Entre")
    assert "outside of the picture" in await refused(context, "click_at", x=5000, y=1)
    await browse(context, "navigate", url=site.url("second"))
    assert '<div id="veil"' in await refused(context, "click", target="Under")


async def test_arguments_are_those_of_the_action(context: ToolContext) -> None:
    with pytest.raises(MalformedCall, match="'fill' needs 'text'"):
        await browse(context, "fill", target="Name")
    with pytest.raises(MalformedCall, match="'back' takes no 'url'"):
        await browse(context, "back", url="http://example.org")


async def test_a_question_of_the_page_waits_for_an_answer(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    assert (
        "The page asks (confirm): 'Really?'" in (await browse(context, "click", target="Ask")).text
    )
    assert "Use the action 'dialog' first" in await refused(context, "click", target="Greet")
    assert "paragraph" in (await browse(context, "dialog", accept=False)).text
    assert (await browse(context, "text", target="no")).text == "no"
    warned = await browse(context, "click", target="Warn")
    assert "The page said: 'Mind the gap'" in warned.text and "minded" in warned.text


async def test_tabs_open_change_and_close(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url())
    opened = await browse(context, "click", target="In a new tab")
    assert "A new tab opened and is the current one: tab 2." in opened.text
    assert "Page: Second" in opened.text
    assert "Page: Start" in (await browse(context, "tab_select", tab=1)).text
    listed = (await browse(context, "tabs")).text.splitlines()
    assert listed == [
        f"1. Start, {site.url()} (current)",
        f"2. Second, {site.url('second')}",
    ]
    await browse(context, "tab_close", tab=2)
    assert "no tab 2: 1 are open" in await refused(context, "tab_select", tab=2)
    await browse(context, "tab_close")
    assert "no open tab" in await refused(context, "click", target="Greet")
    assert "Page: Second" in (await browse(context, "navigate", url=site.url("second"))).text


async def test_pages_go_back_and_forward(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url())
    await browse(context, "click", target="Second page")
    assert "Page: Start" in (await browse(context, "back")).text
    assert "Page: Second" in (await browse(context, "forward")).text


async def test_a_download_lands_in_the_workspace_under_a_harmless_name(
    context: ToolContext, site: SmallSite, workspace: Path
) -> None:
    await browse(context, "navigate", url=site.url())
    result = await browse(context, "download", target="Report")
    assert "Downloaded 'downloads/report.csv' (8 bytes)." in result.text
    await browse(context, "download", target="Report")
    await browse(context, "click", target="Odd report")
    await asyncio.sleep(0)
    names = sorted(path.name for path in (workspace / "downloads").iterdir())
    assert names[-2:] == ["report-2.csv", "report.csv"] and not names[0].startswith(".")
    assert (workspace / "downloads" / "report.csv").read_bytes() == b"a,b\n1,2\n"
    assert sorted(path.name for path in workspace.parent.iterdir()) == ["workspace"]


async def test_files_of_the_workspace_are_uploaded_and_no_others(
    context: ToolContext, site: SmallSite, workspace: Path
) -> None:
    (workspace / "notes.txt").write_text("kept", encoding="utf-8")
    (workspace / "link").symlink_to("/etc/passwd")
    await browse(context, "navigate", url=site.url())
    with pytest.raises(ToolRefused, match="leads out of the workspace"):
        await browse(context, "upload", target="File", paths=["/etc/passwd"])
    with pytest.raises(ToolRefused, match="is a link"):
        await browse(context, "upload", target="File", paths=["link"])
    await browse(context, "upload", target="File", paths=["notes.txt"])
    assert "Thank you" in (await browse(context, "click", target="Send")).text
    assert site.uploaded == {"notes.txt": b"kept"}


async def test_pictures_have_a_fixed_size(context: ToolContext, site: SmallSite) -> None:
    from io import BytesIO

    from PIL import Image

    await browse(context, "navigate", url=site.url("long"))
    (seen,) = (await browse(context, "screenshot")).attachments
    (whole,) = (await browse(context, "screenshot", full_page=True)).attachments
    sizes = [Image.open(BytesIO(picture.data)).size for picture in (seen, whole)]
    assert sizes == [(1280, 800), (1280, 4000)]


async def test_a_page_that_still_loads_is_waited_for(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url("late"))
    assert "late" in (await browse(context, "click", target="Load")).text
    assert "'never' did not appear within 0.2 s" in await refused(
        context, "wait", text="never", seconds=0.2
    )


async def test_nothing_glides(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url("moving"))
    assert "caught" in (await browse(context, "click", target="Catch")).text


async def test_a_long_page_comes_in_pieces(context: ToolContext, site: SmallSite) -> None:
    first = (await browse(context, "navigate", url=site.url("long"))).text
    more = re.search(r"offset (\d+) shows them", first)
    assert more is not None and "Paragraph 599" not in first
    rest = (await browse(context, "text", offset=18_000)).text
    assert rest.endswith("Paragraph 599 says what it says.")


async def test_what_scripts_write_can_be_read(context: ToolContext, site: SmallSite) -> None:
    await browse(context, "navigate", url=site.url("log"))
    said = (await browse(context, "console")).text
    assert "log: loaded" in said and "broken" in said


async def test_two_calls_at_once_of_one_run_take_turns(
    context: ToolContext, site: SmallSite
) -> None:
    await browse(context, "navigate", url=site.url())
    results = await asyncio.gather(
        *(browse(context, "fill", target="Name", text=text) for text in ("first", "second"))
    )
    assert [text in result.text for text, result in zip(("first", "second"), results, strict=True)]
    assert (": first" in results[0].text) and (": second" in results[1].text)
