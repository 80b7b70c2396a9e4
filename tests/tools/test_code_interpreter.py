"""Python in the sandbox: what it keeps, what it shows, how it ends."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aworld.errors import SandboxError, ToolError
from aworld.sandbox import SandboxLimits, probe_bubblewrap
from aworld.tools import registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.builtin import code_interpreter
from aworld.tools.failures import ToolRefused, ToolTimeout
from aworld.tools.interpreter import session
from aworld.tools.interpreter import sessions as module
from aworld.tools.interpreter.sessions import close_interpreter, sessions

probe = probe_bubblewrap()
pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[ToolContext]:
    yield ToolContext(workspace=str(tmp_path))
    await close_interpreter(str(tmp_path))


async def run(context: ToolContext, code: str) -> ToolResult:
    return await registry.call("code_interpreter", context, {"code": code})


async def test_output_comes_first_then_the_last_value(context: ToolContext) -> None:
    code = "import sys\nprint('解')\nprint('warn', file=sys.stderr)\n6 * 7"
    assert await run(context, code) == ToolResult(
        "解\nstderr:\nwarn\n42",
        data={"stdout": "解\n", "stderr": "warn\n", "value": "42", "files": []},
    )
    assert (await run(context, "x = 1")).text == "(no output)"


async def test_variables_and_files_stay_for_the_next_call(
    context: ToolContext, tmp_path: Path
) -> None:
    await run(context, "x = 20\ndef double(n): return 2 * n")
    assert (await run(context, "x += 1\ndouble(x)")).text == "42"
    assert (await run(context, "_ + 1")).text == "43"
    await run(context, "open('out.txt', 'w').write('kept')")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "kept"


async def test_a_file_from_the_files_tool_can_be_changed_by_code(
    context: ToolContext, tmp_path: Path
) -> None:
    await run(context, "1")
    written = {"action": "write", "path": "data/in.txt", "text": "a"}
    await registry.call("files", context, written)
    await run(context, "open('data/in.txt', 'a').write('b'); open('data/new', 'w').close()")
    assert (tmp_path / "data/in.txt").read_text(encoding="utf-8") == "ab"


async def test_an_error_shows_the_cells_line_and_keeps_the_variables(context: ToolContext) -> None:
    with pytest.raises(ToolError) as raised:
        await run(context, "x = 5\nprint('before')\nx / 0")
    text = str(raised.value)
    assert text.startswith("before\nTraceback (most recent call last):")
    assert 'File "<cell 1>", line 3' in text and "x / 0" in text
    assert text.endswith("ZeroDivisionError: division by zero")
    assert "execute" not in text
    assert (await run(context, "x")).text == "5"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def f(:", "SyntaxError"),
        ("exit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("input('name? ')", "EOFError"),
        ("open('/etc/shadow')", "FileNotFoundError"),
        ("import socket; socket.create_connection(('1.1.1.1', 53), 1)", "unreachable"),
        ("import os; os._exit(3)", "ended by its own code"),
    ],
)
async def test_what_goes_wrong_is_told(context: ToolContext, code: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        await run(context, code)
    assert (await run(context, "1 + 1")).text == "2"


async def test_a_limit_that_ends_the_interpreter_is_named(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LIMITS", SandboxLimits(memory_mb=150))
    hold = "import time\nx = b'x' * 200_000_000\ntime.sleep(20)"
    with pytest.raises(ToolError, match="because it used .* 150 MB are allowed"):
        await run(context, hold)


async def test_output_of_children_is_seen_too(context: ToolContext) -> None:
    code = "import subprocess\nsubprocess.run(['echo', 'child']).returncode"
    assert (await run(context, code)).text == "child\n0"


async def test_a_lot_of_output_is_cut_and_counted(context: ToolContext) -> None:
    (whole,) = (await run(context, "print('x' * 50_000)")).attachments
    assert whole.data.decode() == "x" * 40_000 + "\n… cut: 10001 more bytes were written."


async def test_code_that_does_not_end_is_killed_with_its_children(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_interpreter, "SECONDS", 1.0)
    code = "import subprocess\nsubprocess.Popen(['sleep', '43217'])\nwhile True: pass"
    with pytest.raises(ToolTimeout, match="did not end within 1 s and was stopped"):
        await run(context, code)
    shown = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True)
    assert "sleep 43217" not in shown.stdout.splitlines()


async def test_two_calls_at_once_wait_for_each_other(context: ToolContext) -> None:
    await run(context, "n = 0")
    step = "import time\nseen = n\ntime.sleep(0.1)\nn = seen + 1"
    await asyncio.gather(*(run(context, step) for _ in range(3)))
    assert (await run(context, "n")).text == "3"


async def test_open_figures_become_pictures_and_tables_are_shown(context: ToolContext) -> None:
    code = """\
