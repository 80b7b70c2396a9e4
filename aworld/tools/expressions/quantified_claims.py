"""Whether a quantified claim holds: over listed numbers, whole numbers or real numbers."""

from __future__ import annotations

import asyncio

from aworld.errors import ToolError
from aworld.tools.algebra import check_algebra
from aworld.tools.expressions.claims import Verdict
from aworld.tools.expressions.functions import CONSTANTS, FUNCTIONS
from aworld.tools.expressions.integer_claims import Answer, check_all, check_listed
from aworld.tools.expressions.parser import parse
from aworld.tools.expressions.predicates import PREDICATES, as_remainders, is_predicate
from aworld.tools.expressions.quantifiers import Quantified
from aworld.tools.expressions.tree import Comparison, Node, claims_of, functions, names


async def check_quantified(quantified: Quantified, source: str) -> Verdict:
    """Decide it. That some number fulfils a claim is decided by asking whether all are against it.

    Raises:
        ToolError: it cannot be read, or cannot be decided.
    """
    text = _for_all(quantified)
    node = as_remainders(parse(text))
    _check_names(node, quantified)
    for part in claims_of(node):
        if not isinstance(part, Comparison) and not is_predicate(part):
            said = text[part.start : part.end].strip()
            raise ToolError(f"{said!r} is not a claim. Compare it, like '{said} == 4'.")
    if quantified.domain == "reals":
        answer = await _over_reals(node, source)
    else:
        answer = await asyncio.to_thread(_over_integers, quantified, node, text)
        if answer.holds is None and quantified.domain == "integers":
            # What holds for all real numbers holds for the whole ones.
            answer = await _by_reals(node, source) or answer
    if answer.holds is None:
        raise ToolError(
            f"The claim {source!r} could not be decided: no number near 0 settles it, and no proof "
            "was found. Check it in a range, such as 'for all n in 1..1000: …'."
        )
    return _verdict(quantified, answer)


def _for_all(quantified: Quantified) -> str:
    """The claim that has to hold for every number, or the denial of the one that some fulfil."""
    claim = f"({quantified.claim})" if quantified.every else f"(not ({quantified.claim}))"
    return f"({quantified.condition}) implies {claim}" if quantified.condition else claim


def _check_names(node: Node, quantified: Quantified) -> None:
    free = {name for name in names(node) if name.lower() not in CONSTANTS} - {"true", "false"}
    unknown = sorted(free - set(quantified.names))
    if unknown:
        raise ToolError(
            f"Nothing is said about {unknown[0]!r}: name it after 'for all' or put its value in."
        )
    strange = sorted(functions(node) - set(FUNCTIONS) - set(PREDICATES))
    if strange:
        known = ", ".join([*FUNCTIONS, *PREDICATES])
        raise ToolError(f"There is no function {strange[0]!r}. Known: {known}.")


def _over_integers(quantified: Quantified, node: Node, text: str) -> Answer:
    if quantified.domain == "listed":
        return check_listed(node, quantified.names, quantified.listed, text)
    return check_all(node, quantified.names, text)


async def _over_reals(node: Node, source: str) -> Answer:
    if functions(node) & set(PREDICATES):
        raise ToolError(f"{source!r} asks about whole numbers. Write 'for all integers …'.")
    verdict = await check_algebra(node, source)
    return Answer(verdict.holds, None, verdict.why)


async def _by_reals(node: Node, source: str) -> Answer | None:
    try:
        answer = await _over_reals(node, source)
    except ToolError:
        return None
    return answer if answer.holds else None


def _verdict(quantified: Quantified, answer: Answer) -> Verdict:
    """In the words of the claim as it was made."""
    row = answer.against or {}
    shown = ", ".join(f"{name} = {value}" for name, value in row.items())
    shown = shown or answer.why.removeprefix("not for ")
    if quantified.every:
        why = f"not for {shown}" if shown and not answer.holds else answer.why
        return Verdict(bool(answer.holds), "" if answer.holds else why)
    if answer.holds:
        reason = answer.why or "there is none"
        return Verdict(False, reason)
    return Verdict(True, f"for {shown}" if shown else "")
