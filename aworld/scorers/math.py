r"""Mathematics: equal as expressions, sets, intervals, matrices; by math-verify.

The answer is the last `\boxed{}` or FINAL ANSWER, or the whole text where it is an expression and
no prose. Floating point counts as equal to six decimals, as math-verify has it.
"""

from __future__ import annotations

import functools
import re
from typing import ClassVar

import msgspec

from aworld.errors import ConfigurationError
from aworld.scorers.base import Scorer, Verdict, shown, verdict
from aworld.scorers.final_answer import contest_answer
from aworld.scorers.processes.pool import ComparisonFailed, ComparisonTimeout, ProcessPool

LONGEST = 2_000
"""Characters of an expression."""

_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_KNOWN_WORDS = {
    *("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "log", "exp"),
    *("sqrt", "cbrt", "abs", "min", "max", "mod", "gcd", "lcm", "infty", "inf"),
    *("and", "boxed", "frac", "text"),
}


class MathOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a comparison may take."""

    seconds: float = 10.0


class MathScorer(Scorer[MathOptions]):
    """One expression against another, in a process that can be stopped."""

    name: ClassVar[str] = "math"
    description: ClassVar[str] = "mathematics: equal expressions, by math-verify"
    options = MathOptions

    def judge(self, answer: object, truth: object, options: MathOptions) -> Verdict:
        """Compare expressions.

        Raises:
            ConfigurationError: the truth cannot be read as mathematics.
        """
        right = expression_of(str(truth))
        if right is None or not right or len(right) > LONGEST:
            raise ConfigurationError(
                f"The truth {shown(truth)} is no expression. Give one in LaTeX or plain text."
            )
        said = expression_of(str(answer))
        if said is None:
            return verdict(False, _UNMARKED)
        if not said:
            return verdict(False, "There is no answer.")
        if len(said) > LONGEST:
            return verdict(
                False, f"The answer has {len(said)} characters; {LONGEST} at most are compared."
            )
        if _is_word(right) or _is_word(said):
            same = said.casefold() == right.casefold()
            return verdict(
                same, f"The word {shown(said)} is {'' if same else 'not '}{shown(right)}."
            )
        try:
            reply = _pool().ask({"truth": right, "answer": said}, options.seconds)
        except (ComparisonTimeout, ComparisonFailed) as error:
            return verdict(False, f"{shown(said)} could not be compared: {error}")
        return _verdict(said, right, reply)


_UNMARKED = r"The answer is prose, and no \boxed{} and no FINAL ANSWER marks an expression in it."


def expression_of(text: str) -> str | None:
    """The marked expression as LaTeX without dollars; None where prose has none."""
    found = contest_answer(text)
    inner = found.text if found is not None else text.strip()
    if found is None and _is_prose(inner):
        return None
    return as_latex(inner)


def _is_prose(text: str) -> bool:
    bare = re.sub(r"\\text\{[^{}]*\}", "", text)
    words = [word for word in _WORD.findall(bare) if word.lower() not in _KNOWN_WORDS]
    # A unit, or a single word as the whole answer, is no prose.
    return len(words) > 1 or (bool(words) and len(bare.split()) > 3)


def _is_word(latex: str) -> bool:
    """Whether it is a word: as a product of letters it would equal its anagrams."""
    return latex.lower() not in _KNOWN_WORDS and latex.isalpha() and len(latex) > 2


def as_latex(text: str) -> str:
    """Plain writing such as `sqrt(2)*pi**2` and outer dollars turned into LaTeX."""
    bare = text.strip().rstrip(".").encode("utf-8", "replace").decode()
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if len(bare) > len(opening) * 2 and bare.startswith(opening) and bare.endswith(closing):
            bare = bare[len(opening) : -len(closing)].strip()
    bare = bare.replace("$", "").replace("**", "^").replace("−", "-").replace("×", r"\times ")
    bare = bare.replace("·", r"\cdot ").replace("π", r"\pi ").replace("∞", r"\infty ")
    bare = re.sub(r"√\s*(?:\(([^()]*)\)|(\w+))", lambda m: rf"\sqrt{{{m[1] or m[2]}}}", bare)
    bare = re.sub(r"(?<![\\A-Za-z])(sqrt)\(([^()]*)\)", r"\\sqrt{\2}", bare)
    bare = re.sub(r"(?<![\\A-Za-z])(pi|infty)(?![A-Za-z])", r"\\\1 ", bare)
    return re.sub(r"(?<!\\)\*", r"\\cdot ", bare)


@functools.cache
def _pool() -> ProcessPool:
    return ProcessPool("aworld.scorers.processes.expressions")


def _verdict(said: str, right: str, reply: dict[str, object]) -> Verdict:
    if "failure" in reply:
        return verdict(False, f"{shown(said)} could not be compared: {reply['failure']}.")
    if reply["truth_as"] is None and reply["answer_as"] is None and not reply["equal"]:
        return verdict(False, f"Neither {shown(said)} nor {shown(right)} could be read; not equal.")
    if reply["answer_as"] is None and not reply["equal"]:
        return verdict(False, f"{shown(said)} could not be read as mathematics.")
    sign = "equals" if reply["equal"] else "does not equal"
    mine, wanted = reply["answer_as"] or said, reply["truth_as"] or right
    return verdict(bool(reply["equal"]), f"{shown(mine)} {sign} {shown(wanted)}.")


SCORER = MathScorer()
