"""MCP servers."""

import uuid

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0002_team_breakpoints"),
    ]

    operations = [
        migrations.CreateModel(
            name="McpServer",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=32, unique=True)),
                ("spec_sealed", models.TextField()),
                ("enabled", models.BooleanField(default=True)),
                ("listing", models.TextField(blank=True, default="")),
                ("state", models.CharField(default="untested", max_length=20)),
                ("message", models.TextField(blank=True, default="")),
                ("updated_at", models.BigIntegerField(default=0)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
    ]
