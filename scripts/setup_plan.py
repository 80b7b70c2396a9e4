"""Which steps belong to which command, and in which order."""

from __future__ import annotations

import sys

from scripts import front_end, python_environment, system_packages
from scripts.steps import LOG, SetupError, Step, call, do, side_by_side

USAGE = "usage: bootstrap.py setup | demo | test"


def run(arguments: list[str]) -> int:
    """Bring the checkout up to date for `setup`, `demo` or `test`; the exit status."""
    if len(arguments) != 1 or arguments[0] not in {"setup", "demo", "test"}:
        print(USAGE, file=sys.stderr)
        return 2
    LOG.unlink(missing_ok=True)
    try:
        _prepare(arguments[0])
    except SetupError as fault:
        print(f"\n{fault}", file=sys.stderr)
        return 1
    return 0


def _prepare(goal: str) -> None:
    environment = python_environment.environment()
    python_steps = [python_environment.light_requirements(), python_environment.checkout()]
    if goal == "test":
        python_steps.append(python_environment.development_requirements())
    if goal != "demo":
        # The demo opens its page first and fetches the model behind it.
        python_steps.append(python_environment.model_weights())
        python_steps.append(python_environment.reasoning_questions())
        python_steps.append(python_environment.web_pages())
    page_steps = _front_end_steps()
    if not front_end.system_node():
        # Node comes with a wheel, for which the environment has to be there.
        do(environment)
    side_by_side([[environment, *python_steps], page_steps])
    if goal == "test":
        system_packages.provide_for_tests()
    if goal == "setup":
        call(
            [str(python_environment.PYTHON), "-m", "aworld_web.processes.prepare"],
            what="Making the data folder and its database",
        )


def _front_end_steps() -> list[Step]:
    if not (front_end.FRONT_END / "package-lock.json").is_file():
        return []
    return [front_end.node(), front_end.packages(), front_end.build()]
