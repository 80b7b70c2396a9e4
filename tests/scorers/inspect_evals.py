"""The official GAIA scorer in PyPI's `inspect-evals`, fetched without its dependencies."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import types
import zipfile
from collections.abc import Callable
from pathlib import Path

WHEEL = "inspect-evals==0.28.0"
_MEMBER = "inspect_evals/gaia/scorer.py"


class Unavailable(Exception):
    """The wheel could not be had."""


def question_scorer(cache: Path) -> Callable[[str, str], tuple[bool, str]]:
    """`question_scorer(model_answer, ground_truth)` of the pinned wheel; kept in `cache`.

    Raises:
        Unavailable: no registry gave the wheel.
    """
    file = cache / f"{WHEEL.replace('==', '-')}-gaia-scorer.py"
    if not file.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_member_of_wheel(cache))
    return _load(file)


def _member_of_wheel(folder: Path) -> bytes:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", WHEEL]
    done = subprocess.run(
        [*command, "--dest", str(folder)], capture_output=True, text=True, check=False, timeout=300
    )
    wheels = list(folder.glob("inspect_evals-*.whl"))
    if done.returncode != 0 or not wheels:
        raise Unavailable(done.stderr.strip().rpartition("\n")[2])
    with zipfile.ZipFile(wheels[0]) as wheel:
        member = wheel.read(_MEMBER)
    wheels[0].unlink()
    return member


def _load(file: Path) -> Callable[[str, str], tuple[bool, str]]:
    """The module, with just as much of `inspect_ai` as its decorators need."""
    names = ("inspect_ai", "inspect_ai.scorer", "inspect_ai.solver")
    stand_ins = {name: types.ModuleType(name) for name in names}
    vars(stand_ins["inspect_ai.scorer"]).update(
        CORRECT="C",
        INCORRECT="I",
        Score=object,
        Scorer=object,
        Target=object,
        accuracy=lambda: None,
        stderr=lambda: None,
        scorer=lambda **_: lambda function: function,
    )
    vars(stand_ins["inspect_ai.solver"]).update(TaskState=object)
    spec = importlib.util.spec_from_file_location("official_gaia_scorer", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    kept = {name: sys.modules.get(name) for name in names}
    sys.modules.update(stand_ins)
    try:
        spec.loader.exec_module(module)
    finally:
        for name, before in kept.items():
            if before is None:
                del sys.modules[name]
            else:
                sys.modules[name] = before
    scorer: Callable[[str, str], tuple[bool, str]] = module.question_scorer
    return scorer
