"""Parquet: the schema, and rows in batches."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from aworld.tools.documents.model import DocumentError, Opened, Wanted, table_row

_BATCH = 500
_MOST_COLUMNS = 200
_LONGEST_CELL = 500


class Parquet(Opened):
    """A table; line 1 is the header."""

    kind = "parquet"
    title = "Parquet table"

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__()
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._name = name
        self._fault: type[Exception] = pa.ArrowException
        try:
            self._file: Any = pq.ParquetFile(io.BytesIO(data))
        except (pa.ArrowException, OSError) as error:
            raise DocumentError(f"{name!r} is a damaged or cut off Parquet file: {error}") from None
        metadata, schema = self._file.metadata, self._file.schema_arrow
        self.facts = {
            "Rows": str(metadata.num_rows),
            "Row groups": str(metadata.num_row_groups),
            "Columns": ", ".join(f"{field.name} ({field.type})" for field in schema),
        }
        self._columns = list(schema.names)[:_MOST_COLUMNS]
        if len(schema.names) > _MOST_COLUMNS:
            self.notes.append(f"the first {_MOST_COLUMNS} columns are shown.")

    def lines(self, part: int) -> Iterator[str]:
        """The header, then a row a line."""
        yield table_row(self._columns)
        try:
            batches = self._file.iter_batches(_BATCH, columns=self._columns, use_threads=False)
            for batch in batches:
                for row in zip(*batch.to_pydict().values(), strict=True):
                    yield table_row([_cell(value) for value in row])
        except (self._fault, OSError) as error:
            raise DocumentError(f"{self._name!r} has damaged rows: {error}") from None


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"


def open_document(data: bytes, wanted: Wanted) -> Parquet:
    """Read the footer."""
    return Parquet(data, wanted.name)
