"""What a stranger's task or an agent may try, to reach files of the machine or to be the judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.environments.base import Task
from aworld.environments.terminal.kind import KIND
from aworld.errors import EnvironmentFault, SandboxError, ToolError
from aworld.sandbox import SandboxLimits, probe_bubblewrap
from aworld.sandbox.disk_usage import WorkspaceLimit
from tests.environments.terminal.task_folder import (
    REWARD,
    act,
    place,
    unsupported,
    verdict_after,
    version_two,
)

probe = probe_bubblewrap()
needs_sandbox = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")


def of_image(folder: Path, lines: str) -> Task:
    return version_two(
        folder,
        f"reward=0; {REWARD}",
        environment__Dockerfile=f"FROM debian\nWORKDIR /app\n{lines}",
        environment__payload="planted",
    )


def host_folder(folder: Path) -> Path:
    """A folder of the machine that whoever comes by could read and write."""
    host = folder / "host"
    host.mkdir()
    (host / "secret").write_text("of the machine", encoding="utf-8")
    host.chmod(0o777)
    return host


@needs_sandbox
@pytest.mark.parametrize(
    "lines",
    [
        "RUN ln -s {host} /app/x\nCOPY payload /app/x/\n",
        "RUN ln -s {host}/new /app/x\nCOPY payload /app/x\n",
        "RUN ln -s {host} /app/x\nCOPY . /app/x\n",
        "COPY payload /data/\nRUN ln -s {host} /data/x\nCOPY payload /data/x/deep/\n",
        "RUN ln -s {host}/made /app/x\nWORKDIR /app/x/deep\nRUN true\nWORKDIR /app\n",
    ],
)
async def test_a_dockerfile_writes_nothing_through_a_link(lines: str, tmp_path: Path) -> None:
    host = host_folder(tmp_path)
    environment = KIND.make(of_image(tmp_path, lines.format(host=host)), place(tmp_path))
    with pytest.raises(EnvironmentFault, match="would be written through a link"):
        await environment.reset()
    assert [path.name for path in host.iterdir()] == ["secret"]


@needs_sandbox
async def test_a_folder_beside_the_workspace_cannot_be_exchanged_for_one_of_the_machine(
    tmp_path: Path,
) -> None:
    host = host_folder(tmp_path)
    environment = KIND.make(of_image(tmp_path, "COPY payload /data/\n"), place(tmp_path))
    await environment.reset()
    exchange = f"for f in /data /app/.outside/data; do rm -rf $f; ln -sfn {host} $f; done"
    await act(environment, "mkdir -p /app/.outside", exchange)
    with pytest.raises(ToolError, match="the shell ended"):
        await act(environment, "exit 1")
    said = await act(environment, "cat /data/secret; echo x > /data/new")
    await environment.close()
    assert "of the machine" not in said
    assert [path.name for path in host.iterdir()] == ["secret"]


@needs_sandbox
async def test_the_agents_own_programs_never_take_the_systems_place(tmp_path: Path) -> None:
    forged = "mkdir -p .outside/usr/bin .outside/tests; cp /bin/true .outside/usr/bin/bash"
    task = of_image(tmp_path, "")
    verdict = await verdict_after(task, tmp_path, forged)
    assert verdict.score == 0.0


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("COPY", "line 3 of its Dockerfile cannot be read: COPY"),
        ("COPY []", "line 3 of its Dockerfile cannot be read: COPY []"),
        ('COPY ["a"', 'line 3 of its Dockerfile cannot be read: COPY ["a"'),
        ("RUN [1, 2]", "line 3 of its Dockerfile cannot be read: RUN [1, 2]"),
        ("ENV A='b", "line 3 of its Dockerfile cannot be read: ENV A='b"),
        (
            "WORKDIR /usr/lib\nWORKDIR /app",
            "line 3 of its Dockerfile works in '/usr/lib', a folder of the system's",
        ),
    ],
)
def test_a_line_that_cannot_be_done_is_a_reason(lines: str, reason: str, tmp_path: Path) -> None:
    assert unsupported(of_image(tmp_path, f"{lines}\n")) == (reason,)


def test_the_tasks_own_folder_is_none_of_the_systems(tmp_path: Path) -> None:
    toml = '[environment]\nworkdir = "/usr"\n'
    task = version_two(tmp_path, REWARD, task_dot_toml=toml)
    assert unsupported(task) == ("its folder '/usr' is one of the system's",)


@needs_sandbox
async def test_files_are_copied_to_the_top_as_well(tmp_path: Path) -> None:
    environment = KIND.make(of_image(tmp_path, "COPY . /\n"), place(tmp_path))
    await environment.reset()
    said = await act(environment, "cat /payload")
    await environment.close()
    assert said == "planted"


def test_what_lies_beside_the_workspace_counts_for_its_limit(tmp_path: Path) -> None:
    workspace, beside = tmp_path / "workspace", tmp_path / "beside"
    workspace.mkdir()
    beside.mkdir()
    (beside / "large").write_bytes(bytes(3 * 1024 * 1024))
    with pytest.raises(SandboxError, match="the workspace holds 3 MB; 1 MB are allowed"):
        WorkspaceLimit(workspace, SandboxLimits(disk_mb=1), beside)
