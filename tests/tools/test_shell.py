"""The shell: what it keeps, what it shows, how it ends."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aworld.errors import SandboxError, ToolError
from aworld.sandbox import SandboxLimits, open_sandbox, probe_bubblewrap
from aworld.tools import registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.builtin import shell as module
from aworld.tools.failures import ToolRefused, ToolTimeout
from aworld.tools.open_things import close_all
from aworld.tools.shell.output import CutOutput, readable
from aworld.tools.shell.session import ShellSession

probe = probe_bubblewrap()
pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[ToolContext]:
    yield ToolContext(workspace=str(tmp_path))
    await close_all(str(tmp_path))


async def run(context: ToolContext, command: str, timeout_s: float = 20.0) -> ToolResult:
    return await registry.call("shell", context, {"command": command, "timeout_s": timeout_s})


async def said(context: ToolContext, command: str) -> str:
    return (await run(context, command)).text


def runs_on_the_machine(what: str) -> bool:
    listed = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True)
    return what in listed.stdout.splitlines()


async def test_folder_variables_and_functions_stay_for_the_next_call(
    context: ToolContext, tmp_path: Path
) -> None:
    await run(context, "mkdir -p a/b && cd a/b && x='1  2' && f() { echo \"f $1\"; }")
    assert (
        await said(context, 'pwd; echo "$x"; f 3; echo text > file') == "/workspace/a/b\n1  2\nf 3"
    )
    assert (tmp_path / "a/b/file").read_text(encoding="utf-8") == "text\n"


async def test_output_and_errors_come_in_order_with_the_exit_code(context: ToolContext) -> None:
    result = await run(
        context, "echo one; echo two >&2; echo three; exit_with() { return 7; }; exit_with"
    )
    assert result == ToolResult(
        "one\ntwo\nthree\n(exit code 7)",
        data={"exit_code": 7, "folder": "/workspace", "bytes": 14},
    )
    assert await said(context, "true") == "(no output)"


async def test_several_lines_and_here_documents_work(context: ToolContext) -> None:
    command = "for n in 1 2; do\n  echo $n\ndone\ncat <<'X' | tr a b\naaa $n\nX"
    assert await said(context, command) == "1\n2\nbbb $n"
    assert "syntax error" in await said(context, "if then")
    assert await said(context, "echo goes on") == "goes on"


@pytest.mark.parametrize("program", ["python3", "cat", "read x", "bash", "sh -i", "ssh x", "less"])
async def test_a_program_that_waits_for_somebody_ends(context: ToolContext, program: str) -> None:
    await run(context, f"{program} > /dev/null 2>&1", timeout_s=10)


async def test_a_command_that_takes_too_long_is_stopped_and_the_shell_stays(
    context: ToolContext,
) -> None:
    await run(context, "x=kept; sleep 987 & ")
    with pytest.raises(ToolTimeout, match="(?s)begun\n.*it did not end within 0.3 s") as stopped:
        await run(context, "echo begun; (setsid sleep 986 &) ; sleep 985", timeout_s=0.3)
    assert "variables" not in str(stopped.value)
    assert await said(context, "echo $x; jobs") == "kept\n[1]+  Running                 sleep 987 &"
    assert not runs_on_the_machine("sleep 986")
    assert not runs_on_the_machine("sleep 985")


async def test_a_shell_that_is_busy_itself_is_replaced(context: ToolContext) -> None:
    with pytest.raises(ToolTimeout, match="the next call starts a new one"):
        await run(context, "x=lost; while :; do :; done", timeout_s=0.2)
    assert await said(context, 'echo "[$x]"') == "[]"


async def test_a_shell_that_ends_is_replaced_and_says_so(context: ToolContext) -> None:
    for command in ("exit 3", "kill -9 $$", "exec true", "set -e; false"):
        with pytest.raises(ToolError, match="the shell ended: its variables"):
            await run(context, command)
    assert await said(context, "echo back") == "back"


async def test_what_runs_in_the_background_goes_on_and_ends_with_the_run(
    context: ToolContext, tmp_path: Path
) -> None:
    mark = f"sleep 7{os.getpid()}"
    await run(context, f"(setsid {mark} &); nohup {mark} > /dev/null 2>&1 &")
    assert runs_on_the_machine(mark)
    await close_all(str(tmp_path))
    assert not runs_on_the_machine(mark)


async def test_a_server_in_the_background_answers_the_next_call(context: ToolContext) -> None:
    await run(context, "echo page > page; python3 -m http.server 8765 > /dev/null 2>&1 &")
    code = "import urllib.request as u; print(u.urlopen('http://localhost:8765/page').read())"
    fetch = (
        f'for n in 1 2 3 4 5 6 7 8 9; do python3 -c "{code}" 2> /dev/null && break; sleep 0.3; done'
    )
    assert await said(context, fetch) == "b'page\\n'"


async def test_long_output_keeps_both_ends_and_counts_what_is_left_out(
    context: ToolContext,
) -> None:
    result = await run(context, "seq 100000")
    assert result.text.startswith("1\n2\n3\n")
    assert "\n… cut: 570895 of 588895 bytes are left out here …\n" in result.text
    assert result.data == {"exit_code": 0, "folder": "/workspace", "bytes": 588895}


async def test_a_flood_is_stopped(context: ToolContext) -> None:
    with pytest.raises(ToolError, match="it was stopped: it wrote more than 64 MB"):
        await run(context, "yes")
    assert await said(context, "echo back") == "back"


async def test_a_limit_ends_the_shell_with_its_reason(tmp_path: Path) -> None:
    session = ShellSession(open_sandbox(), tmp_path, limits=SandboxLimits(memory_mb=150))
    eat = "python3 -c 'x = b\"x\" * 200_000_000; import time; time.sleep(9)'"
    with pytest.raises(ToolError, match="150 MB are allowed"):
        module.as_result(await session.execute(eat, 20.0))
    assert (await session.execute("echo back", 20.0)).output == "back\n"
    await session.close()


async def test_what_the_sandbox_forbids_is_explained(context: ToolContext) -> None:
    text = await said(context, "mount -t tmpfs none /tmp; touch /usr/x")
    assert "sandbox: only /workspace and /tmp can be written" in text
    text = await said(
        context, "python3 -c 'import urllib.request as u; u.urlopen(\"http://x.org\")'"
    )
    assert "sandbox: there is no network" in text


async def test_hosts_that_are_not_allowed_are_named(tmp_path: Path) -> None:
    context = ToolContext(workspace=str(tmp_path), network=("example.invalid",))
    code = "import urllib.request as u; u.urlopen('http://example.org/')"
    text = await said(context, f'python3 -c "{code}"')
    reason = "'example.org' is not on the list of allowed hosts (example.invalid)"
    assert f"sandbox: example.org:80: {reason}" in text
    narrower = ToolContext(workspace=str(tmp_path))
    assert await said(narrower, 'echo "[$http_proxy]"') == "[]"
    await close_all(str(tmp_path))


async def test_two_calls_at_once_take_turns(context: ToolContext) -> None:
    both = await asyncio.gather(said(context, "sleep 0.2; echo a"), said(context, "echo b"))
    assert list(both) == ["a", "b"]


async def test_two_workspaces_have_shells_of_their_own(
    context: ToolContext, tmp_path: Path
) -> None:
    other = ToolContext(workspace=str(tmp_path / "other"))
    await run(context, "x=1")
    assert await said(other, 'echo "[$x]"; pwd') == "[]\n/workspace"
    await close_all(other.workspace)


async def test_a_cancelled_call_ends_its_command(context: ToolContext) -> None:
    mark = f"sleep 8{os.getpid()}"
    call = asyncio.create_task(run(context, mark))
    await asyncio.sleep(0.3)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not runs_on_the_machine(mark)
    assert await said(context, "echo back") == "back"


async def test_a_command_cannot_pretend_to_be_the_next_one(context: ToolContext) -> None:
    forged = "printf '\\0%s 0 /\\0' aaaaaaaa; printf 'x\\0y\\0'; cat <&3; echo end >&5"
    text = await said(context, forged)
    assert "Bad file descriptor" in text
    assert await said(context, "echo real") == "real"


async def test_a_zero_byte_and_a_missing_workspace_are_refused(context: ToolContext) -> None:
    with pytest.raises(ToolError, match="may not hold a zero byte"):
        await run(context, "echo \0")
    with pytest.raises(ToolError, match="may have 200000 bytes"):
        await run(context, "echo " + "x" * 200_000)
    with pytest.raises(ToolRefused, match="has no workspace"):
        await run(ToolContext(), "true")
    with pytest.raises(ToolError, match="does not fit"):
        await run(context, "true", timeout_s=-1)


async def test_without_a_sandbox_it_is_refused(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> object:
        raise SandboxError("There is no sandbox.")

    monkeypatch.setattr(module, "open_sandbox", none)
    with pytest.raises(ToolRefused, match="There is no sandbox"):
        await run(context, "true")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (b"\x1b[31mred\x1b[0m \x1b]0;title\x07x\x1b(B", "red x"),
        (b" 10%\r 50%\r100%\ndone\r\n", "100%\ndone\n"),
        (b"a\x07\x08b\x00\tc\x9b2J", "ab\tc\ufffd2J"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"\x1b]52;c;aGk=\x1b\\ok\x1bP1$x\x1b\\", "ok"),
    ],
)
def test_what_only_a_terminal_obeys_is_taken_out(written: bytes, shown: str) -> None:
    assert readable(written) == shown


def test_output_is_cut_in_the_middle_whatever_the_pieces() -> None:
    data = bytes(range(48, 58)) * 10
    for size in (1, 7, 100):
        output = CutOutput(head=12, tail=5)
        for start in range(0, 100, size):
            output.add(data[start : start + size])
        assert output.text() == "012345678901\n… cut: 83 of 100 bytes are left out here …\n56789"
