"""Further pages of long results."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from aworld.tools.base import BaseTool, Effect, ToolContext
from aworld.tools.failures import MalformedCall
from aworld.tools.pages import page_text, whole_text

_REFERENCE = re.compile(r"\s*\[?(?:result:)?([0-9a-f]{8})\b")


class ReadResult(BaseTool):
    """Gives a page of a result that was too long for one."""

    name: ClassVar[str] = "read_result"
    description: ClassVar[str] = (
        "Read a further page of a long result by the reference at its end, such as result:5f0c2ab1."
    )
    effect: ClassVar[Effect] = "read_only"
    timeout_s: ClassVar[float] = 30.0
    long_results: ClassVar[bool] = False

    def get_schema(self) -> dict[str, Any]:
        """The reference and the page's number."""
        return {
            "type": "object",
            "properties": {
                "reference": {
                    "type": "string",
                    "description": "As it stands at the end of the result: result:5f0c2ab1",
                },
                "page": {"type": "integer", "minimum": 1},
            },
            "required": ["reference", "page"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> str:
        """The page.

        Raises:
            ToolError: no such result, or no such page.
        """
        found = _REFERENCE.match(arguments["reference"])
        if found is None:
            raise MalformedCall(
                f"{arguments['reference'][:40]!r} is no reference. Give it as it stands at the end "
                "of the result, like result:5f0c2ab1."
            )
        reference = found[1]
        text = await whole_text(context, reference)
        return page_text(reference, text, arguments["page"])
