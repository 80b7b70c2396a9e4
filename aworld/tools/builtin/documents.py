"""Documents of the workspace: read, searched, taken apart and made."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.documents import actions
from aworld.tools.failures import MalformedCall

_NEEDED = {
    "read": (),
    "info": (),
    "find": ("text",),
    "extract": (),
    "write": (),
}
_ROWS = {
    "type": "array",
    "items": {"anyOf": [{"type": "array"}, {"type": "object"}]},
}


class Documents(BaseTool):
    """Reads PDF, Office, tables, pictures and sound, and makes most of them."""

    name: ClassVar[str] = "documents"
    description: ClassVar[str] = (
        "Read, search, unpack or write documents in the workspace: PDF, xlsx, docx, pptx, csv, "
        "html, json, xml, zip, parquet, epub, OpenDocument, pictures (seen and described), sound "
        "(duration, tags)."
    )
    # Each action gives the same when it is done again.
    effect: ClassVar[Effect] = "idempotent"
    # Above a request's own limit, which kills the reader; a transcription may come after it.
    timeout_s: ClassVar[float] = 180.0

    def get_schema(self) -> dict[str, Any]:
        """An action on one document."""
        return {
            "type": "object",
            "properties": {
                "action": {
                    "enum": list(_NEEDED),
                    "description": "read: text; info: facts alone; find: where a text stands; "
                    "extract: unpack a zip, or pictures inside a document, into a folder; write: "
                    "make a document of the kind that the path's suffix names",
                },
                "path": {"type": "string", "description": "Inside the workspace: data/report.pdf"},
                "pages": {
                    "type": "string",
                    "description": "read, find: pages, slides, sheets or members, like '3', "
                    "'2-5,9', '7-' or a name; extract: one member",
                },
                "sheet": {"type": "string", "description": "A sheet's name"},
                "range": {
                    "type": "string",
                    "description": "Cells of a workbook, like 'A1:D20'; write: where to put rows "
                    "in a workbook that is there",
                },
                "show": {
                    "enum": ["values", "formulas", "colours", "layout"],
                    "description": "Workbooks: formulas, or each cell's colour; PDF: layout keeps "
                    "columns",
                },
                "first_line": {"type": "integer", "minimum": 1},
                "lines": {"type": "integer", "minimum": 1},
                "text": {
                    "type": "string",
                    "description": "find: the text; write: the content, in markdown for pdf, docx, "
                    "pptx (a heading begins a slide) and html",
                },
                "rows": {
                    **_ROWS,
                    "description": "write: a table; the first row has the names, '=A1+1' is a "
                    "formula",
                },
                "sheets": {
                    "type": "object",
                    "additionalProperties": _ROWS,
                    "description": "write: several tables by name",
                },
                "paths": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "write .zip: the files to pack",
                },
                "folder": {"type": "string", "description": "extract: where to"},
                "password": {"type": "string", "description": "Of an encrypted PDF"},
            },
            "required": ["action", "path"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """Do the action.

        Raises:
            ToolError: no such file, damaged, encrypted, too large, of a kind that is not read.
            ToolRefused: the path leads out of the workspace.
        """
        action = arguments["action"]
        for field in _NEEDED[action]:
            if field not in arguments:
                raise MalformedCall(f"The action {action!r} needs {field!r}. Call it again.")
        match action:
            case "write":
                if not {"text", "rows", "sheets", "paths"} & set(arguments):
                    raise MalformedCall("The action 'write' needs 'text', 'rows', 'sheets' or "
                                        "'paths'. Call it again.")  # fmt: skip
                return await actions.write(context, arguments)
            case "extract":
                return await actions.extract(context, arguments)
            case _:
                return await actions.look(context, action, arguments)
