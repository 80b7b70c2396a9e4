"""The process in which documents are read and made: a request in, a reply out, nothing kept.

A frame is two lengths of four bytes (big endian), a JSON head, and raw bytes: of the document on
the way in, of produced files, one behind the other, on the way out.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, BinaryIO

import msgspec

from aworld.tools.documents import reading
from aworld.tools.documents.formats import open_document
from aworld.tools.documents.kinds import kind_of, promised_by
from aworld.tools.documents.model import LENGTHS, DocumentError, Produced, Reply, Wanted
from aworld.tools.documents.writing import write

_MOST_ADDRESSES = 2 * 1024**3


def answer(wanted: Wanted, data: bytes) -> Reply:
    """Carry out one request.

    Raises:
        DocumentError: it cannot be done.
    """
    if wanted.action == "write":
        made = write(wanted, data)
        return Reply(kind=made.media_type, files=(made,))
    kind = kind_of(data, wanted.name)
    opened = open_document(kind, data, wanted)
    promised = promised_by(wanted.name)
    if promised and promised != kind:
        opened.notes.append(f"its name says {promised!r}, its content {kind!r}.")
    actions = {
        "read": reading.read,
        "info": reading.info,
        "find": reading.find,
        "passages": reading.passages,
        "extract": reading.extract,
    }
    return actions[wanted.action](opened, wanted)


def _answered(wanted: Wanted, data: bytes) -> tuple[dict[str, Any], tuple[Produced, ...]]:
    """The reply's head, and its files. Whatever a parser raises becomes a sentence: hostile files
    make them raise anything."""
    try:
        reply = answer(wanted, data)
    except DocumentError as error:
        return {"error": str(error)}, ()
    except MemoryError:
        return {"error": f"{wanted.name!r} needs more memory than a document may take."}, ()
    except RecursionError:
        return {"error": f"{wanted.name!r} nests too deeply to be read."}, ()
    except Exception as error:  # noqa: BLE001
        said = f"{type(error).__name__}: {error}"[:300]
        return {"error": f"{wanted.name!r} cannot be read; it may be damaged ({said})."}, ()
    files = [(file.name, file.media_type, len(file.data)) for file in reply.files]
    return {"text": reply.text, "kind": reply.kind, "data": reply.data, "files": files}, reply.files


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answer requests until there are no more."""
    while len(lengths := source.read(LENGTHS.size)) == LENGTHS.size:
        head_length, body_length = LENGTHS.unpack(lengths)
        wanted = msgspec.json.decode(source.read(head_length), type=Wanted)
        head, files = _answered(wanted, source.read(body_length))
        encoded = _encoded(head)
        target.write(LENGTHS.pack(len(encoded), sum(len(file.data) for file in files)))
        target.write(encoded)
        for file in files:
            target.write(file.data)
        target.flush()


def _encoded(head: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(head)
    except UnicodeEncodeError:
        # Half a surrogate pair, from a broken file.
        import json

        text = json.dumps(head, ensure_ascii=False).encode("utf-8", "replace")
        return text


def main() -> None:
    """Talk over the standard streams, which libraries must not write to."""
    warnings.simplefilter("ignore")
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_ADDRESSES, _MOST_ADDRESSES))
    target = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    serve(sys.stdin.buffer, target)
