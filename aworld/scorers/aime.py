r"""AIME's rule: the last `\boxed{}` or FINAL ANSWER holds a whole number from 0 to 999.

An answer that is nothing but such a number counts as marked. Leading zeros and commas are dropped.
"""

from __future__ import annotations

import re
from typing import ClassVar

from aworld.errors import ConfigurationError
from aworld.scorers.base import NoOptions, Scorer, Verdict, shown, verdict
from aworld.scorers.final_answer import contest_answer

HIGHEST = 999

_WRAPPING = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit)\{([^{}]*)\}")
_BARE = re.compile(r"\s*\$*\s*(\+?[\d,]+)\s*\$*\s*\.?\s*")


class AimeScorer(Scorer[NoOptions]):
    """A whole number, marked as final."""

    name: ClassVar[str] = "aime"
    description: ClassVar[str] = "AIME: a boxed or final whole number from 0 to 999"
    options = NoOptions

    def judge(self, answer: object, truth: object, options: NoOptions) -> Verdict:
        """Compare whole numbers.

        Raises:
            ConfigurationError: the truth is no whole number from 0 to 999.
        """
        right = read_number(str(truth))
        if right is None or right > HIGHEST:
            raise ConfigurationError(
                f"The truth {shown(truth)} is no AIME answer: give a whole number from 0 to 999."
            )
        text = str(answer)
        found = contest_answer(text)
        bare = _BARE.fullmatch(text) if found is None else None
        if found is None and bare is None:
            return verdict(False, _UNMARKED, _unmarked_note(text, right))
        marked = found.text if found is not None else text
        where = {"boxed": "The last box", "final answer": "FINAL ANSWER", "": "The answer"}
        place = where[found.how if found is not None else ""]
        said = read_number(marked)
        if said is None:
            note = _inside_note(marked, right)
            return verdict(False, f"{place} holds {shown(marked)}, no whole number.", note)
        if said > HIGHEST:
            return verdict(False, f"{place} holds {said}, which is above {HIGHEST}.")
        sign = "which is" if said == right else "not"
        return verdict(said == right, f"{place} holds {said}, {sign} {right}.")


_UNMARKED = r"No \boxed{} and no FINAL ANSWER marks the answer."


def read_number(text: str) -> int | None:
    """A whole number of at most 30 digits in plain text or LaTeX, not negative; None for others."""
    bare = _WRAPPING.sub(r"\1", text).replace("{,}", ",")
    bare = re.sub(r"\\[,;!: ]|[\s$]|\\[()]", "", bare).rstrip(".").replace(",", "")
    return int(bare) if re.fullmatch(r"\+?[0-9]{1,30}", bare) else None


def _unmarked_note(text: str, right: int) -> str:
    standing = re.findall(r"(?<![\d.,])\d+(?![\d]|[.,]\d)", text[-2_000:])
    if str(right) in [number.lstrip("0") or "0" for number in standing]:
        return "Nearly right: the right number stands in the text, but nothing marks it as final."
    return ""


def _inside_note(marked: str, right: int) -> str:
    numbers = re.findall(r"\d+(?:\.\d+)?", marked[:200])
    if numbers and float(numbers[-1]) == right and "-" not in marked:
        return "Nearly right: the right number, with more around it than a whole number (format)."
    return ""


SCORER = AimeScorer()
