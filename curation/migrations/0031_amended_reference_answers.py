"""Since which version of its text the reference answer of a task holds."""

from typing import Any

from django.db import migrations, models


def from_amendments(apps: Any, schema_editor: Any) -> None:
    """Say it for the tasks whose reference answer was amended before."""
    tasks = apps.get_model("curation", "Task").objects
    agreed = apps.get_model("curation", "Amendment").objects.filter(state="agreed")
    for amendment in agreed.order_by("text_version"):
        if "reference_answer" in amendment.after or amendment.exact is not None:
            tasks.filter(pk=amendment.task_id).update(answer_since=amendment.text_version)


class Migration(migrations.Migration):
    dependencies = [("curation", "0030_operators")]

    operations = [
        migrations.AddField(
            model_name="task",
            name="answer_since",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(from_amendments, migrations.RunPython.noop),
    ]
