"""Faults that are none of ours: a full disk, a database that is locked or may not be written."""

from __future__ import annotations

import errno

from django.db import DatabaseError
from django.utils.translation import gettext as _

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_NOT_OURS = (*_NO_ROOM, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE)


def explained(error: BaseException) -> str:
    """What is wrong around us and what to do; "" where the fault is our own."""
    if isinstance(error, OSError) and error.errno in _NOT_OURS:
        said = error.strerror or str(error)
        return _no_room(said) if error.errno in _NO_ROOM else _not_usable(said)
    if isinstance(error, DatabaseError):
        said = str(error)
        if "disk is full" in said or "disk I/O error" in said:
            return _no_room(said)
        if any(word in said for word in ("locked", "readonly", "unable to open")):
            return _not_usable(said)
    return ""


def _no_room(said: str) -> str:
    return _(
        "Nothing was written: %(error)s. Free some space on the disk of the data folder, then try "
        "again."
    ) % {"error": said}


def _not_usable(said: str) -> str:
    return _("The data folder cannot be used: %(error)s. Look at it, then try again.") % {
        "error": said
    }
