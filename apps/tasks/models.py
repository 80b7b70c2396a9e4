"""What is kept of a task."""

from __future__ import annotations

import uuid

from django.db import models


class Task(models.Model):
    """One question of a set."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    project_id: models.CharField[str, str] = models.CharField(
        max_length=64, default="default", db_index=True
    )
    set: models.CharField[str, str] = models.CharField(max_length=120)
    key: models.CharField[str, str] = models.CharField(max_length=120)
    """Unique in the set; importing the same key again replaces the task."""
    question: models.TextField[str, str] = models.TextField()
    answer: models.TextField[str, str] = models.TextField(blank=True, default="")
    """"" where no answer is known."""
    level: models.CharField[str, str] = models.CharField(max_length=60, blank=True, default="")
    metadata = models.JSONField(default=dict)
    position: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    """Order in the set: as added."""

    class Meta:
        """By set, then as added."""

        ordering = ("set", "position", "key")
        constraints = (
            models.UniqueConstraint(fields=("set", "key"), name="task_key_unique_in_set"),
        )

    def __str__(self) -> str:
        return f"{self.set}/{self.key}"
