"""Whether an answer to a yes-or-no question says yes or no."""

from __future__ import annotations

import re

from aworld.coordination.negation import is_negated

_QUESTION = re.compile(
    r"(?:^|[,.:]\s*)(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may)"
    r"(?:n't)?\s[^?\n]*\?",
    re.IGNORECASE,
)
_CHINESE_QUESTION = re.compile(r"吗[?？]?|是否|[是能可要会]不[是能可要会]")
_YES = re.compile(r"\W*(?:yes|yeah|yep|true|correct|right|affirmative)\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|nope|false|incorrect|wrong|negative)\b(?! doubt)", re.IGNORECASE)
_CHINESE_NO = re.compile(r"\W*(?:否|不|没有|没(?!错)|错)")
_CHINESE_YES = re.compile(r"\W*(?:是|对|可以|能|会|有|没错|正确|行)")


def asks_yes_or_no(question: str) -> bool:
    """Whether the question wants a yes or a no."""
    last = question.strip().rpartition("\n")[2]
    if re.search(r"\b(?:which|who|what|when|where|how|why|or)\b", last, re.IGNORECASE):
        return False
    return bool(_QUESTION.search(last) or _CHINESE_QUESTION.search(last))


def says_yes(answer: str) -> bool | None:
    """True for yes, False for no; None where the text says neither."""
    if _NO.match(answer) or _CHINESE_NO.match(answer):
        return False
    if _YES.match(answer) or _CHINESE_YES.match(answer):
        return True
    if len(answer.split()) < 2 and not re.search(r"[\u4e00-\u9fff]{3}", answer):
        return None
    return not is_negated(answer)
