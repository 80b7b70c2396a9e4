"""Our GAIA scorer against the official one, on pairs that a generator makes up."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from aworld.scorers.gaia import is_right
from aworld.scorers.registry import score
from tests.scorers.inspect_evals import WHEEL, Unavailable, question_scorer

PAIRS = 20_000
_WORDS = ["castle", "The Castle", "Café", "sea gull", "seagull", "St. Petersburg", "a.b", "None"]
_NUMBERS = ["17", "17.", "1,700", "1700", "1e3", "1_7", "nan", "inf", "-3.50", "０７", "0x1f", ".5"]
_MARKS = ["$", "%", " ", ",", ";", ", ", "; ", ".", "!", "“", "”", "'", "\t", "\u00a0", "kg", "€"]


def _text(rng: random.Random) -> str:
    pool = rng.choice([_WORDS, _NUMBERS, [*_WORDS, *_NUMBERS, *_MARKS]])
    parts = [rng.choice(pool) for _ in range(rng.randint(0, 4))]
    joint = rng.choice(["", " ", ",", ", ", ";", "; "])
    return rng.choice(["", "", "$", " "]) + joint.join(parts) + rng.choice(["", "", "%", " ", ","])


def _changed(rng: random.Random, text: str) -> str:
    """The same answer in another dress, so that many pairs are right or nearly so."""
    changes: list[Callable[[str], str]] = [
        str.upper,
        str.strip,
        lambda t: t.replace(",", ";"),
        lambda t: t.replace(" ", ""),
        lambda t: t.replace(".", ""),
        lambda t: f"${t}",
        lambda t: f"{t}%",
        lambda t: f" {t}.0",
        lambda t: "".join(rng.sample(t, len(t))),
        lambda t: t,
    ]
    for change in rng.sample(changes, rng.randint(1, 2)):
        text = change(text)
    return text


@pytest.mark.long
def test_it_agrees_with_the_official_scorer_on_20_000_pairs() -> None:
    logging.disable(logging.WARNING)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "aworld-tests")
    try:
        official = question_scorer(cache)
    except Unavailable as error:
        pytest.skip(f"{WHEEL} could not be downloaded: {error}")
    finally:
        logging.disable(logging.NOTSET)
    official.__globals__["logger"].disabled = True
    rng = random.Random(20_000)
    right = near = 0
    for pair in range(PAIRS):
        truth = _text(rng)
        answer = _changed(rng, truth) if rng.random() < 0.7 else _text(rng)
        expected = official(answer, truth)[0]
        assert is_right(answer, truth) == expected, (answer, truth)
        right += expected
        if pair < PAIRS / 10 and not expected:
            near += bool(score("gaia", answer, truth).near_miss)
    # Both verdicts and the near misses were met often enough to mean something.
    assert PAIRS * 0.2 < right < PAIRS * 0.8
    assert near > PAIRS * 0.002
