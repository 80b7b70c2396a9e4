"""Where the rows of a GAIA folder are, in either layout of the data set.

Until late 2025 each split had `metadata.jsonl` with integer levels; since then `metadata.parquet`
and one `metadata.levelN.parquet` a level, with levels as text and a `file_path`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from aworld.errors import ConfigurationError

SPLITS = ("validation", "test")


class Row(NamedTuple):
    """One task as its file has it."""

    file: Path
    number: int
    """Line of a .jsonl file or row of a .parquet file, from 1."""
    fields: dict[str, Any]

    @property
    def where(self) -> str:
        """For messages."""
        return f"{self.file}, {'line' if self.file.suffix == '.jsonl' else 'row'} {self.number}"


def metadata_files(path: Path) -> list[Path]:
    """The files that hold a folder's rows: of the folder itself, or of the splits below it.

    Raises:
        ConfigurationError: there are none.
    """
    if path.is_file() and path.suffix in (".jsonl", ".parquet"):
        return [path]
    if not path.is_dir():
        raise ConfigurationError(
            f"{str(path)!r} is no folder and no metadata file. Give the folder of a GAIA split, "
            "with metadata.jsonl or metadata.parquet in it."
        )
    own = _of_folder(path)
    if own:
        return own
    years = sorted(entry for entry in path.iterdir() if entry.is_dir() and entry.name.isdigit())
    below = [year / split for year in [path, *years] for split in SPLITS]
    found = [file for folder in below for file in _of_folder(folder)]
    if not found:
        raise ConfigurationError(
            f"{str(path)!r} is no GAIA folder: neither it nor validation/, test/ or 2023/… below "
            "it has a metadata.jsonl, metadata.parquet or metadata.level1.parquet."
        )
    return found


def read_rows(file: Path) -> Iterator[Row]:
    """The rows of one metadata file.

    Raises:
        ConfigurationError: it cannot be read; the text names the line.
    """
    try:
        if file.suffix == ".parquet":
            yield from _parquet_rows(file)
        else:
            yield from _json_rows(file)
    except OSError as error:
        raise ConfigurationError(
            f"{str(file)!r} cannot be read: {error.strerror or error}."
        ) from error


def _of_folder(folder: Path) -> list[Path]:
    """One whole file where there is one: the files by level repeat its rows."""
    for name in ("metadata.parquet", "metadata.jsonl"):
        if (folder / name).is_file():
            return [folder / name]
    return sorted(folder.glob("metadata.level*.parquet"))


def _json_rows(file: Path) -> Iterator[Row]:
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    fields = msgspec.json.decode(line, type=dict[str, Any])
                except (msgspec.DecodeError, RecursionError) as error:
                    raise ConfigurationError(
                        f"{file}, line {number} is no JSON object: {error}."
                    ) from error
                yield Row(file, number, fields)


def _parquet_rows(file: Path) -> Iterator[Row]:
    import pyarrow
    from pyarrow import parquet

    try:
        rows = parquet.read_table(file).to_pylist()
    except (pyarrow.ArrowException, ValueError) as error:
        said = str(error).strip().splitlines()[0] if str(error).strip() else "damaged"
        raise ConfigurationError(f"{str(file)!r} is no Parquet file: {said}.") from error
    for number, fields in enumerate(rows, start=1):
        yield Row(file, number, fields)
