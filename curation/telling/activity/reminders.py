"""Notices that are due because time passed: due dates, attempts that open, the daily summary."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone

from curation.base.access.duties import Duty, who_has
from curation.base.process.lifecycle import LATE_DAYS, ApplicationStage, Stage
from curation.joining.notices.notify import (
    Reminder,
    domain_facts,
    not_yet_notified,
    remind,
    send_notices,
    seniors_of,
)
from curation.joining.people import conflicts_of
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.training import units
from curation.qualifying.training.queries import experts_to_retrain
from curation.screening.panels.models import PanelPlace
from curation.tasks.task.holding import without_reviewer
from curation.tasks.task.models import Task
from curation.telling.activity.notify_people import url_of_place

SOON = timedelta(days=1)  # how long before its due date a place is reminded of
STALE = timedelta(days=7)  # older openings of attempts are not notified any more


def remind_people(now: datetime | None = None) -> int:
    """Send the notices that have become due: a periodic job. Returns how many were sent."""
    now = now or timezone.now()
    due = [*_panel_places(now), *_attempts(now), *_training(), *_marks_overdue(now)]
    return remind(due) + _summary_for_staff(now)


_KIND_DUE = {
    PanelPlace.Kind.VOTE: "panel_place_due",
    PanelPlace.Kind.CHECK: "reference_check_due",
    PanelPlace.Kind.SOLVE: "solve_due",
}


def _panel_places(now: datetime) -> Iterator[Reminder]:
    rows = PanelPlace.objects.filter(
        state=PanelPlace.State.OPEN,
        due_at__gt=now,
        due_at__lte=now + SOON,
        given_at__lte=now - SOON,  # a place given less than a day ago needs no reminder yet
    )
    for held in rows.select_related("member", "task").order_by("pk"):
        kind = _KIND_DUE[PanelPlace.Kind(held.kind)]
        facts = {"task": str(held.task), "due": held.due_at.isoformat()}
        once = f"place-due-{held.pk}-{held.due_at:%Y%m%d}"  # each due date anew
        yield Reminder(held.member, kind, once, url_of_place(held), facts)


def _attempts(now: datetime) -> Iterator[Reminder]:
    """Yield reminders to applicants whose waiting time between two attempts is over."""
    later = ExamSitting.objects.filter(
        application=OuterRef("application"), attempt__gt=OuterRef("attempt")
    )
    rows = (
        ExamSitting.objects.filter(
            ~Exists(later),
            passed=False,
            submitted_at__isnull=False,
            application__stage=ApplicationStage.EXAM,
            application__domain__exam__wait_hours__gt=0,
        )
        .select_related("application__user", "application__domain__exam")
        .order_by("pk")
    )
    for sitting in rows:
        exam = sitting.application.domain.exam
        assert sitting.submitted_at is not None
        opens = sitting.submitted_at + timedelta(hours=exam.wait_hours)
        if sitting.attempt < exam.attempts and now - STALE < opens <= now:
            application = sitting.application
            url = reverse("application", args=[application.pk])
            facts = domain_facts(application.domain)
            once = f"attempt-after-{sitting.pk}"
            yield Reminder(application.user, "attempt_open", once, url, facts)


def _marks_overdue(now: datetime) -> Iterator[Reminder]:
    """Yield reminders of short texts that are overdue, once per sitting and person.

    They go to every senior who may grade them, and to the staff who recruit, because a domain may
    have no senior who may.
    """
    waiting = ExamSitting.objects.filter(
        submitted_at__isnull=False, passed__isnull=True, application__stage=ApplicationStage.EXAM
    ).select_related("application__user", "application__domain__exam")
    late = [s for s in waiting if s.marks_due_at(s.application.domain.exam) <= now]
    if not late:
        return
    conflicts = conflicts_of({sitting.application.user for sitting in late})
    staff = who_has(Duty.RECRUITING)
    seniors = {
        pk: list(seniors_of(pk)) for pk in {sitting.application.domain_id for sitting in late}
    }
    for sitting in late:
        application = sitting.application
        facts = domain_facts(application.domain)
        kept_off = {application.user_id, *conflicts[application.user_id]}
        for senior in seniors[application.domain_id]:
            if senior.pk not in kept_off:
                once = f"answers-late-{sitting.pk}"
                yield Reminder(senior, "answers_overdue", once, reverse("answers"), facts)
        for person in staff:
            if person.pk != application.user_id:
                url = reverse("staff-application", args=[application.pk])
                once = f"marks-late-{sitting.pk}"
                yield Reminder(person, "marks_overdue", once, url, facts)


def _training() -> Iterator[Reminder]:
    """Yield reminders to experts who have to take units that changed since they passed them."""
    once = f"training-{units.current_edition()}"
    for expert in experts_to_retrain():
        yield Reminder(expert, "training_changed", once, reverse("training-changes"), {})


def _summary_for_staff(now: datetime) -> int:
    """Send staff the daily numbers of waiting applications and of late tasks."""
    today = f"{timezone.localtime(now):%Y-%m-%d}"
    sent = 0
    for kind, duty, rows, url in (
        (
            "applications_waiting",
            Duty.RECRUITING,
            Application.objects.filter(stage=ApplicationStage.APPLIED),
            reverse("staff-applications"),
        ),
        ("held_up", Duty.EDITING, _held_up(now), reverse("staff-pipeline")),
    ):
        once = f"{kind}-{today}"
        missing = not_yet_notified(who_has(duty), once)
        n = rows.count() if missing else 0
        if n:
            sent += send_notices(missing, kind, once=once, url=url, n=n)
    return sent


def _held_up(now: datetime) -> Any:
    """Return the tasks without a reviewer, too long in a stage, or waiting long for a machine."""
    people = [Stage.SCREENING, Stage.REFINING, Stage.IN_REVIEW, Stage.DECIDING, Stage.SPOT_CHECK]
    return Task.objects.filter(
        Q(stage__in=people, stage_since__lte=now - timedelta(days=LATE_DAYS))
        | without_reviewer()
        | Q(stage__in=Task.process.machine_stages(), stage_since__lt=now - timedelta(hours=1))
    )
