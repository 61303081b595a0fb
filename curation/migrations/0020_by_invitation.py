"""Applications of people whom staff invited say so; until now they said "Directly"."""

from typing import Any

from django.db import migrations, models


def name_invitations(apps: Any, schema_editor: Any) -> None:
    apps.get_model("curation", "Application").objects.filter(
        route="direct", invitation__kind="person"
    ).update(route="invitation")


def unname_invitations(apps: Any, schema_editor: Any) -> None:
    apps.get_model("curation", "Application").objects.filter(route="invitation").update(
        route="direct"
    )


class Migration(migrations.Migration):
    dependencies = [("curation", "0019_hash_older_tokens")]

    operations = [
        migrations.AlterField(
            model_name="application",
            name="route",
            field=models.CharField(
                choices=[
                    ("direct", "Directly"),
                    ("invitation", "By invitation"),
                    ("referral", "By a colleague's referral"),
                    ("vendor", "Through a vendor"),
                ],
                default="direct",
                max_length=10,
            ),
        ),
        migrations.RunPython(name_invitations, unname_invitations),
        migrations.AddConstraint(
            model_name="application",
            constraint=models.CheckConstraint(
                condition=models.Q(route__in=["direct", "invitation", "referral", "vendor"]),
                name="application_route_is_known",
            ),
        ),
    ]
