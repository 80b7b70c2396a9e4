"""Text as it is: markdown, XML, JSON."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

from aworld.tools.documents.model import Cell, DocumentError, Produced, Wanted
from aworld.tools.documents.writing.tables import Rows, one_table

_MEDIA = {".json": "application/json", ".jsonl": "application/jsonl", ".xml": "application/xml",
          ".md": "text/markdown"}  # fmt: skip


def make(wanted: Wanted, before: bytes) -> Produced:
    """The text itself; rows become a list of objects, by the names in the first row."""
    suffix = PurePosixPath(wanted.name).suffix.lower()
    text = wanted.text
    if wanted.sheets and suffix in (".json", ".jsonl"):
        records = records_of(one_table(wanted))
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        text = "\n".join(lines) + "\n"
        if suffix == ".json":
            text = json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    elif suffix == ".json":
        try:
            json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DocumentError(f"The text for {wanted.name!r} is no JSON: {error}.") from None
    return Produced(wanted.name, _MEDIA.get(suffix, "text/plain"), text.encode("utf-8", "replace"))


def records_of(rows: Rows) -> list[dict[str, Cell]]:
    """Rows as objects."""
    if not rows:
        return []
    names = [str(name) for name in rows[0]]
    return [dict(zip(names, row, strict=False)) for row in rows[1:]]
