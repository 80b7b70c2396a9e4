"""A secret that is made once and then kept in the data folder, readable by its owner only."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def kept_secret(path: Path, make: Callable[[], str]) -> str:
    """The secret in `path`; made, and written with mode 0600, where there is none yet.

    Several processes may start at once: the file is linked into place whole, so that all of them
    read the one that came first.
    """
    if path.exists():
        return path.read_text(encoding="ascii").strip()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(make())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text(encoding="ascii").strip()
