"""Responses and released tasks know which text of their task they rest on."""

from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def note_texts(apps: Any, schema_editor: Any) -> None:
    """Until now a task's text was fixed after screening: everything rests on it."""
    tasks = apps.get_model("curation", "Task").objects.filter(pk=OuterRef("task"))
    for name in ("Response", "GoldItem"):
        apps.get_model("judge", name).objects.update(
            text_version=Subquery(tasks.values("version"))
        )


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0021_amendments"),
        ("judge", "0031_gold_sets"),
        ("rubrics", "0010_text_versions"),
    ]

    operations = [
        migrations.AddField(
            model_name="golditem",
            name="text_version",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="response",
            name="text_version",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(note_texts, migrations.RunPython.noop),
    ]
