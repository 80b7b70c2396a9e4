"""Parquet, by pyarrow; the types follow from the values."""

from __future__ import annotations

import io

from aworld.tools.documents.model import DocumentError, Produced, Wanted
from aworld.tools.documents.writing.tables import one_table, plain


def make(wanted: Wanted, before: bytes) -> Produced:
    """A table; its first row names the columns. A column of mixed values becomes text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = one_table(wanted)
    if not rows:
        raise DocumentError(f"{wanted.name!r} needs a first row with the columns' names.")
    names = [plain(cell) for cell in rows[0]]
    columns = {}
    for at, name in enumerate(names):
        values = [row[at] if at < len(row) else None for row in rows[1:]]
        try:
            columns[name] = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            columns[name] = pa.array([None if v is None else plain(v) for v in values])
    if len(columns) < len(names):
        raise DocumentError(f"Two columns of {wanted.name!r} have the same name.")
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return Produced(wanted.name, "application/vnd.apache.parquet", out.getvalue())
