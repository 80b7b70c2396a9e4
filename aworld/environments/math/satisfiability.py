"""All solutions of a small formula in conjunctive normal form.

Stands in for the C extension pycosat, which reasoning-gym asks about a puzzle's solutions: a
newcomer's machine has no compiler. Literals are 1, -1, 2, -2 …, as in DIMACS.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Clauses = list[tuple[int, ...]]


def itersolve(clauses: Iterable[Sequence[int]]) -> Iterator[list[int]]:
    """Each solution once, as a literal of every variable in the order of variables."""
    formula = [tuple(dict.fromkeys(clause)) for clause in clauses]
    variables = sorted({abs(literal) for clause in formula for literal in clause})
    yield from _complete(formula, {}, variables)


def _complete(
    formula: Clauses, known: dict[int, bool], variables: Sequence[int]
) -> Iterator[list[int]]:
    """Davis, Putnam, Logemann and Loveland's search; open branches lie on a stack."""
    stack: list[tuple[Clauses, dict[int, bool]]] = [(formula, known)]
    while stack:
        formula, known = stack.pop()
        reduced = _propagate(formula, known)
        if reduced is None:
            continue
        open_variable = _choose(reduced, known, variables)
        if open_variable is None:
            yield [variable if known[variable] else -variable for variable in variables]
            continue
        for value in (False, True):
            stack.append((reduced, known | {open_variable: value}))


def _choose(formula: Clauses, known: dict[int, bool], variables: Sequence[int]) -> int | None:
    """A variable of a shortest clause; where no clause is left, any that has no value yet."""
    if formula:
        return abs(min(formula, key=len)[0])
    return next((variable for variable in variables if variable not in known), None)


def _propagate(formula: Clauses, known: dict[int, bool]) -> Clauses | None:
    """The clauses that are still open; single literals are set in `known`. None: impossible."""
    while True:
        reduced: Clauses = []
        found = False
        for clause in formula:
            rest = _rest(clause, known)
            if rest is None:
                continue
            if not rest:
                return None
            if len(rest) == 1:
                # At once, for the clauses after it.
                known[abs(rest[0])] = rest[0] > 0
                found = True
            else:
                reduced.append(rest)
        if not found:
            return reduced
        formula = reduced


def _rest(clause: tuple[int, ...], known: dict[int, bool]) -> tuple[int, ...] | None:
    """The literals that are still open; None where one of them holds."""
    rest = []
    for literal in clause:
        value = known.get(abs(literal))
        if value is None:
            rest.append(literal)
        elif value == (literal > 0):
            return None
    return tuple(rest)
