"""Which files the built pages consist of, by Vite's manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

ENTRY = "index.html"


class Entry(NamedTuple):
    """What the shell page loads, as paths under the static URL."""

    script: str
    styles: tuple[str, ...]
    preloads: tuple[str, ...]


def read_entry(dist: Path) -> Entry | None:
    """The entry of the pages built into `dist`; None where they are not built."""
    try:
        text = (dist / ".vite" / "manifest.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    manifest: dict[str, dict[str, Any]] = json.loads(text)
    chosen = manifest.get(ENTRY) or next(
        (chunk for chunk in manifest.values() if chunk.get("isEntry")), None
    )
    if chosen is None:
        return None
    chunks = _with_imports(manifest, chosen)
    styles = tuple(dict.fromkeys(css for chunk in chunks for css in chunk.get("css", ())))
    return Entry(
        script=chosen["file"],
        styles=styles,
        preloads=tuple(chunk["file"] for chunk in chunks[1:]),
    )


def _with_imports(
    manifest: dict[str, dict[str, Any]], entry: dict[str, Any]
) -> list[dict[str, Any]]:
    """The entry and every chunk it needs at once, each one time, the entry first."""
    chunks, names = [entry], list(entry.get("imports", ()))
    seen = set(names)
    for name in names:
        chunks.append(manifest[name])
        fresh = [more for more in manifest[name].get("imports", ()) if more not in seen]
        seen.update(fresh)
        names.extend(fresh)
    return chunks
