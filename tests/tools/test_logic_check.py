"""Claims: what holds is `true`, what does not comes with what holds instead."""

from __future__ import annotations

import asyncio
import sys

import pytest

from aworld.errors import ToolError
from aworld.tools import algebra
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.builtin.logic_check import LogicCheck


async def check(claim: str) -> ToolResult:
    return await LogicCheck().run(ToolContext(), claim=claim)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("23*47 == 1081", "true"),
        ("23*47 = 1081.", "true"),
        ("23*47 == 1080", "false: 23*47 is 1081"),
        ("1080 == 23*47", "false: 23*47 is 1081"),
        ("2*3 == 3+4", "false: 2*3 is 6 and 3+4 is 7"),
        ("0.1 + 0.2 == 0.3", "true"),
        ("1/3 + 1/6 == 1/2", "true"),
        ("1/3 == 0.333333", "false: 1/3 is 0.333333…"),
        ("1 < 2 <= 2", "true"),
        ("1 < 3 < 2", "false: 3 < 2 does not hold"),
        ("100! > 99!", "true"),
        ("sqrt(2) < 1.5", "true"),
        ("not 1 > 2", "true"),
        ("not 2 > 1", "false: 2 > 1 holds"),
        ("2+2 == 4 and 3 > 5", "false: 3 > 5 does not hold"),
        ("2+2 == 5 or 3 > 5", "false: 2+2 is 4; 3 > 5 does not hold"),
        ("2+2 == 5 or 3 < 5", "true"),
        ("1 > 0 → 2 > 3", "false: 1 > 0 holds, but 2 > 3 does not hold"),
        ("1 > 2 implies 2 > 3", "true"),
        ("p or not p", "true"),
        ("(p and q) implies p", "true"),
        ("¬(p ∧ q) ↔ (¬p ∨ ¬q)", "true"),
        ("((p -> q) & (q -> r)) -> (p -> r)", "true"),
        ("p implies q", "false: not for p = true, q = false"),
        ("p iff not p", "false: not for p = true"),
        ("p and false", "false: not for p = true"),
        ("true", "true"),
    ],
)
async def test_claims_without_algebra(claim: str, text: str) -> None:
    assert (await check(claim)).text == text


async def test_claims_without_algebra_do_not_load_sympy() -> None:
    assert (await check("23*47 == 1081")).data == {"holds": True, "why": ""}
    assert "sympy" not in sys.modules


async def test_claims_of_algebra_hold_for_all_real_numbers() -> None:
    wanted = {
        "sqrt(2)*sqrt(3) == sqrt(6)": "true",
        "(x+1)^2 == x^2 + 2x + 1": "true",
        "x² - 5x + 6 == (x-2)(x-3)": "true",
        "x > 2 implies x^2 > 4": "true",
        "x^2 + y^2 >= 2*x*y": "true",
        "abs(x) >= x": "true",
        "x^2 > 0": "false: not for x = 0",
    }
    # Each starts a process of its own: all at once.
    found = await asyncio.gather(*map(check, wanted))
    assert {claim: one.text for claim, one in zip(wanted, found, strict=True)} == wanted


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("2 + 2", "a calculation, not a claim"),
        ("p and 3", "joins numbers"),
        ("1 < 2 and 3", "'3' is a number, not a claim"),
        ("1/0 == 1", "Division by zero"),
        ("23*47 ==", "number is missing"),
        ("foo(x) == 1", "no function 'foo'"),
        ("a or b or c or d or f or g or h or i or j or k or l or m or n or o or p", "15 variables"),
    ],
)
async def test_what_is_no_claim_is_refused_with_the_reason(claim: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        await check(claim)


async def test_a_claim_that_takes_too_long_is_given_up_and_its_process_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(algebra, "SECONDS", 0.01)
    with pytest.raises(ToolError, match=r"could not be decided within 0\.01 s"):
        await check("x + 1 > x")