import numpy as np, pandas as pd
import matplotlib.pyplot as plt
table = pd.DataFrame({"x": np.arange(3), "y": np.arange(3) ** 2})
table.plot(x="x", y="y")
plt.figure(figsize=(2, 1), dpi=100)
plt.show()
table["y"].sum()
"""
    result = await run(context, code)
    assert result.text == "np.int64(5)\n(2 plots attached)"
    assert [file.name for file in result.attachments] == ["plot-1.png", "plot-2.png"]
    assert {file.media_type for file in result.attachments} == {"image/png"}
    assert [width_and_height(file.data) for file in result.attachments] == [(640, 480), (200, 100)]
    assert (await run(context, "table.shape")).attachments == ()
    many = await run(context, "for n in range(10): plt.figure(figsize=(1, 1))")
    assert (many.text, len(many.attachments)) == ("(8 plots attached, 2 left out)", 8)
    with pytest.raises(ToolError, match="MemoryError"):
        await run(context, "plt.figure(figsize=(1e4, 1e4)); None")
    assert (await run(context, "1")).text == "1"
    picture = await run(context, "from PIL import Image; Image.new('RGB', (3, 2))")
    assert width_and_height(picture.attachments[0].data) == (3, 2)


def width_and_height(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


async def test_loading_a_library_takes_no_time_of_the_cell(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_interpreter, "SECONDS", 0.25)
    code = "import time, sys\nbegan = time.process_time()\n{}\ntime.process_time() - began"
    assert float((await run(context, code.format("import pandas as pd"))).text) < 0.1
    assert (await run(context, "pd.__name__")).text == "'pandas'"
    monkeypatch.setattr(session, "PREPARE_S", 0.01)
    with pytest.raises(ToolTimeout, match=r"libraries were not loaded within 0\.01 s"):
        await run(context, "import sympy")


async def test_files_that_the_code_wrote_are_named(context: ToolContext, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("old", encoding="utf-8")
    code = "import os\nos.mkdir('out')\nopen('out/a.csv', 'w').write('1,2')\nos.symlink('/', 'x')"
    result = await run(context, code)
    assert result.text == "(files written: out/a.csv (3 bytes))"
    assert result.data["files"] == [{"path": "out/a.csv", "size": 3}]
    with pytest.raises(ToolError, match=r"\(files written: old.txt \(5 bytes\)\)"):
        await run(context, "open('old.txt', 'w').write('newer'); 1 / 0")
    many = await run(context, "for n in range(30): open(f'{n:02}.txt', 'w').close()")
    assert many.text.endswith("19.txt (0 bytes) and 10 more)")


async def test_a_file_of_the_workspace_cannot_pose_as_a_library_before_its_time(
    context: ToolContext, tmp_path: Path
) -> None:
    (tmp_path / "sympy.py").write_text("raise RuntimeError('posed')", encoding="utf-8")
    assert (await run(context, "import sympy; sympy.__name__")).text == "'sympy'"


async def test_a_closed_interpreter_forgets(context: ToolContext) -> None:
    await run(context, "x = 1")
    await close_interpreter(context.workspace)
    with pytest.raises(ToolError, match="NameError"):
        await run(context, "x")


async def test_the_longest_unused_interpreter_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SESSIONS", 2)
    contexts = [ToolContext(workspace=str(tmp_path / name)) for name in "abc"]
    for context in contexts:
        await run(context, "x = 1")
    assert (await run(contexts[2], "x")).text == "1"
    with pytest.raises(ToolError, match="NameError"):
        await run(contexts[0], "x")
    for context in contexts:
        await close_interpreter(context.workspace)


async def test_an_idle_interpreter_is_ended(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.01)
    await run(context, "x = 1")
    async with asyncio.timeout(10):
        while sessions.count():
            await asyncio.sleep(0.01)
    with pytest.raises(ToolError, match="NameError"):
        await run(context, "x")


def test_the_end_of_an_event_loop_ends_its_interpreters(tmp_path: Path) -> None:
    async def once() -> str:
        context = ToolContext(workspace=str(tmp_path))
        return (await run(context, "import os; os.listdir('/proc/self/fd'); 7")).text

    # Nobody closes them; an open transport would be a warning, and that an error.
    assert [asyncio.run(once()) for _ in range(2)] == ["7", "7"]


async def test_without_a_workspace_no_code_is_run() -> None:
    with pytest.raises(ToolRefused, match="no workspace"):
        await run(ToolContext(), "1")


async def test_without_a_sandbox_the_call_is_refused_with_the_cure(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise SandboxError("There is no sandbox: install bubblewrap.")

    monkeypatch.setattr(code_interpreter, "open_sandbox", none)
    with pytest.raises(ToolRefused, match="install bubblewrap"):
        await run(context, "1")
