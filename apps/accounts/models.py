"""What is kept of people beside Django's own: tokens with which programs act for them."""

from __future__ import annotations

import uuid

from django.db import models


class AccessToken(models.Model):
    """A token of a person's program. Only its digest is kept."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    username: models.CharField[str, str] = models.CharField(max_length=150, db_index=True)
    """Whose it is; a name, since people have other keys on MongoDB than on SQLite."""
    name: models.CharField[str, str] = models.CharField(max_length=120)
    digest: models.CharField[str, str] = models.CharField(max_length=64, unique=True)
    """SHA-256 of the token, in hexadecimal."""
    hint: models.CharField[str, str] = models.CharField(max_length=8)
    """The token's last characters."""
    created_at: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    """UTC, microseconds."""
    used_at: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    """To the minute; 0 where it was not used yet."""

    class Meta:
        """Newest first."""

        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} of {self.username}"
