"""As root: the user id that a workspace's code runs under, and the files that belong to it."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from aworld.sandbox.disk_usage import DEEPEST

_FIRST_ID = 0x4000_0000


def user_of(workspace: Path) -> int:
    """The id that a workspace's code runs under: always the same, and no account's."""
    digest = hashlib.blake2b(os.fsencode(workspace.resolve()), digest_size=4).digest()
    return _FIRST_ID + int.from_bytes(digest, "little") % _FIRST_ID


def give_to(user: int, folder: Path) -> None:
    """Change the owner of a file, or of a folder and everything in it. Links are not followed, and
    each name is looked up in its opened folder, so that code inside cannot lead us elsewhere. What
    lies deeper than `DEEPEST` was made inside, and is its own already."""
    if not folder.is_dir():
        os.chown(folder, user, user, follow_symlinks=False)
        return
    top = len(folder.parts)
    for path, folders, files, opened in os.fwalk(folder, follow_symlinks=False):
        if os.fstat(opened).st_uid != user:
            os.fchown(opened, user, user)
        for name in (*folders, *files):
            with contextlib.suppress(FileNotFoundError):
                if os.stat(name, dir_fd=opened, follow_symlinks=False).st_uid != user:
                    os.chown(name, user, user, dir_fd=opened, follow_symlinks=False)
        if len(Path(path).parts) - top >= DEEPEST:
            folders.clear()
