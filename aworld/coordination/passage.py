"""Finds the passage of a message that is its answer."""

from __future__ import annotations

import re

from aworld.coordination.sentences import Sentence, sentences
from aworld.coordination.statement import Span, readable
from aworld.coordination.words import content

_MARKED = re.compile(
    r"(?:final answer|最终答案|答案(?:是|为)?)\**\s*(?:is)?\s*[:：]?\s*\**\s*(?P<answer>[^\n]+)",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"\Aexitcode: \d+[^\n]*\nCode output:\s*(?P<answer>.*)\Z", re.DOTALL)
_BOXED = re.compile(r"\\boxed\{(?P<answer>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_CUES = re.compile(
    r"\b(?:therefore|thus|hence|so|conclude|conclusion|final(?:ly)?|answer|result|confirm\w*|indeed|"
    r"in total|total|output indicates|correct)\b|所以|因此|答案|结果|总共",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"\bTERMINATE\b|\b(?:let me know|please|would you|if (?:you|everyone|there|all)|thank you|"
    r"let's|next,? (?:i|we)|we (?:need|can|will|should)|i will|i'll|further (?:questions|changes)|"
    r"conclude (?:the|this) task|to (?:verify|ensure|confirm))\b|\?\s*$",
    re.IGNORECASE,
)
_ABSTAINS = re.compile(
    r"^\W*(?:unknown|n/?a|none found|no answer|undetermined|unable to|"
    r"not (?:available|found|known|sure))"
    r"|\b(?:(?:could|can|do|did|was|am|were) ?(?:not|n't|unable to)|cannot|can't|unable to) "
    r"(?:\w+ )?(?:find|determine|answer|access|know|complete|verify|identify|be determined)\b"
    r"|不知道|无法(?:确定|回答|找到)|没有找到|未找到",
    re.IGNORECASE,
)
_SHORT = 200


def answer(text: str, question: str) -> Span | None:
    """The passage that answers the question; None where the message abstains or says nothing.

    A marked answer wins (`FINAL ANSWER:`, `\\boxed{}`, a program's output); then the sentence that
    speaks most like a conclusion about what was asked.
    """
    source = readable(text)
    marked = _marked(source)
    if marked is not None:
        return None if _ABSTAINS.search(marked.text) else marked
    if not source.strip():
        return None
    found = sentences(source)
    if len(source.strip()) <= _SHORT and (len(found) < 2 or _is_list(found)):
        whole = _trimmed(source, 0, len(source))
        return None if _ABSTAINS.search(whole.text) else whole
    best = _best(found, content(question))
    if best is None or _ABSTAINS.search(best.text):
        return None
    return _with_list(source, found, best)


def _marked(text: str) -> Span | None:
    for pattern in (_MARKED, _BOXED, _PROGRAM):
        matches = list(pattern.finditer(text))
        if matches:
            return _trimmed(text, *matches[-1].span("answer"))
    return None


def _best(found: list[Sentence], asked: frozenset[str]) -> Sentence | None:
    scored: list[tuple[float, int, Sentence]] = []
    for place, sentence in enumerate(found):
        own = content(sentence.text)
        if _IDLE.search(sentence.text) and "**" not in sentence.text:
            continue
        shared = len(own & asked) / max(len(asked), 1)
        score = 3.0 * min(shared * 2, 1.0) + 1.2 * bool(_CUES.search(sentence.text))
        score += 1.0 * ("**" in sentence.text or '"' in sentence.text)
        score += 1.5 * place / len(found)
        scored.append((score, place, sentence))
    return max(scored)[2] if scored else None


def _with_list(text: str, found: list[Sentence], best: Sentence) -> Span:
    """The sentence; one that ends with a colon goes on to the end of what it opens."""
    span = _trimmed(text, best.start, best.start + len(best.text))
    if not re.search(r"[:：]\W*$", best.text):
        return span
    after = [sentence for sentence in found if sentence.start > best.start]
    items = [sentence for sentence in after if sentence.item and best.text[:20] in sentence.heading]
    if items:
        return _trimmed(text, items[0].start, items[-1].start + len(items[-1].text))
    # Also a fenced answer, which is no sentence.
    rest = text[span.end :]
    nearest = re.match(r"\s*(?:```\w*\s*)?([^\n`]+)", rest)
    if nearest is None:
        return span
    return _trimmed(text, span.end + nearest.start(1), span.end + nearest.end(1))


def _is_list(found: list[Sentence]) -> bool:
    """List items, or lines that are no sentences."""
    return all(sentence.item or sentence.text[-1] not in ".!?。:：" for sentence in found)


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return Span(start, start + len(piece.strip()), piece.strip())
