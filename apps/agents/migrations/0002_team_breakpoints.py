"""Teams have breakpoints."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="team",
            name="breakpoints",
            field=models.JSONField(default=list),
        ),
    ]
