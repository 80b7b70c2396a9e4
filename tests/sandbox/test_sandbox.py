"""What code in the sandbox can do, and what it cannot."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from aworld.errors import SandboxError
from aworld.sandbox import SandboxLimits, SandboxResult, open_sandbox, probe_bubblewrap
from aworld.sandbox.base import Sandbox
from aworld.sandbox.bubblewrap import BubblewrapSandbox, Way

probe = probe_bubblewrap()
pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")

LIMITS = SandboxLimits(seconds=20, memory_mb=300, processes=32, file_mb=4)
# As root the simpler way must work too: it is what remains where ids are few.
WAYS: tuple[Way, ...] = ("root", "user") if probe.way == "root" else ("user",)


@pytest.fixture(params=WAYS)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return BubblewrapSandbox(request.param)


async def python(sandbox: Sandbox, workspace: Path, code: str, **options: object) -> SandboxResult:
    limits = options.get("limits", LIMITS)
    assert isinstance(limits, SandboxLimits)
    return await sandbox.run(
        [sandbox.python(), "-I", "-c", code], workspace=workspace, limits=limits
    )


async def shell(
    sandbox: Sandbox, workspace: Path, script: str, limits: SandboxLimits = LIMITS
) -> SandboxResult:
    return await sandbox.run(["/bin/sh", "-c", script], workspace=workspace, limits=limits)


async def test_a_command_gives_its_output_and_exit_status(sandbox: Sandbox, tmp_path: Path) -> None:
    result = await sandbox.run(
        ["/bin/sh", "-c", "cat; echo 错误 >&2; exit 3"], workspace=tmp_path, stdin="你好".encode()
    )
    assert result == SandboxResult(exit_code=3, stdout="你好", stderr="错误\n")


async def test_it_is_nobody_in_the_workspace(sandbox: Sandbox, tmp_path: Path) -> None:
    assert (await shell(sandbox, tmp_path, "id -u; pwd")).stdout == "65534\n/workspace\n"


async def test_the_workspace_outlives_the_command(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "given").write_text("in", encoding="utf-8")
    await shell(sandbox, tmp_path, "cat given > taken; echo more >> given; mkdir -p a/b")
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "in"
    assert (tmp_path / "given").read_text(encoding="utf-8") == "inmore\n"
    again = await shell(sandbox, tmp_path, "rmdir a/b && rm taken && ls")
    assert again.stdout == "a\ngiven\n"


async def test_files_of_the_machine_are_not_there(sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret", encoding="utf-8")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "link").symlink_to(secret)
    script = f"cat {secret} link /etc/hostname /etc/shadow /root/.bashrc {__file__}; echo ran"
    result = await shell(sandbox, workspace, script)
    assert result.stdout == "ran\n"
    assert result.stderr.count("No such file or directory") == 6


async def test_only_the_workspace_and_tmp_can_be_written(sandbox: Sandbox, tmp_path: Path) -> None:
    script = (
        "for f in /x /usr/x /usr/bin/x /etc/x /root/x /proc/sys/kernel/hostname; do "
        "echo no > $f 2>/dev/null && echo wrote $f; done; echo yes > /tmp/x && cat /tmp/x"
    )
    assert (await shell(sandbox, tmp_path, script)).stdout == "yes\n"
    assert not Path("/tmp/x").exists()


async def test_the_environment_is_not_passed_on(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    result = await shell(sandbox, tmp_path, "env; cat /proc/[0-9]*/environ 2>/dev/null")
    assert "HOME=/workspace" in result.stdout
    assert "sk-very-secret" not in result.stdout


async def test_there_is_no_network(sandbox: Sandbox, tmp_path: Path) -> None:
    code = (
        "import socket\n"
        "print([line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line])\n"
        "for address in (('127.0.0.1', 22), ('10.0.0.1', 80), ('1.1.1.1', 53)):\n"
        "    try: socket.create_connection(address, 1)\n"
        "    except OSError as error: print(type(error).__name__)\n"
    )
    lines = (await python(sandbox, tmp_path, code)).stdout.splitlines()
    assert lines == ["['lo']", "ConnectionRefusedError", "OSError", "OSError"]


async def test_processes_of_the_machine_cannot_be_seen(sandbox: Sandbox, tmp_path: Path) -> None:
    result = await shell(sandbox, tmp_path, "ls -d /proc/[0-9]* | wc -l")
    assert int(result.stdout) < 10
    assert Path(f"/proc/{os.getpid()}").exists()


async def test_it_has_no_capabilities_and_can_make_no_namespaces(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    result = await shell(sandbox, tmp_path, "grep Cap /proc/self/status; unshare -U id")
    assert {line.split()[1] for line in result.stdout.splitlines()} == {"0" * 16}
    assert "unshare failed" in result.stderr


async def test_a_timeout_kills_the_children_too(sandbox: Sandbox, tmp_path: Path) -> None:
    marker = f"sleep 4{os.getpid()}"
    script = f"({marker} & setsid {marker} & nohup {marker} &) ; echo begun; {marker}"
    result = await shell(sandbox, tmp_path, script, SandboxLimits(seconds=1))
    assert (result.timed_out, result.stdout) == (True, "begun\n")
    running = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True)
    assert marker not in running.stdout.splitlines()


async def test_children_do_not_outlive_the_command(sandbox: Sandbox, tmp_path: Path) -> None:
    marker = f"sleep 5{os.getpid()}"
    script = f"(setsid {marker} >/dev/null 2>&1 &); echo done"
    result = await shell(sandbox, tmp_path, script)
    assert (result.exit_code, result.stdout) == (0, "done\n")
    running = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True)
    assert marker not in running.stdout.splitlines()


async def test_a_fork_bomb_runs_into_a_limit(sandbox: Sandbox, tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "def bomb():\n"
        "    for _ in range(500):\n"
        "        try: pid = os.fork()\n"
        "        except BlockingIOError: return print('limit', flush=True)\n"
        "        if pid == 0: time.sleep(20); os._exit(0)\n"
        "    print('none')\n"
        "bomb(); os._exit(0)\n"
    )
    result = await python(sandbox, tmp_path, code)
    assert result.stdout == "limit\n" or result.refused


async def test_memory_of_one_process_is_limited(sandbox: Sandbox, tmp_path: Path) -> None:
    code = "x = []\nwhile True: x.append(b'x' * 5_000_000)"
    result = await python(sandbox, tmp_path, code)
    assert "MemoryError" in result.stderr or "300 MB are allowed" in result.refused


async def test_memory_of_many_processes_together_is_limited(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    code = (
        "import os, time\n"
        "for _ in range(5):\n"
        "    if os.fork() == 0: x = b'x' * 100_000_000; time.sleep(20); os._exit(0)\n"
        "time.sleep(20)\n"
    )
    assert "300 MB are allowed" in (await python(sandbox, tmp_path, code)).refused


async def test_a_file_can_only_grow_so_large(sandbox: Sandbox, tmp_path: Path) -> None:
    result = await python(sandbox, tmp_path, "open('big', 'wb').write(b'x' * 6_000_000)")
    assert "File too large" in result.stderr
    assert (tmp_path / "big").stat().st_size <= 4 * 1024 * 1024


async def test_long_output_is_cut_and_counted(sandbox: Sandbox, tmp_path: Path) -> None:
    limits = SandboxLimits(output_kb=1)
    result = await shell(sandbox, tmp_path, "head -c 3000 /dev/zero | tr '\\0' x", limits)
    assert (result.stdout, result.cut_bytes) == ("x" * 1024, 3000 - 1024)


async def test_a_flood_of_output_ends_the_command(sandbox: Sandbox, tmp_path: Path) -> None:
    result = await shell(sandbox, tmp_path, "yes", SandboxLimits(output_kb=1))
    assert "64 times 1 KB of output" in result.refused
    assert not result.timed_out


async def test_a_workspace_that_is_not_there_is_named(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match=f"'{tmp_path}/nowhere' is not there"):
        await shell(sandbox, tmp_path / "nowhere", "true")


def test_the_best_sandbox_is_chosen() -> None:
    assert open_sandbox().isolated


async def test_memory_that_forks_share_counts_once(sandbox: Sandbox, tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "x = b'x' * 100_000_000\n"
        "pids = [os.fork() for _ in range(3)]\n"
        "time.sleep(1)\n"
        "print('alive') if all(pids) else os._exit(0)\n"
    )
    result = await python(sandbox, tmp_path, code)
    assert (result.stdout, result.refused) == ("alive\n", "")
