"""Score answers: JSON lines {answer, truth} in, {correct, why} out.

example:
  aworld score gaia answers.jsonl
  echo '{"answer": "17 kg", "truth": "17"}' | aworld score gaia
  aworld score json answers.jsonl --option mode=subset --option tolerance=0.01
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

if TYPE_CHECKING:
    from aworld.scorers.base import Scorer

NAME = "score"


class _Line(msgspec.Struct):
    answer: Any
    truth: Any


class _Totals(msgspec.Struct):
    scored: int = 0
    correct: int = 0
    near: int = 0
    bad: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    from aworld.scorers.registry import scorers

    rules = "; ".join(f"{name}: {scorer.description}" for name, scorer in scorers().items())
    parser.add_argument("scorer", help=rules.replace("%", "%%"))
    parser.add_argument("file", nargs="?", default="-", help="JSON lines; - is standard input")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the scorer; may be given several times",
    )


def run(arguments: argparse.Namespace) -> int:
    """Score every line; 1 where a line could not be read."""
    from aworld.scorers import registry

    scorer = registry.get(arguments.scorer)
    options = dict(_option(text) for text in arguments.option)
    # Wrong options are told before anything is read.
    scorer.check_options(options)
    totals = _Totals()
    try:
        with _opened(arguments.file) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    _score_line(scorer, options, number, line, totals)
    except BrokenPipeError:
        # Whoever read has enough; Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    near = f", {totals.near} nearly" if totals.near else ""
    bad = f"; {totals.bad} lines could not be scored" if totals.bad else ""
    print(f"{totals.correct} of {totals.scored} correct{near}{bad}", file=sys.stderr)
    return 1 if totals.bad else 0


def _score_line(
    scorer: Scorer[Any], options: dict[str, object], number: int, line: bytes, totals: _Totals
) -> None:
    from aworld.errors import ConfigurationError

    try:
        given = msgspec.json.decode(line, type=_Line)
        if given.truth is None:
            raise ConfigurationError("the truth is null. Give the right answer")
        verdict = scorer.score(given.answer, given.truth, options)
    except (msgspec.DecodeError, ConfigurationError, RecursionError) as error:
        totals.bad += 1
        print(f"aworld: line {number}: {error}", file=sys.stderr)
        _print({"line": number, "error": str(error)})
        return
    totals.scored += 1
    totals.correct += verdict.correct
    totals.near += bool(verdict.near_miss)
    _print(verdict)


def _print(value: object) -> None:
    print(msgspec.json.encode(value).decode(), flush=True)


def _option(text: str) -> tuple[str, object]:
    from aworld.errors import ConfigurationError

    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ConfigurationError(f"The option {text!r} has no value. Write --option name=value.")
    return name, value


def _opened(file: str) -> contextlib.AbstractContextManager[BinaryIO]:
    from aworld.errors import ConfigurationError

    if file == "-":
        return contextlib.nullcontext(sys.stdin.buffer)
    try:
        return open(file, "rb")
    except OSError as error:
        raise ConfigurationError(
            f"The file {file!r} cannot be read: {error.strerror}. Give a file of JSON lines."
        ) from error
