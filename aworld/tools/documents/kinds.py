"""Which kind a document is: its content says it, its name only what the content leaves open."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import PurePosixPath

from aworld.tools.documents.model import DocumentError

_START = 1024
# Enough of each magic number that no text begins so: "BMW" is no bitmap.
_PICTURES = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|BM.{4}\0\0\0\0|II\*\0|MM\0\*|\0\0\x01\0|RIFF.{4}WEBP"
    rb"|.{4}ftyp(heic|heix|mif1|avif)",
    re.S,
)
_SOUNDS = re.compile(
    rb"ID3[\0-\x0a]|fLaC\0|OggS\0|FORM.{4}AIF[FC]|RIFF.{4}WAVE|wvpk.{4}|.{4}ftyp"
    rb"|\x30\x26\xb2\x75\x8e\x66\xcf\x11",
    re.S,
)
_PDF = re.compile(rb"(?:\xef\xbb\xbf)?\s*%PDF-")
_PACKED = {b"\x1f\x8b": "gzip", b"BZh91AY&SY": "bzip2", b"\xfd7zXZ": "xz", b"7z\xbc\xaf": "7-Zip",
           b"Rar!\x1a\7": "RAR", b"\x28\xb5\x2f\xfd": "zstd"}  # fmt: skip
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_SUFFIXES = {
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".html": "html", ".htm": "html", ".xhtml": "html",
    ".json": "json", ".geojson": "json", ".jsonld": "json", ".ipynb": "json",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".xml": "xml", ".svg": "xml", ".kml": "xml",
    ".rss": "xml", ".gpx": "xml", ".xsd": "xml",
}  # fmt: skip
_BINARY_SUFFIXES = {
    ".pdf": "pdf", ".xlsx": "xlsx", ".xlsm": "xlsx", ".docx": "docx", ".pptx": "pptx",
    ".odt": "opendocument", ".ods": "opendocument", ".odp": "opendocument", ".epub": "epub",
    ".png": "picture", ".jpg": "picture", ".jpeg": "picture", ".gif": "picture",
    ".webp": "picture", ".bmp": "picture", ".tif": "picture", ".tiff": "picture",
    ".mp3": "sound", ".wav": "sound", ".m4a": "sound", ".flac": "sound", ".ogg": "sound",
    ".zip": "zip", ".parquet": "parquet",
}  # fmt: skip
_MARKUP = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(!doctype\s+html|html\b)", re.I | re.S
)


def kind_of(data: bytes, name: str) -> str:
    """`pdf`, `xlsx`, `docx`, `pptx`, `opendocument`, `epub`, `zip`, `csv`, `html`, `json`,
    `jsonl`, `xml`, `picture`, `sound`, `parquet` or `text`.

    Raises:
        DocumentError: it is of a kind that is not read, or empty, or damaged.
    """
    if not data:
        raise DocumentError(f"{name!r} is empty.")
    kind = _binary(data, name)
    if kind is not None:
        return kind
    suffix = PurePosixPath(name).suffix.lower()
    if _looks_like_text(data[:_START]):
        return _text(data, suffix)
    begins = f"begins with {data[:8].hex(' ')}"
    if suffix in _BINARY_SUFFIXES:
        raise DocumentError(
            f"{name!r} is no {_BINARY_SUFFIXES[suffix]} file: it {begins}. It may be damaged or "
            "cut off."
        )
    raise DocumentError(
        f"{name!r} is of a kind that is not read here: {len(data)} bytes; it {begins}. Look at it "
        "with code."
    )


def promised_by(name: str) -> str:
    """The kind that a suffix promises; "" where any content fits it."""
    return _BINARY_SUFFIXES.get(PurePosixPath(name).suffix.lower(), "")


def _binary(data: bytes, name: str) -> str | None:
    start = data[:_START]
    # Readers of PDF allow for rubbish before its beginning.
    if _PDF.match(start) or (b"%PDF-" in start and b"startxref" in data[-_START:]):
        return "pdf"
    if start.startswith((b"PK\3\4", b"PK\5\6")):
        return _zipped(data, name)
    if start.startswith(_OLD_OFFICE):
        raise DocumentError(_old_office(data, name))
    if start.startswith(b"PAR1"):
        return "parquet"
    if _PICTURES.match(start):
        return "picture"
    if _SOUNDS.match(start) or _is_mp3_frame(start):
        return "sound"
    for magic, packing in _PACKED.items():
        if start.startswith(magic):
            raise DocumentError(f"{name!r} is packed with {packing}. Unpack it with code first.")
    return None


def _zipped(data: bytes, name: str) -> str:
    """Which document a ZIP container is."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = set(archive.namelist())
            mimetype = archive.read("mimetype")[:100] if "mimetype" in members else b""
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise DocumentError(
            f"{name!r} is a damaged or cut off ZIP container ({error}), which Office files are too."
        ) from None
    if b"epub" in mimetype:
        return "epub"
    if b"opendocument" in mimetype:
        return "opendocument"
    for member, kind in (("xl/workbook", "xlsx"), ("word/document", "docx"), ("ppt/pres", "pptx")):
        if any(found.startswith(member) for found in members):
            return kind
    return "zip"


def _old_office(data: bytes, name: str) -> str:
    if _ENCRYPTED in data:
        return f"{name!r} is encrypted with a password. Office files are read without one only."
    return (
        f"{name!r} is an Office file of the kind before 2007 (doc, xls, ppt), which is not read. "
        "Convert it, for example with 'soffice --headless --convert-to xlsx'."
    )


def _is_mp3_frame(start: bytes) -> bool:
    """A frame's sync word, with a layer and a rate that exist."""
    # FF FE is the mark of UTF-16.
    if len(start) < 4 or start[0] != 0xFF or start[1] & 0xE0 != 0xE0 or start[1] == 0xFE:
        return False
    return start[1] & 0x06 != 0 and start[2] & 0xF0 != 0xF0 and start[2] & 0x0C != 0x0C


def _looks_like_text(start: bytes) -> bool:
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    nulls = start.count(0)
    # UTF-16 without a mark has every second byte zero where it is Latin.
    if nulls and (abs(start[::2].count(0) - start[1::2].count(0)) < 0.3 * len(start)):
        return False
    odd = sum(byte < 32 and byte not in b"\t\n\r\f\x1b\b" for byte in start) - nulls
    return odd <= len(start) // 50


def _text(data: bytes, suffix: str) -> str:
    named = _SUFFIXES.get(suffix)
    if named:
        return named
    start = data[:_START].lstrip(b"\xef\xbb\xbf")
    if _MARKUP.match(start):
        return "html"
    if start.startswith(b"<?xml"):
        return "xml"
    if start.lstrip()[:1] in (b"{", b"[") and suffix in ("", ".txt", ".dat"):
        return _json_kind(data)
    return "text"


def _json_kind(data: bytes) -> str:
    if len(data) > 4 * 1024 * 1024:
        return "text"
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        rows = [row for row in data.splitlines()[:3] if row.strip()]
        try:
            parsed = [json.loads(row) for row in rows]
        except (ValueError, RecursionError):
            return "text"
        return "jsonl" if len(parsed) > 1 else "text"
    return "json"
