"""The kept process that makes reasoning-gym's questions and scores answers to them.

`{do: "make", family, seed}` to `{question, answer}`; `{do: "score", family, seed, question,
answer}` to `{score}`; either may give `{problem}` instead.
"""

from __future__ import annotations

import contextlib
import random
from typing import Any

from aworld.environments.math import reasoning_door
from aworld.scorers.processes.loop import answer_lines

_gym = reasoning_door.load()


def compare(request: dict[str, Any]) -> dict[str, Any]:
    """Make a question, or score an answer."""
    family, seed = request["family"], request["seed"]
    # A few generators draw from the global generator as well.
    random.seed(seed)
    try:
        data_set = _gym.create_dataset(family, seed=seed, size=1)
        entry = data_set[0]
    except Exception as error:
        return {"problem": f"no question could be made: {type(error).__name__}: {error}"}
    if request["do"] == "make":
        answer = entry["answer"]
        return {"question": entry["question"], "answer": None if answer is None else str(answer)}
    if entry["question"] != request["question"]:
        return {"problem": "the generator makes another question now: its version differs"}
    score = 0.0
    # Scorers raise whatever they like on answers that they cannot read.
    with contextlib.suppress(Exception):
        score = float(data_set.score_answer(request["answer"], entry))
    return {"score": score}


if __name__ == "__main__":
    answer_lines(compare)
