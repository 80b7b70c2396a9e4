"""What a model connection may use, and who stands in for it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0003_mcpserver"),
    ]

    operations = [
        migrations.AddField(
            model_name="modelconnection",
            name="limits",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="modelconnection",
            name="fallbacks",
            field=models.JSONField(default=list),
        ),
    ]
