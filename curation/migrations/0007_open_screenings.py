"""Gives the screenings that are under way their rules, and those who sit on a panel their places."""

from datetime import timedelta

from django.conf import settings
from django.db import migrations
from django.utils import timezone


def open_screenings(apps, schema_editor):
    model = lambda name: apps.get_model("curation", name)  # noqa: E731
    tasks = model("Task").objects.filter(stage="screening", screening_round__gt=0)
    due = timezone.now() + timedelta(days=5)
    for pk, number, since in tasks.values_list("pk", "screening_round", "stage_since").iterator():
        model("Screening").objects.get_or_create(
            task_id=pk,
            round=number,
            defaults={
                "opened_at": since, "quorum": settings.PANEL_QUORUM, "tie": "return", "days": 5
            },
        )
        votes = model("ScreeningVote").objects.filter(task_id=pk, round=number)
        voted = dict(votes.values_list("member_id", "at"))
        seats = model("Seat").objects.filter(task_id=pk, role="screener")
        for member, taken in seats.values_list("user_id", "taken_at"):
            model("PanelPlace").objects.get_or_create(
                task_id=pk,
                round=number,
                member_id=member,
                defaults={
                    "state": "voted" if member in voted else "open",
                    "given_at": taken,
                    "due_at": due,
                    "opened_at": taken,
                    "closed_at": voted.get(member),
                },
            )


def back_to_seats(apps, schema_editor):
    """The states and kinds that the older rules do not know."""
    places = apps.get_model("curation", "PanelPlace").objects
    places.filter(kind="check").delete()
    places.filter(state="released").update(state="expired")


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0006_screenings'),
    ]

    operations = [migrations.RunPython(open_screenings, back_to_seats)]
