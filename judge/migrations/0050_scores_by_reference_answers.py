"""With which version of the reference answer a score was given."""

from typing import Any

from django.db import migrations, models

# The methods of the time that show a judge the reference answer, or compare with it.
_METHODS = ("graded", "exact")


def from_their_times(apps: Any, schema_editor: Any) -> None:
    """Give scores of before the version of the text that was in force when they were begun."""
    judgments = apps.get_model("judge", "Judgment").objects.filter(method__in=_METHODS)
    graded = apps.get_model("judge", "GradedSheet").objects.all()
    sheets = apps.get_model("judge", "Sheet").objects.filter(
        purpose="imported", version__isnull=True
    )
    for rows in (judgments, graded, sheets):
        rows.update(answer_version=0)
    agreed = apps.get_model("curation", "Amendment").objects.filter(state="agreed")
    for amendment in agreed.order_by("text_version"):
        for rows, began in ((judgments, "created_at"), (graded, "opened_at"), (sheets, "opened_at")):
            later = {"response__task": amendment.task_id, f"{began}__gte": amendment.decided_at}
            rows.filter(**later).update(answer_version=amendment.text_version)


class Migration(migrations.Migration):
    dependencies = [
        ("judge", "0049_list_demands_by_import"),
        ("curation", "0031_amended_reference_answers"),
    ]

    operations = [
        *(
            migrations.AddField(
                model_name=name,
                name="answer_version",
                field=models.PositiveIntegerField(blank=True, null=True),
            )
            for name in ("gradedsheet", "judgment", "sheet")
        ),
        migrations.RunPython(from_their_times, migrations.RunPython.noop),
    ]
