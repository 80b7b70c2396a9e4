"""Small data sets in GAIA's two layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def row(task_id: str, **fields: Any) -> dict[str, Any]:
    """A row with what the fields do not say."""
    return {
        "task_id": task_id,
        "Question": f"What is {task_id}?",
        "Level": 1,
        "Final answer": "17",
        "file_name": "",
        "Annotator Metadata": {"Steps": "1. Look", "Number of steps": "1"},
    } | fields


def write_jsonl(folder: Path, *rows: dict[str, Any]) -> Path:
    """The older layout: metadata.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "metadata.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return file


def write_parquet(folder: Path, *rows: dict[str, Any], name: str = "metadata.parquet") -> Path:
    """The newer layout: a Parquet file."""
    import pyarrow
    from pyarrow import parquet

    folder.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), folder / name)
    return folder / name
