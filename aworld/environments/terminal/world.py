"""A task's files and folders as the sandbox shows them.

The run's workspace is the task's own folder, such as `/app`. What its Dockerfile puts elsewhere,
such as `/data`, lies in the workspace's `.outside` and is mounted in its place.
"""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

import msgspec

from aworld.environments.base import Place, Task
from aworld.environments.terminal.dockerfile import Image, Step, read_dockerfile
from aworld.environments.terminal.spec import TerminalSpec, spec_of
from aworld.errors import EnvironmentFault
from aworld.sandbox import Mount, Sandbox, SandboxLimits, Surroundings

OUTSIDE = ".outside"
_NOT_COPIED = {"task.yaml", "task.toml", "instruction.md", "solution", "solution.sh", "tests"} | {
    "solution.yaml",
    "run-tests.sh",
    "docker-compose.yaml",
    "Dockerfile",
}
"""Of a context that is the task's whole folder."""


class World:
    """Where one episode's commands run."""

    def __init__(self, task: Task, place: Place) -> None:
        self.task = task
        self.place = place
        self.spec: TerminalSpec = spec_of(task)
        self.image: Image = read_dockerfile(self._dockerfile())
        self.folder = self.spec.folder or self.image.folder
        """The current folder inside, which is the workspace."""

    @property
    def limits(self) -> SandboxLimits:
        """What commands may use."""
        return SandboxLimits(
            memory_mb=self.spec.memory_mb,
            disk_mb=min(self.spec.disk_mb, 2048),
            processes=128,
            seconds=self.spec.build_seconds,
        )

    def around(self) -> Surroundings:
        """What the agent's commands have around them."""
        return Surroundings(
            network=self.task.network,
            mounts=self.mounts(),
            folder=self.folder,
            environment={"HOME": self.folder, **self.image.environment, **self.spec.environment},
        )

    def mounts(self) -> tuple[Mount, ...]:
        """The task's folders, outer ones first."""
        outside = self.place.workspace / OUTSIDE
        tops = sorted(path.name for path in outside.iterdir()) if outside.is_dir() else []
        return (
            *(Mount(str(outside / top), f"/{top}", writable=True) for top in tops),
            Mount(str(self.place.workspace), self.folder, writable=True),
        )

    async def build(self, sandbox: Sandbox) -> None:
        """Do what the Dockerfile says.

        Raises:
            EnvironmentFault: a file is not there, or a command failed.
        """
        self.place.workspace.mkdir(parents=True, exist_ok=True)
        for step in self.image.steps:
            if step.command:
                await self._run(sandbox, step)
            else:
                for source in step.sources:
                    self._copy(source, step.target)

    async def _run(self, sandbox: Sandbox, step: Step) -> None:
        self.host_path(step.folder).mkdir(parents=True, exist_ok=True)
        around = msgspec.structs.replace(self.around(), network=(), folder=step.folder)
        done = await sandbox.run(
            ["/bin/sh", "-ec", step.command],
            workspace=self.place.workspace,
            limits=self.limits,
            around=around,
        )
        if done.exit_code or done.refused or done.timed_out:
            said = done.refused or (done.stderr or done.stdout)[-500:].strip()
            raise EnvironmentFault(
                f"The task {self.task.id!r} could not be made: {step.command!r} failed with exit "
                f"code {done.exit_code}: {said}"
            )

    def _copy(self, source: str, target: str) -> None:
        context = Path(self.task.folder, self.spec.context).resolve()
        found = sorted(context.glob(source.lstrip("/"))) if source not in (".", "./") else [context]
        if not found:
            raise EnvironmentFault(
                f"The task {self.task.id!r} could not be made: it has no {source!r} to copy."
            )
        for path in found:
            if not path.resolve().is_relative_to(context):
                raise EnvironmentFault(
                    f"The task {self.task.id!r} could not be made: {source!r} leads out of it."
                )
            place = self.host_path(target)
            if path.is_dir():
                shutil.copytree(path, place, symlinks=True, dirs_exist_ok=True, ignore=_left_out)
            elif target.endswith("/"):
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place / path.name)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)

    def host_path(self, inside: str) -> Path:
        """Where on the machine a path inside lies."""
        pure = PurePosixPath(inside)
        if pure.is_relative_to(self.folder):
            return self.place.workspace / pure.relative_to(self.folder)
        return self.place.workspace / OUTSIDE / pure.relative_to("/")

    def _dockerfile(self) -> str:
        if not self.spec.image_file:
            return ""
        return Path(self.task.folder, self.spec.image_file).read_text(encoding="utf-8")


def _left_out(folder: str, names: list[str]) -> list[str]:
    is_task = "task.yaml" in names or "Dockerfile" in names
    return [name for name in names if name == "__pycache__" or (is_task and name in _NOT_COPIED)]
