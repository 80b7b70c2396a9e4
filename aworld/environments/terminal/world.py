"""A task's files and folders as the sandbox shows them.

The run's workspace is the task's own folder, such as `/app`. What its Dockerfile puts elsewhere,
such as `/data`, lies beside the workspace, where nobody inside can put a link in its place, and is
mounted under its name.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from aworld.environments.base import Place, Task
from aworld.environments.terminal.dockerfile import Image, Step, is_system, read_dockerfile
from aworld.environments.terminal.spec import TerminalSpec, spec_of
from aworld.errors import EnvironmentFault
from aworld.sandbox import Mount, Sandbox, SandboxLimits, Surroundings

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
        self.outside = place.private / "outside"
        """What has places of its own beside the task's folder, as a tree that begins at `/`."""
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
        tops = sorted(path.name for path in self.outside.iterdir()) if self.outside.is_dir() else []
        return (
            *(Mount(str(self.outside / top), f"/{top}", writable=True) for top in tops),
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
        self._own_place(step.folder).mkdir(parents=True, exist_ok=True)
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
        for path in self._sources(source):
            if target == "/" and path.is_dir():
                for inner in sorted(path.iterdir()):
                    if inner.name not in _left_out(str(path), [one.name for one in path.iterdir()]):
                        self._put(inner, f"/{inner.name}")
            elif target.endswith("/") and not path.is_dir():
                self._put(path, target + path.name)
            else:
                self._put(path, target)

    def _sources(self, source: str) -> list[Path]:
        """The files and folders that a COPY names."""
        task = Path(self.task.folder).resolve()
        context = Path(task, self.spec.context).resolve()
        try:
            found = sorted(context.glob(source.lstrip("/"))) if source.strip("./") else [context]
        except ValueError as error:
            raise self._unmade(f"{source!r} is no pattern of files: {error}") from None
        if not found:
            raise self._unmade(f"it has no {source!r} to copy")
        for path in (context, *found):
            if not path.resolve().is_relative_to(task if path == context else context):
                raise self._unmade(f"{source!r} leads out of it")
        return found

    def _put(self, path: Path, target: str) -> None:
        place = self._own_place(target)
        try:
            if path.is_dir():
                for inner in path.rglob("*"):
                    self._own_place(f"{target}/{inner.relative_to(path)}")
                shutil.copytree(path, place, symlinks=True, dirs_exist_ok=True, ignore=_left_out)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place / path.name if place.is_dir() else place)
        except (OSError, shutil.Error) as error:
            raise self._unmade(f"{path.name!r} cannot be copied to {target!r}: {error}") from error

    def _own_place(self, inside: str) -> Path:
        """`host_path` for writing. What a RUN line made may be a link that, seen from here, leads
        to a file of the machine.

        Raises:
            EnvironmentFault: there is a link on the way, or the folder is one of the system's.
        """
        place = self.host_path(inside)
        if is_system(inside):
            raise self._unmade(f"{inside!r} is in one of the system's folders")
        for part in _up_to(place, (self.place.workspace, self.outside)):
            if part.is_symlink():
                raise self._unmade(f"{inside!r} would be written through a link")
        return place

    def _unmade(self, why: str) -> EnvironmentFault:
        return EnvironmentFault(f"The task {self.task.id!r} could not be made: {why}.")

    def host_path(self, inside: str) -> Path:
        """Where on the machine a path inside lies."""
        pure = PurePosixPath(inside)
        if pure.is_relative_to(self.folder):
            return self.place.workspace / pure.relative_to(self.folder)
        return self.outside / pure.relative_to("/")

    def _dockerfile(self) -> str:
        if not self.spec.image_file:
            return ""
        return Path(self.task.folder, self.spec.image_file).read_text(encoding="utf-8")


def _up_to(place: Path, tops: tuple[Path, ...]) -> Iterator[Path]:
    """A path and the folders it is in, below the folder of ours that it is in."""
    for part in (place, *place.parents):
        if part in tops:
            return
        yield part


def _left_out(folder: str, names: list[str]) -> list[str]:
    is_task = "task.yaml" in names or "Dockerfile" in names
    return [name for name in names if name == "__pycache__" or (is_task and name in _NOT_COPIED)]
