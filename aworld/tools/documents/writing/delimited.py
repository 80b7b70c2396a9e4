"""CSV and TSV, in UTF-8."""

from __future__ import annotations

import csv
import io

from aworld.tools.documents.model import Produced, Wanted
from aworld.tools.documents.writing.tables import one_table, plain


def make(wanted: Wanted, before: bytes) -> Produced:
    """Rows; a text without rows and without a table is taken for the file itself."""
    tab = wanted.name.lower().endswith(".tsv")
    media_type = "text/tab-separated-values" if tab else "text/csv"
    if not wanted.sheets and "|" not in wanted.text:
        return Produced(wanted.name, media_type, wanted.text.encode("utf-8", "replace"))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t" if tab else ",", lineterminator="\n")
    writer.writerows([plain(cell) for cell in row] for row in one_table(wanted))
    return Produced(wanted.name, media_type, out.getvalue().encode("utf-8", "replace"))
