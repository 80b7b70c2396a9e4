"""All solutions of a formula, compared with trying all values."""

from __future__ import annotations

import itertools
import random

from aworld.environments.math.satisfiability import itersolve


def _tried(clauses: list[list[int]]) -> set[tuple[int, ...]]:
    variables = sorted({abs(literal) for clause in clauses for literal in clause})
    rows = itertools.product(*((v, -v) for v in variables))
    return {row for row in rows if all(set(row) & set(clause) for clause in clauses)}


def test_it_finds_each_solution_once() -> None:
    rng = random.Random(7)
    sizes = set()
    for _ in range(300):
        variables = rng.randint(1, 7)
        clauses = [
            [rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(rng.randint(1, 4))]
            for _ in range(rng.randint(1, 14))
        ]
        found = list(map(tuple, itersolve(clauses)))
        assert len(found) == len(set(found))
        assert set(found) == _tried(clauses)
        sizes.add(min(len(found), 2))
    assert sizes == {0, 1, 2}


def test_no_clause_has_one_solution_and_an_empty_clause_none() -> None:
    assert list(itersolve([])) == [[]]
    assert list(itersolve([[1], []])) == []


def test_a_long_chain_of_implications_needs_no_deep_recursion() -> None:
    clauses = [[1], *([-n, n + 1] for n in range(1, 3000))]
    assert list(itersolve(clauses)) == [list(range(1, 3001))]
