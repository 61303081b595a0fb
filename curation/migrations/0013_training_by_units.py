from django.db import migrations

FIRST = ("2026-11", ("task", "components", "criteria", "weights"))  # the edition until now
OPEN = ("trial", "qualified", "suspended")


def carry(apps, schema_editor):
    """Who passed the check of that edition passed all of its units.

    A later edition stands there only after a way back and forth; its passes were never taken away.
    """
    Application = apps.get_model("curation", "Application")
    Pass = apps.get_model("curation", "TrainingUnitPass")
    rows = Application.objects.filter(training_version=FIRST[0]).order_by("pk")
    Pass.objects.bulk_create(
        [
            Pass(user_id=user, edition=edition, unit=unit, at=at)
            for user, edition, at in rows.values_list("user_id", "training_version", "stage_since")
            for unit in FIRST[1]
        ],
        ignore_conflicts=True,
    )


def give_back(apps, schema_editor):
    """The newest edition a person passed anything of, on each of their applications past it."""
    Application = apps.get_model("curation", "Application")
    Pass = apps.get_model("curation", "TrainingUnitPass")
    newest = dict(Pass.objects.order_by("at", "pk").values_list("user_id", "edition"))
    for user, edition in newest.items():
        Application.objects.filter(user_id=user, stage__in=OPEN).update(training_version=edition)


class Migration(migrations.Migration):

    dependencies = [
        ("curation", "0012_drop_exam_answers"),
    ]

    operations = [
        migrations.RunPython(carry, give_back),
        migrations.RemoveField(model_name="application", name="training_version"),
    ]
