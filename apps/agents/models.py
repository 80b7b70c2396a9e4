"""What is kept of teams and of connections to models.

Keys are UUIDs and times are integers, so that one set of migrations serves SQLite and MongoDB.
"""

from __future__ import annotations

import uuid

from django.db import models


class Team(models.Model):
    """A team's definition, edited in place; each run keeps its own copy of it."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    project_id: models.CharField[str, str] = models.CharField(
        max_length=64, default="default", db_index=True
    )
    name: models.CharField[str, str] = models.CharField(max_length=120, unique=True)
    definition = models.JSONField(default=dict)
    version: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=1)
    """Grows by one with each save; a save names the version it started from."""
    updated_at: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    """UTC, microseconds."""
    breakpoints = models.JSONField(default=list)
    """Beside the definition, not in it: they outlive its versions and raise none."""

    class Meta:
        """By name."""

        ordering = ("name",)

    def __str__(self) -> str:
        return str(self.name)


class ModelConnection(models.Model):
    """How to reach a model. Teams name it; its key never leaves but to the provider."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    name: models.CharField[str, str] = models.CharField(max_length=120, unique=True)
    provider: models.CharField[str, str] = models.CharField(max_length=60)
    base_url: models.CharField[str, str] = models.CharField(max_length=500, blank=True, default="")
    model: models.CharField[str, str] = models.CharField(max_length=200, blank=True, default="")
    parameters = models.JSONField(default=dict)
    price = models.JSONField(null=True, default=None)
    """USD per million tokens: `{input, output, cached_input?, cache_write?}`; None where it is not
    known."""
    limits = models.JSONField(default=dict)
    """As `aworld.llm.limits.rules.Limits`; empty where nothing is limited."""
    fallbacks = models.JSONField(default=list)
    """Names of the connections to ask when this one fails, in their order."""
    key_sealed: models.TextField[str, str] = models.TextField(blank=True, default="")
    """The key, encrypted with the installation's; "" where none is needed."""
    key_hint: models.CharField[str, str] = models.CharField(max_length=8, blank=True, default="")
    """The key's last four characters."""
    state: models.CharField[str, str] = models.CharField(max_length=20, default="untested")
    """`untested`, `ok` or `failed`: how the last test ended."""
    updated_at: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)

    class Meta:
        """By name."""

        ordering = ("name",)

    def __str__(self) -> str:
        return str(self.name)


class McpServer(models.Model):
    """An MCP server whose tools agents can be given; how to reach it is kept encrypted."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    name: models.CharField[str, str] = models.CharField(max_length=32, unique=True)
    spec_sealed: models.TextField[str, str] = models.TextField()
    """The whole `ServerSpec`, encrypted: arguments and addresses hold secrets too."""
    enabled: models.BooleanField[bool, bool] = models.BooleanField(default=True)
    listing: models.TextField[str, str] = models.TextField(blank=True, default="")
    """What it said it offers, as JSON: schemas have keys, such as `$defs`, that MongoDB takes for
    its own. "" where it was not asked yet."""
    state: models.CharField[str, str] = models.CharField(max_length=20, default="untested")
    """`untested`, `ok` or `failed`: how the last test ended."""
    message: models.TextField[str, str] = models.TextField(blank=True, default="")
    """Why the last test failed."""
    updated_at: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    """UTC, microseconds."""

    class Meta:
        """By name."""

        ordering = ("name",)

    def __str__(self) -> str:
        return str(self.name)
