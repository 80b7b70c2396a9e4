"""Provider keys at rest: encrypted, with a key in the data folder apart from the database.

A cluster's machines share it as AWORLD_ENCRYPTION_KEY.
"""

from __future__ import annotations

import os

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from apps.shell.kept_secret import kept_secret
from aworld.errors import ConfigurationError

HINT_CHARACTERS = 4


def _fernet() -> Fernet:
    key = os.environ.get("AWORLD_ENCRYPTION_KEY") or kept_secret(
        settings.HOME / "encryption_key", lambda: Fernet.generate_key().decode("ascii")
    )
    return Fernet(key)


def seal(key: str) -> str:
    """The key as it is stored."""
    return _fernet().encrypt(key.encode()).decode("ascii")


def unseal(sealed: str) -> str:
    """The key as the provider wants it.

    Raises:
        ConfigurationError: it was sealed with another encryption key.
    """
    try:
        return _fernet().decrypt(sealed.encode("ascii")).decode()
    except InvalidToken:
        raise ConfigurationError(
            "The stored provider key cannot be decrypted: it was stored with another encryption "
            "key. Give the workers the same AWORLD_ENCRYPTION_KEY, or enter the key again under "
            "Settings."
        ) from None


def hint(key: str) -> str:
    """The last characters, where the key is long enough that they give nothing away."""
    return key[-HINT_CHARACTERS:] if len(key) >= 4 * HINT_CHARACTERS else ""
