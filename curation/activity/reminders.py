"""What is told because time passed: dates that come near, attempts that open, the daily summary."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone

from curation.activity.notify_people import place_of
from curation.applications.conflicts import conflicts_of
from curation.applications.models import Application
from curation.exams.models import ExamSitting
from curation.notices.notify import Reminder, domain_facts, not_told, remind, seniors_of, tell_all
from curation.panels.models import PanelPlace
from curation.people.models import User
from curation.process.lifecycle import LATE_DAYS, ApplicationStage, Stage
from curation.tasks.held_work import without_reviewer
from curation.tasks.models import Task
from curation.training import units
from curation.training.queries import behind

SOON = timedelta(days=1)  # before a vote is due
STALE = timedelta(days=7)  # what is older than this is no news any more


def remind_people(now: datetime | None = None) -> int:
    """Tell what has become due. Returns how many notices that were."""
    now = now or timezone.now()
    due = [*_panel_places(now), *_attempts(now), *_training(), *_marks_overdue(now)]
    return remind(due) + _summary_for_staff(now)


def _panel_places(now: datetime) -> Iterator[Reminder]:
    rows = PanelPlace.objects.filter(
        state=PanelPlace.State.OPEN,
        due_at__gt=now,
        due_at__lte=now + SOON,
        given_at__lte=now - SOON,  # who got it yesterday with a day's time was told enough
    )
    for held in rows.select_related("member", "task").order_by("pk"):
        check = held.kind == PanelPlace.Kind.CHECK
        kind = "reference_check_due" if check else "panel_place_due"
        facts = {"task": str(held.task), "due": held.due_at.isoformat()}
        yield Reminder(held.member, kind, f"place-due-{held.pk}", place_of(held), facts)


def _attempts(now: datetime) -> Iterator[Reminder]:
    """Applicants whose waiting time between two attempts is over."""
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
    """Short texts of exams whose candidate waits past the date: once to every senior who may
    mark them, and to the staff, because a domain may have nobody who may."""
    waiting = ExamSitting.objects.filter(
        submitted_at__isnull=False, passed__isnull=True, application__stage=ApplicationStage.EXAM
    ).select_related("application__user", "application__domain__exam")
    late = [s for s in waiting if s.marks_due_at(s.application.domain.exam) <= now]
    if not late:
        return
    ties = conflicts_of({sitting.application.user for sitting in late})
    staff = list(User.objects.filter(is_staff=True, is_active=True))
    seniors = {
        pk: list(seniors_of(pk)) for pk in {sitting.application.domain_id for sitting in late}
    }
    for sitting in late:
        application = sitting.application
        facts = domain_facts(application.domain)
        kept_off = {application.user_id, *ties[application.user_id]}
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
    """Active experts who passed an earlier edition of the training, and not what changed since."""
    once = f"training-{units.current_edition()}"
    for expert in behind():
        yield Reminder(expert, "training_changed", once, reverse("training-changes"), {})


def _summary_for_staff(now: datetime) -> int:
    """Once a day: how many applications wait, and how many tasks are held up."""
    staff = list(User.objects.filter(is_staff=True, is_active=True))
    today = f"{timezone.localtime(now):%Y-%m-%d}"
    told = 0
    for kind, rows, url in (
        (
            "applications_waiting",
            Application.objects.filter(stage=ApplicationStage.APPLIED),
            reverse("staff-applications"),
        ),
        ("held_up", _held_up(now), reverse("staff-pipeline")),
    ):
        once = f"{kind}-{today}"
        missing = not_told(staff, once)
        n = rows.count() if missing else 0
        if n:
            told += tell_all(missing, kind, once=once, url=url, n=n)
    return told


def _held_up(now: datetime) -> Any:
    """Tasks that need somebody to look: no reviewer, too long in a stage, or a silent machine."""
    people = [Stage.SCREENING, Stage.REFINING, Stage.IN_REVIEW, Stage.DECIDING, Stage.SPOT_CHECK]
    return Task.objects.filter(
        Q(stage__in=people, stage_since__lte=now - timedelta(days=LATE_DAYS))
        | without_reviewer()
        | Q(stage__in=Task.process.machine_stages(), stage_since__lt=now - timedelta(hours=1))
    )
