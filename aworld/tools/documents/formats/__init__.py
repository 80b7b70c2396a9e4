"""How each kind of document is opened, one a file. Adding one: its file, and a line here."""

from __future__ import annotations

import importlib
from typing import Final

from aworld.tools.documents.model import Opened, Wanted

_HOMES: Final = {
    "pdf": "pdf",
    "xlsx": "workbook",
    "docx": "word",
    "pptx": "slides",
    "opendocument": "opendocument",
    "epub": "epub",
    "zip": "archive",
    "csv": "delimited",
    "html": "web_page",
    "json": "json_text",
    "jsonl": "json_text",
    "xml": "xml_text",
    "picture": "picture",
    "sound": "sound",
    "parquet": "parquet",
    "text": "plain_text",
}
"""Kind → the module that has `open_document(data, wanted)`."""


def open_document(kind: str, data: bytes, wanted: Wanted) -> Opened:
    """Open a document of a kind that `kinds.kind_of` told. Libraries are loaded here, not before.

    Raises:
        DocumentError: it is damaged, encrypted or a bomb.
    """
    module = importlib.import_module(f"{__name__}.{_HOMES[kind]}")
    opened: Opened = module.open_document(data, wanted)
    return opened
