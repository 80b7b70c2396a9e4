"""The one-time link: a token in a file that only the owner of the data folder can read.

`aworld up` makes a token and prints `/enter?token=…`; the first visit spends it. Needs no Django.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

FOLDER = "enter_tokens"


def make(home: Path) -> str:
    """A fresh token; those made before and not used yet stop working."""
    folder = home / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for old in folder.iterdir():
        old.unlink(missing_ok=True)
    token = secrets.token_urlsafe(32)
    os.close(os.open(folder / token, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return token


def spend(home: Path, token: str) -> bool:
    """Whether the token was good; it is not good a second time.

    Removing the file decides, so that of two visits at once only one gets in.
    """
    if not token or not all(char.isalnum() or char in "-_" for char in token):
        return False
    try:
        (home / FOLDER / token).unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
