"""A rubric's version knows for which text of its task it was written."""

from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def note_texts(apps: Any, schema_editor: Any) -> None:
    """Until now a task's text was fixed after screening: all versions were written for it."""
    tasks = apps.get_model("curation", "Task").objects.filter(pk=OuterRef("task"))
    apps.get_model("rubrics", "RubricVersion").objects.update(
        text_version=Subquery(tasks.values("version"))
    )


class Migration(migrations.Migration):
    dependencies = [("curation", "0021_amendments"), ("rubrics", "0009_default_beyond")]

    operations = [
        migrations.AddField(
            model_name="rubricversion",
            name="text_version",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(note_texts, migrations.RunPython.noop),
    ]
