"""Claims about all real numbers, and about irrational ones: decided by sympy.

sympy runs in a process of its own: it is heavy, and on some claims it would never end.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from typing import Any

import msgspec

from aworld.errors import ToolError
from aworld.tools.expressions.claims import Verdict
from aworld.tools.expressions.tree import Binary, Call, Comparison, Name, Node, Number, Unary

SECONDS = 25.0
"""Time a claim may take, once sympy is loaded."""
LOADING_S = 60.0


async def check_algebra(node: Node, claim: str) -> Verdict:
    """Decide a claim in which names stand for any real number.

    Raises:
        ToolError: it cannot be decided, or not in time.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "aworld.tools.algebra_process",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(LOADING_S):
            await process.stdout.readline()
        async with asyncio.timeout(SECONDS):
            out, err = await process.communicate(msgspec.json.encode(as_lists(node)))
    except TimeoutError:
        raise ToolError(
            f"The claim {claim!r} could not be decided within {SECONDS:g} s. Check simpler parts."
        ) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.returncode != 0:
        last = err.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ToolError(f"The claim {claim!r} could not be worked out: {last}")
    answer: dict[str, Any] = json.loads(out)
    if answer["holds"] is None:
        raise ToolError(f"The claim {claim!r} could not be decided: {answer['why']}.")
    return Verdict(answer["holds"], answer["why"])


def as_lists(node: Node) -> list[Any]:
    """A tree as nested lists: a head, then its parts."""
    match node:
        case Number():
            return ["number", str(node.value.numerator), str(node.value.denominator)]
        case Name():
            return ["name", node.name]
        case Call():
            return ["call", node.name.lower(), *map(as_lists, node.arguments)]
        case Unary():
            return ["unary", node.operator, as_lists(node.operand)]
        case Binary():
            return ["binary", node.operator, as_lists(node.left), as_lists(node.right)]
        case Comparison():
            return ["compare", list(node.operators), *map(as_lists, node.operands)]
        case _:
            raise ToolError("The claim has a part that algebra does not know.")
