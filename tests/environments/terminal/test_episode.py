"""An episode: the world that is made, the shell, the tests afterwards, snapshots."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from aworld.environments.base import Action, Observation
from aworld.environments.terminal.kind import KIND
from aworld.errors import EnvironmentFault, ToolError
from aworld.sandbox import probe_bubblewrap
from aworld.tools.failures import ToolTimeout
from tests.environments.terminal.task_folder import (
    REWARD,
    act,
    place,
    verdict_after,
    version_one,
    version_two,
)

probe = probe_bubblewrap()
pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")

IMAGE = """# A world
FROM ubuntu:24.04 AS base
ARG WHO=world
ENV GREETING="hello" PLACE=/data
WORKDIR /app/deep
RUN apt-get update && \\
    apt-get install -y coreutils && \\
    echo built > made && rm -rf /var/lib/apt/lists/*
COPY one.txt two.txt ./
COPY tree /data/tree
COPY one.txt /app/$WHO.txt
RUN ["sh", "-c", "cat one.txt > copied"]
USER root
CMD ["bash"]
"""


async def test_the_dockerfile_is_carried_out_without_docker(tmp_path: Path) -> None:
    task = version_two(
        tmp_path,
        "exit 0",
        environment__Dockerfile=IMAGE,
        environment__one_dot_txt="one\n",
        environment__two_dot_txt="two\n",
        environment__tree__leaf="leaf\n",
    )
    environment = KIND.make(task, place(tmp_path))
    first = await environment.reset()
    assert first.text == (
        "A bash shell is open in /app/deep.\n/app/deep: copied made one.txt two.txt\n"
        "/data: tree/\n/app: deep/ world.txt"
    )
    said = await act(
        environment, "cat made copied /data/tree/leaf /app/world.txt; echo $GREETING; pwd; echo ~"
    )
    assert said == "built\none\nleaf\none\nhello\n/app/deep\n/app/deep"
    said = await act(environment, "echo x > /data/tree/new && ls /data/tree; ls /tests /solution")
    assert said.startswith("leaf\nnew\n")
    assert "cannot access '/tests'" in said
    await environment.close()


async def test_the_shell_keeps_its_folder_and_its_limits(tmp_path: Path) -> None:
    environment = KIND.make(version_two(tmp_path, "exit 0"), place(tmp_path))
    await environment.reset()
    assert await act(environment, "mkdir a; cd a; x=1", "echo $x; pwd") == "1\n/app/a"
    assert (await environment.observe()).data == {"folder": "/app/a"}
    with pytest.raises(ToolTimeout, match="it did not end within 0.3 s"):
        await environment.step(Action("shell", {"command": "sleep 9", "timeout_s": 0.3}))
    with pytest.raises(ToolError, match="The only action is 'shell'"):
        await environment.step(Action("fly", {}))
    with pytest.raises(ToolError, match="The only action is 'shell'"):
        await environment.step(Action("shell", {}))
    assert await act(environment, "false") == "(exit code 1)"
    await environment.close()
    await environment.close()


async def test_a_task_that_cannot_be_made_is_a_fault_of_the_world(tmp_path: Path) -> None:
    broken = version_two(tmp_path, "", environment__Dockerfile="FROM debian\nRUN exit 7")
    with pytest.raises(EnvironmentFault, match="'exit 7' failed with exit code 7"):
        await KIND.make(broken, place(tmp_path)).reset()
    absent = version_two(tmp_path, "", environment__Dockerfile="FROM debian\nCOPY no /app/")
    with pytest.raises(EnvironmentFault, match="it has no 'no' to copy"):
        await KIND.make(absent, place(tmp_path)).reset()
    outside = version_two(tmp_path, "", environment__Dockerfile="FROM debian\nCOPY ../task.toml x")
    with pytest.raises(EnvironmentFault, match="leads out of it"):
        await KIND.make(outside, place(tmp_path)).reset()
    foreign = version_two(tmp_path, "", environment__Dockerfile="FROM nginx")
    with pytest.raises(EnvironmentFault, match="cannot be done here: its image 'nginx'"):
        await KIND.make(foreign, place(tmp_path)).reset()


@pytest.mark.parametrize(
    ("test", "score", "why"),
    [
        (f"reward=1; {REWARD}echo fine", 1.0, "The tests gave 1. fine"),
        (f"reward=0.25; {REWARD}", 0.25, "The tests gave 0.25."),
        ('echo \'{"reward": 0.5, "speed": 1}\' > /logs/verifier/reward.json', 0.5, "gave 0.5"),
        ('echo \'{"a": 1, "b": 0}\' > /logs/verifier/reward.json', 0.5, "gave 0.5"),
        ("test -f made && reward=1 || reward=0; " + REWARD, 1.0, "gave 1"),
        ("test -w /tests && reward=1 || reward=0; " + REWARD, 0.0, "gave 0"),
        ("head -c 9999999999 /dev/zero", 0.0, "KB of output"),
    ],
)
async def test_the_reward_is_what_the_tests_wrote(
    test: str, score: float, why: str, tmp_path: Path
) -> None:
    verdict = await verdict_after(version_two(tmp_path, test), tmp_path, "touch made")
    assert verdict.score == score
    assert why in verdict.why


async def test_tests_that_do_not_end_in_their_time_give_no_reward(tmp_path: Path) -> None:
    toml = "[verifier]\ntimeout_sec = 1\n"
    verdict = await verdict_after(version_two(tmp_path, "sleep 60", task_dot_toml=toml), tmp_path)
    assert verdict.score == 0.0
    assert "did not come to an end: it was stopped after 1 s" in verdict.why


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("echo oops >&2; exit 1", "wrote neither reward.txt nor reward.json. They said: oops"),
        (f"reward=2; {REWARD}", "reward.txt holds '2\\\\n', which is no reward"),
        (f"reward=nan; {REWARD}", "which is no reward"),
        ("ln -s /etc/localtime /logs/verifier/reward.txt", "neither reward.txt"),
        ("mkfifo /logs/verifier/reward.txt", "neither reward.txt"),
    ],
)
async def test_tests_without_a_reward_are_a_fault_and_no_verdict(
    test: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(EnvironmentFault, match=why):
        await verdict_after(version_two(tmp_path, test), tmp_path)


async def test_format_one_is_judged_by_the_summary_of_pytest(tmp_path: Path) -> None:
    test = (
        "import os\n"
        "def test_made(): assert os.path.exists('/app/made')\n"
        "def test_more(): assert open('/app/made').read() == 'yes\\n'\n"
    )
    task = version_one(tmp_path, test)
    verdict = await verdict_after(task, tmp_path, "echo yes > made")
    assert (verdict.score, verdict.why) == (1.0, "All 2 tests passed.")
    again = await verdict_after(task, tmp_path / "again", "echo no > made")
    assert (again.score, again.why) == (0.0, "1 of 2 tests failed: test_more.")
    assert again.details["tests"] == {"test_made": "passed", "test_more": "failed"}


async def test_a_snapshot_brings_files_folder_and_variables_back(tmp_path: Path) -> None:
    task = version_two(tmp_path, "exit 0")
    environment = KIND.make(task, place(tmp_path))
    await environment.reset()
    await act(
        environment,
        "mkdir d; cd d; x='a b'; export Y=2; f() { echo f; }; echo text > file; chmod 700 file; "
        "ln -s file link; ln file hard",
    )
    saved = await environment.snapshot()
    assert saved is not None
    await act(environment, "rm *; x=gone; cd /")
    await environment.close()
    other = KIND.make(task, place(tmp_path / "other"))
    assert (await other.restore(saved)).data == {"folder": "/app/d"}
    said = await act(other, "echo $x; sh -c 'echo $Y'; f; cat link; stat -c '%a %h' file")
    assert said == "a b\n2\nf\ntext\n700 2"
    await other.close()


async def test_there_is_no_snapshot_while_something_runs_or_of_too_much(tmp_path: Path) -> None:
    environment = KIND.make(version_two(tmp_path, "exit 0"), place(tmp_path))
    await environment.reset()
    await act(environment, "sleep 99 &")
    assert await environment.snapshot() is None
    await act(environment, "kill %1; wait; head -c 20000000 /dev/urandom > big")
    assert await environment.snapshot() is None
    await environment.close()


async def test_a_snapshot_that_leads_out_is_refused(tmp_path: Path) -> None:
    import io
    import tarfile

    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for name, data in (("shell.json", b'{"folder": "/app"}'), ("files/../../x", b"x")):
            head = tarfile.TarInfo(name)
            head.size = len(data)
            archive.addfile(head, io.BytesIO(data))
    environment = KIND.make(version_two(tmp_path, "exit 0"), place(tmp_path))
    for saved in (target.getvalue(), b"", b"nonsense"):
        with pytest.raises(EnvironmentFault, match="cannot be brought back"):
            await environment.restore(saved)
    assert not (tmp_path / "x").exists()


async def test_closing_in_the_middle_of_a_command_ends_it(tmp_path: Path) -> None:
    environment = KIND.make(version_two(tmp_path, "exit 0"), place(tmp_path))
    await environment.reset()
    running: asyncio.Task[Observation] = asyncio.create_task(
        environment.step(Action("shell", {"command": "sleep 60"}))
    )
    await asyncio.sleep(0.2)
    await environment.close()
    with pytest.raises(ToolError, match="the shell ended"):
        await running
