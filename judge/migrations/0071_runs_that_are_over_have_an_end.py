from typing import Any

from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Coalesce

OVER = ("finished", "cancelled")


def set_ends(apps: Any, editor: Any) -> None:
    """Take the end from runs that went on, and give one to those that are over.

    The last that is known of those is when they were begun.
    """
    runs = apps.get_model("judge", "JudgeRun").objects
    runs.exclude(state__in=OVER).filter(finished_at__isnull=False).update(finished_at=None)
    runs.filter(state__in=OVER, finished_at__isnull=True).update(
        finished_at=Coalesce("working_since", "started_at", "created_at")
    )


class Migration(migrations.Migration):
    dependencies = [("judge", "0070_stored_indexes")]

    operations = [
        migrations.RunPython(set_ends, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="judgerun",
            constraint=models.CheckConstraint(
                condition=Q(state__in=OVER, finished_at__isnull=False)
                | (~Q(state__in=OVER) & Q(finished_at__isnull=True)),
                name="a_run_has_an_end_once_it_is_over",
            ),
        ),
    ]
