"""Tokens with which programs act for a person."""

import uuid

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="AccessToken",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("username", models.CharField(db_index=True, max_length=150)),
                ("name", models.CharField(max_length=120)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("hint", models.CharField(max_length=8)),
                ("created_at", models.BigIntegerField(default=0)),
                ("used_at", models.BigIntegerField(default=0)),
            ],
            options={
                "ordering": ("-created_at",),
            },
        ),
    ]
