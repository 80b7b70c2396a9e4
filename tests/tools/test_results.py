"""Whatever a tool gives back becomes one kind of result; long texts come a page at a time."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aworld.errors import ToolError
from aworld.tools import pages, registry, results
from aworld.tools.base import Attachment, BaseTool, ToolContext, ToolResult
from aworld.tools.failures import MalformedCall, ToolRefused


class Give(BaseTool, register=False):
    """Gives what it was made with."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def get_schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": {}}

    async def run(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


class Place(msgspec.Struct):
    """Somewhere."""

    x: int


async def given(value: Any, workspace: Path | None = None, run_id: str = "r") -> ToolResult:
    context = ToolContext(run_id=run_id, workspace=str(workspace or ""))
    return await registry.call(Give(value), context, {})


@pytest.mark.parametrize(
    ("value", "text", "data"),
    [
        ("hi", "hi", None),
        (None, "(nothing)", None),
        (4, "4", 4),
        (0.5, "0.5", 0.5),
        (True, "true", True),
        ({"a": [1, {2: "x"}]}, '{"a":[1,{"2":"x"}]}', {"a": [1, {"2": "x"}]}),
        ([], "[]", []),
        (Place(3), '{"x":3}', {"x": 3}),
        (Decimal("1.10"), '"1.10"', "1.10"),
        (datetime.date(2026, 1, 2), '"2026-01-02"', "2026-01-02"),
        (1 + 2j, "(1+2j)", None),
    ],
)
async def test_text_and_data(value: Any, text: str, data: Any) -> None:
    assert await given(value) == ToolResult(text, data)


async def test_a_table_of_pandas_is_shown_as_it_looks() -> None:
    pd = pytest.importorskip("pandas")

    table = pd.DataFrame({"save": [1], "mode": [2], "size": [3]})
    assert (await given(table)).text == str(table)


async def test_bytes_carry_their_media_type_or_are_looked_at() -> None:
    result = await given([(b"x", "image/webp"), b"\x89PNG\r\n\x1a\n", b"?", "three files"])
    assert result.text == "three files"
    assert [(file.name, file.media_type) for file in result.attachments] == [
        ("file-1.webp", "image/webp"),
        ("file-2.png", "image/png"),
        ("file-3.bin", "application/octet-stream"),
    ]
    assert (await given(b"abc")).text == "(file-1.bin (3 bytes) attached)"
    with pytest.raises(ToolError, match="'picture' is no media type"):
        await given((b"x", "picture"))


async def test_pictures_and_figures_become_png() -> None:
    from matplotlib.figure import Figure
    from PIL import Image

    figure = Figure(figsize=(1, 1))
    figure.add_subplot().plot([1, 2])
    result = await given([Image.new("CMYK", (4, 3)).convert("RGB"), figure])
    assert [file.name for file in result.attachments] == ["picture-1.png", "picture-2.png"]
    sizes = [Image.open(io.BytesIO(file.data)).size for file in result.attachments]
    assert sizes == [(4, 3), (100, 100)]
    with pytest.raises(ToolError, match="cannot be drawn as PNG"):
        await given(Image.new("CMYK", (4, 3)))


async def test_a_path_gives_the_file_if_it_is_in_the_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace-1"
    (workspace / "out").mkdir(parents=True)
    (workspace / "out" / "a.csv").write_text("1,2", encoding="utf-8")
    (tmp_path / "secret").write_text("s3cret", encoding="utf-8")
    (workspace / "link").symlink_to("../secret")
    (workspace / "folder").symlink_to("..")
    for path in (Path("out/a.csv"), workspace / "out/a.csv", Path("/workspace/out/a.csv")):
        result = await given(path, workspace)
        assert result.attachments == (Attachment("a.csv", "text/csv", b"1,2"),)
    for outside in ("link", "folder/secret", "../secret", "/etc/passwd", tmp_path / "secret"):
        with pytest.raises(ToolError) as raised:
            await given(Path(outside), workspace)
        assert "s3cret" not in str(raised.value)
    with pytest.raises(ToolRefused, match="no workspace"):
        await given(Path("a.csv"))
    with pytest.raises(ToolError, match="no 'b.csv'"):
        await given(Path("b.csv"), workspace)


async def test_files_are_named_plainly_and_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    result = await given(Attachment("../../etc/a\ud800", "text/plain", b""))
    assert result.attachments[0].name == "a?"
    monkeypatch.setattr(results, "MOST_FILE_BYTES", 2)
    with pytest.raises(ToolError, match="a file of 3 bytes, 'b'; at most 2 can be kept"):
        await given(Attachment("b", "text/plain", b"123"))
    with pytest.raises(ToolError, match="gave 101 files; at most 100"):
        await given([Attachment("b", "text/plain", b"")] * 101)
    with pytest.raises(ToolError, match="gave str where an Attachment was wanted"):
        await given(ToolResult("x", attachments=("y",)))  # type: ignore[arg-type]


LINES = "".join(f"line {number}\n" for number in range(1, 8001))


async def test_a_long_text_comes_as_its_first_page_with_the_whole_attached() -> None:
    result = await given(LINES)
    body, _, note = result.text.rpartition("\n")
    assert body.startswith("line 1\n") and len(body) <= pages.PAGE_CHARACTERS
    (whole,) = result.attachments
    reference = whole.name.removeprefix("result-").removesuffix(".txt")
    assert whole.data.decode() == LINES
    assert note == (
        f"[result:{reference} page 1 of 4; the next one: "
        f'read_result(reference="result:{reference}", page=2)]'
    )
    assert await given(LINES) == result


async def read(context: ToolContext, reference: str, page: int) -> str:
    arguments = {"reference": reference, "page": page}
    return (await registry.call("read_result", context, arguments)).text


async def test_the_pages_together_are_the_text_and_tear_no_line() -> None:
    whole = (await given(LINES)).attachments[0].name.removeprefix("result-").removesuffix(".txt")
    context = ToolContext(run_id="r")
    read_pages = [await read(context, f"result:{whole}", number) for number in range(1, 5)]
    bodies = [page.rpartition("[result:")[0] for page in read_pages]
    assert "".join(bodies) == LINES
    assert all(body.endswith("\n") for body in bodies)
    assert read_pages[-1].endswith(f"[result:{whole} page 4 of 4]")
    # As models copy it.
    assert await read(context, f"[result:{whole} page 1 of 4]", 2) == read_pages[1]
    assert await read(context, whole, 2) == read_pages[1]
    with pytest.raises(MalformedCall, match="'page two' is no reference"):
        await read(context, "page two", 2)
    with pytest.raises(ToolError, match="has 4 pages, so there is no page 5"):
        await read(context, whole, 5)


async def test_a_page_is_never_cut_into_pages_itself() -> None:
    whole = (await given("x" * 100_000)).attachments[0].name[7:15]
    page = await registry.call(
        "read_result", ToolContext(run_id="r"), {"reference": whole, "page": 2}
    )
    assert page.attachments == () and len(page.text) <= pages.PAGE_CHARACTERS


async def test_one_run_cannot_read_anothers_results() -> None:
    whole = (await given(LINES)).attachments[0].name.removeprefix("result-").removesuffix(".txt")
    with pytest.raises(ToolError, match=f"no result 'result:{whole}' in this run"):
        await read(ToolContext(run_id="other"), whole, 1)


async def test_a_result_is_read_on_from_the_runs_log_after_a_restart() -> None:
    asked: list[str] = []

    async def recorded(name: str) -> bytes | None:
        asked.append(name)
        return b"a" * 30_000 if name == "result-0123abcd.txt" else None

    context = ToolContext(run_id="restarted", recorded_file=recorded)
    for _ in range(2):
        assert (await read(context, "result:0123abcd", 2)).startswith("a" * 10_200 + "\n[result:")
    assert asked == ["result-0123abcd.txt"]
    with pytest.raises(ToolError, match="no result 'result:ffffffff' in this run"):
        await read(context, "ffffffff", 1)


async def test_a_text_beyond_all_bounds_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_CHARACTERS", 30_000)
    (whole,) = (await given("x" * 100_000)).attachments
    assert whole.data.decode() == "x" * 30_000 + "\n… cut: 70000 characters more."


async def test_a_long_error_keeps_its_beginning_and_its_end() -> None:
    with pytest.raises(ToolRefused) as raised:
        await given(ToolRefused("begin " + "x" * 100_000 + " end"))
    text = str(raised.value)
    assert text.startswith("begin x") and text.endswith("x end") and len(text) < 21_000
    assert "cut: 80010 characters are left out here" in text
