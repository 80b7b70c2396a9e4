"""How documents are made, one kind a file: text kinds from markdown, tables from rows."""

from __future__ import annotations

import importlib
from pathlib import PurePosixPath
from typing import Final

from aworld.tools.documents.model import DocumentError, Produced, Wanted

_HOMES: Final = {
    ".md": "plain", ".txt": "plain", ".xml": "plain", ".json": "plain", ".jsonl": "plain",
    ".html": "web_page", ".htm": "web_page",
    ".pdf": "pdf", ".docx": "word", ".pptx": "slides",
    ".xlsx": "workbook", ".csv": "delimited", ".tsv": "delimited", ".parquet": "parquet",
}  # fmt: skip
"""Suffix → the module that has `make(wanted, before)`."""
KINDS: Final = tuple(_HOMES)


def write(wanted: Wanted, before: bytes) -> Produced:
    """Make a document; `before` is what the file holds already, b"" where it is new.

    Raises:
        DocumentError: there is no such kind, or it cannot be made of what was given.
    """
    suffix = PurePosixPath(wanted.name).suffix.lower()
    home = _HOMES.get(suffix)
    if home is None:
        raise DocumentError(
            f"Documents of the kind {suffix!r} are not written. Name one of {', '.join(KINDS)}."
        )
    made: Produced = importlib.import_module(f"{__name__}.{home}").make(wanted, before)
    return made
