"""The tests of a task, run after the agent, in a sandbox that the agent never had.

Nothing that the agent left is taken for the tests' own: programs are looked up in the system's
folders only, Python reads no file of the workspace at its start, pytest loads no plug-in and no
conftest.py from outside the tests. A task with `tests/collect.sh` goes further: that script runs
the agent's programs in one sandbox with `tests/inputs` only, and the tests judge what it collected
in another, where none of the agent's code runs.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from aworld.environments.base import Verdict
from aworld.environments.terminal.planted import first_planted_link
from aworld.environments.terminal.pytest_report import outcomes
from aworld.environments.terminal.rewards import read_reward
from aworld.environments.terminal.runner import runner_of
from aworld.environments.terminal.world import World
from aworld.errors import EnvironmentFault
from aworld.sandbox import Mount, Sandbox, SandboxLimits, SandboxResult, Surroundings
from aworld.sandbox.reasons import reasons

COLLECT = "collect.sh"
_SHOWN = 4000
_DEFENCES = {
    "HOME": "/tmp",
    "PYTHONSAFEPATH": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTEST_ADDOPTS": "-p no:cacheprovider --rootdir=/tests --confcutdir=/tests",
    "TEST_DIR": "/tests",
}


class Grading:
    """Judges one episode."""

    def __init__(self, world: World, sandbox: Sandbox) -> None:
        self._world = world
        self._sandbox = sandbox
        self._spec = world.spec
        self._private = world.place.private / "grading"

    async def verdict(self) -> Verdict:
        """Run the tests.

        Raises:
            EnvironmentFault: they gave no result at all.
        """
        if planted := first_planted_link(self._roots()):
            return Verdict(0.0, f"The tests were not run: {planted}.")
        self._lay_out()
        if (self._private / "tests" / COLLECT).is_file():
            stopped = await self._collect()
            if stopped:
                return Verdict(0.0, f"What was made could not be run: {stopped}.")
        result = await self._run()
        if result.timed_out or result.refused:
            said = "; ".join(reasons(result, self._limits))
            return Verdict(0.0, f"The tests did not come to an end: {said}.", _details(result))
        return self._judge(result)

    # -- preparation -----------------------------------------------------------------------------

    def _roots(self) -> dict[str, Path]:
        """Folders of the agent's, by their names inside."""
        roots = {mount.target: Path(mount.source) for mount in self._world.mounts()}
        return roots | {"/workspace": self._world.place.workspace}

    def _lay_out(self) -> None:
        """The tests as the sandbox will show them: readable, and with v1's script among them."""
        shutil.rmtree(self._private, ignore_errors=True)
        task = Path(self._world.task.folder)
        tests = self._private / "tests"
        if (task / self._spec.tests).is_dir():
            left_out = shutil.ignore_patterns("__pycache__")
            shutil.copytree(task / self._spec.tests, tests, ignore=left_out)
        tests.mkdir(parents=True, exist_ok=True)
        script = self._spec.test_script
        if script and not (tests / Path(script).name).exists():
            shutil.copy(task / script, tests / Path(script).name)
        for folder in ("verifier", "collected", "inputs"):
            (self._private / folder).mkdir()
        if (tests / "inputs").is_dir():
            shutil.copytree(tests / "inputs", self._private / "inputs", dirs_exist_ok=True)
        for path in (self._private, *self._private.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)

    @property
    def _limits(self) -> SandboxLimits:
        return SandboxLimits(
            seconds=self._spec.tests_seconds,
            memory_mb=self._spec.memory_mb,
            disk_mb=self._world.limits.disk_mb,
            processes=128,
        )

    # -- running ---------------------------------------------------------------------------------

    async def _collect(self) -> str:
        """Run the agent's programs on the inputs; why that was stopped, or ""."""
        mounts = (
            *self._world.mounts(),
            Mount(str(self._private / "inputs"), "/inputs"),
            Mount(str(self._private / "tests" / COLLECT), "/collect.sh"),
            Mount(str(self._private / "collected"), "/collected", writable=True),
        )
        around = Surroundings(
            mounts=mounts,
            folder=self._world.folder,
            environment={"HOME": self._world.folder, **self._spec.environment},
        )
        result = await self._sandbox.run(
            ["/bin/bash", "/collect.sh"],
            workspace=self._world.place.workspace,
            limits=self._limits,
            around=around,
        )
        stopped = result.timed_out or bool(result.refused)
        return "; ".join(reasons(result, self._limits)) if stopped else ""

    async def _run(self) -> SandboxResult:
        mounts = (
            *self._world.mounts(),
            Mount(str(self._private / "tests"), "/tests"),
            Mount(str(self._private / "collected"), "/collected"),
            Mount(str(self._private / "verifier"), "/logs/verifier", writable=True),
        )
        around = Surroundings(
            mounts=mounts,
            folder=self._world.folder,
            environment={
                **self._world.image.environment,
                **self._spec.environment,
                **self._spec.tests_environment,
                **_DEFENCES,
            },
        )
        return await self._sandbox.run(
            self._command(),
            workspace=self._world.place.workspace,
            limits=self._limits,
            around=around,
        )

    def _command(self) -> list[str]:
        runner = runner_of(Path(self._world.task.folder), self._spec.test_script)
        if runner.script:
            return ["/bin/bash", f"/tests/{Path(runner.script).name}"]
        tests = sorted(path.name for path in (self._private / "tests").glob("test_*.py"))
        python = [self._sandbox.python(), "-I", "-m", "pytest", "-rA", "-c", "/dev/null"]
        return [*python, *(f"/tests/{name}" for name in tests)]

    # -- judging ---------------------------------------------------------------------------------

    def _judge(self, result: SandboxResult) -> Verdict:
        tests = outcomes(result.stdout)
        details = _details(result) | {"tests": tests}
        script = runner_of(Path(self._world.task.folder), self._spec.test_script).script
        if self._spec.parser == "pytest" or not script:
            if not tests:
                raise self._fault("their output has no summary of pytest's", result)
            failed = [name for name, how in tests.items() if how not in ("passed", "skipped")]
            score = 0.0 if failed or "passed" not in tests.values() else 1.0
            return Verdict(score, _counted(len(tests), failed), details)
        reward = read_reward(self._private / "verifier")
        if reward.score is None:
            raise self._fault(reward.problem, result)
        if reward.parts:
            details["parts"] = reward.parts
        last = result.stdout.strip().rpartition("\n")[2]
        return Verdict(
            reward.score, f"The tests gave {reward.score:g}. {last[:300]}".strip(), details
        )

    def _fault(self, problem: str, result: SandboxResult) -> EnvironmentFault:
        said = (result.stderr.strip() or result.stdout.strip())[-500:]
        return EnvironmentFault(
            f"The tests of {self._world.task.id!r} gave no result: {problem}. They said: {said}"
        )


def _counted(total: int, failed: list[str]) -> str:
    if not failed:
        return f"All {total} tests passed."
    return f"{len(failed)} of {total} tests failed: {', '.join(failed[:10])}."


def _details(result: SandboxResult) -> dict[str, Any]:
    return {"exit_code": result.exit_code, "output": result.stdout[-_SHOWN:]}
