from typing import Any

from django.db import migrations, models


def mark_runs(apps: Any, editor: Any) -> None:
    """Mark the runs that experiments planned."""
    experiments = apps.get_model("judge", "JudgeExperiment").objects
    runs = apps.get_model("judge", "JudgeRun").objects
    for side in ("first_run", "second_run"):
        runs.filter(pk__in=experiments.values(side)).update(for_experiment=True)


class Migration(migrations.Migration):
    dependencies = [("judge", "0066_link_sheets_to_flagged_items")]

    operations = [
        migrations.AddField(
            model_name="judgerun",
            name="for_experiment",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark_runs, migrations.RunPython.noop),
    ]
