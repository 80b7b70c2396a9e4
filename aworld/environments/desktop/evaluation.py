"""Judges an episode as OSWorld does: getters, metrics, and the arithmetic that joins them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from aworld.environments.base import Verdict
from aworld.environments.desktop import config_steps
from aworld.environments.desktop.getters.registry import getters
from aworld.environments.desktop.grading import Score, score
from aworld.environments.desktop.scene import Scene, Value
from aworld.environments.desktop.task_format import Check
from aworld.errors import ConfigurationError, EnvironmentFault, ToolError

FAIL = "FAIL"
Details = list[dict[str, Any]]


async def judge(scene: Scene, last_signal: str) -> Verdict:
    """The verdict. `last_signal` is `FAIL` where the last action said so.

    Raises:
        EnvironmentFault: it cannot be judged here.
    """
    await config_steps.carry_out(scene.task.evaluator.postconfig, scene)
    failed = last_signal == FAIL
    if scene.task.infeasible:
        said = "was said" if failed else "was not said"
        return Verdict(float(failed), f"The task cannot be done, and FAIL {said}.")
    if failed:
        return Verdict(0.0, "The last action was FAIL, and the task can be done.")
    details: Details = []

    async def measured(check: Check) -> float:
        value = await _measure(check, scene)
        details.append({"func": check.func, "score": value.score, "problem": value.problem})
        return value.score

    conj = scene.task.evaluator.conj
    total = await joined(scene.task.checks(), conj, measured)
    return Verdict(total, _why(details, conj, total), {"metrics": details})


async def joined(
    checks: list[Check], conj: str, measured: Callable[[Check], Awaitable[float]]
) -> float:
    """OSWorld's arithmetic: `and` is 0 at the first 0, else the mean; `or` is 1 at the first 1,
    else the greatest. A single metric's score stands as it is."""
    scores: list[float] = []
    for check in checks:
        value = await measured(check)
        if len(checks) > 1:
            if conj == "and" and value == 0.0:
                return 0.0
            if conj == "or" and value == 1.0:
                return 1.0
        scores.append(value)
    if conj == "or":
        return max(scores)
    return sum(scores) / len(scores)


async def _measure(check: Check, scene: Scene) -> Score:
    try:
        result = await _get(check.result, scene)
        expected = await _get(check.expected, scene) if check.expected is not None else None
    except (ToolError, ConfigurationError, KeyError, TypeError) as error:
        raise EnvironmentFault(f"What {check.func!r} compares cannot be had: {error}") from error
    return await score(check, result, expected, scene.cache)


async def _get(config: dict[str, Any], scene: Scene) -> Value:
    if not config:
        return None
    kind = config["type"]
    if kind not in getters():
        raise ConfigurationError(f"there is no getter {kind!r} here")
    return await getters()[kind](scene, config)


def _why(details: Details, conj: str, total: float) -> str:
    parts = [
        f"{one['func']} {one['score']:g}" + (f" ({one['problem']})" if one["problem"] else "")
        for one in details
    ]
    return f"{f' {conj} '.join(parts)}: {total:g}."
