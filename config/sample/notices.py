"""Dates the notices of the sample programme like their events, and marks older ones read."""

from datetime import timedelta

from django.utils import timezone

from curation.joining.notices.models import Notice
from curation.qualifying.applications.models import ApplicationEvent
from curation.tasks.task.models import TaskEvent
from judge.scoring.anchors.models import AnchorEvent
from review.rounds.assignment_models import Review, Round
from review.senior_seats.models import SpotCheck

TIMES = {  # prefix of `Notice.once` -> the model and column with the time of the event
    "task-event-": (TaskEvent, "at"),
    "application-event-": (ApplicationEvent, "at"),
    "anchor-event-": (AnchorEvent, "at"),
    "spot-check-": (SpotCheck, "at"),
    "review-": (Review, "assigned_at"),
    "round-": (Round, "opened_at"),
}
NEWS = timedelta(days=3)  # older notices are marked read


def spread_notices() -> None:
    """Give each notice the time of its event.

    All are marked as mailed, so that nothing is sent: the addresses belong to nobody.
    """
    times = {
        start: dict(model.objects.values_list("pk", column))  # type: ignore[attr-defined]
        for start, (model, column) in TIMES.items()
    }
    rows = list(Notice.objects.all())
    for notice in rows:
        start, _dash, number = notice.once.rpartition("-")
        if number.isdigit():
            notice.at = times.get(f"{start}-", {}).get(int(number), notice.at)
        notice.mailed_at = notice.at
        if notice.at < timezone.now() - NEWS:
            notice.read_at = notice.at + timedelta(hours=5)
    Notice.objects.bulk_update(rows, ["at", "mailed_at", "read_at"])
