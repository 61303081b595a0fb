"""The notices of saved rows about people, their qualification and their places on panels.

Only events without such a row (a trial task handed in) are notified by their action.
"""

from typing import Any

from django.urls import reverse

from curation.base.process.events import Notice
from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.optional_urls import url_or_empty
from curation.joining.notices.notify import domain_facts, send_notice
from curation.joining.notices.saved_rows import on_saved
from curation.joining.people import SeniorityChange, StandingChange, User
from curation.qualifying.applications.events import EVENTS as APPLICATION_EVENTS
from curation.qualifying.applications.models import ApplicationEvent
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.trials.models import Trial
from curation.screening.panels.models import PanelPlace
from curation.tasks.task.models import SlotGrant, TaskEvent
from curation.tasks.task.notices import register

A = ApplicationStage


def connect() -> None:
    """Connect the receivers of curation's own rows."""
    on_saved(ApplicationEvent, application_moved)
    on_saved(ExamSitting, exam_marked)
    on_saved(Trial, trial_returned)
    on_saved(SeniorityChange, seniority_changed)
    on_saved(StandingChange, standing_changed)
    on_saved(SlotGrant, slot_granted)
    register("member", notify_member)


# --- qualification -------------------------------------------------------------------------------
def application_moved(row: ApplicationEvent, created: bool) -> None:
    """Notify the applicant of each step that somebody else took."""
    event = APPLICATION_EVENTS.of(row.from_stage, row.to_stage, row.data)
    if not created or event is None:
        return
    application = row.application
    for notice in event.notices:
        if kind := notice.kind_for(row.data):
            send_notice(
                application.user,
                kind,
                once=f"application-event-{row.pk}",
                url=reverse(notice.page, args=[application.pk]),
                **domain_facts(application.domain),
                **({"reason": row.reason} if notice.with_reason and row.reason else {}),
            )


def exam_marked(sitting: ExamSitting, created: bool) -> None:
    """Notify of a failed exam that leaves another attempt; other results move the application."""
    if sitting.passed is not False or sitting.submitted_at is None:
        return
    application = sitting.application
    if application.stage == A.EXAM and sitting.attempt < application.domain.exam.attempts:
        send_notice(
            application.user,
            "exam_not_passed",
            once=f"sitting-{sitting.pk}",
            url=reverse("exam", args=[sitting.pk]),
            **domain_facts(application.domain),
        )


def trial_returned(trial: Trial, created: bool) -> None:
    """Notify the applicant when a new version opens: a senior returned the previous one."""
    if created and trial.number > 1:
        application = trial.application
        send_notice(
            application.user,
            "trial_returned",
            once=f"trial-{trial.pk}",
            url=reverse("trial", args=[trial.pk]),
            **domain_facts(application.domain),
        )


def seniority_changed(change: SeniorityChange, created: bool) -> None:
    """Notify an expert that they are a senior now, or no longer."""
    held = change.qualification
    send_notice(
        held.user,
        "senior_made" if change.senior else "senior_ended",
        once=f"seniority-{change.pk}",
        url=reverse("trials") if change.senior else url_or_empty("home") or "/",
        **domain_facts(held.domain),
    )


def standing_changed(change: StandingChange, created: bool) -> None:
    """Notify a suspended or reinstated expert without an application, which has its own notices."""
    held = change.qualification
    if held.user.applications.filter(domain=held.domain_id).exists():
        return
    send_notice(
        held.user,
        "reinstated" if change.active else "suspended",
        once=f"standing-{change.pk}",
        url=url_or_empty("home") or "/",
        reason=change.reason,
        **domain_facts(held.domain),
    )


def slot_granted(grant: SlotGrant, created: bool) -> None:
    """Notify an expert of an additional slot."""
    send_notice(grant.expert, "slot_granted", once=f"slot-grant-{grant.pk}", url=reverse("tasks"))


def notify_member(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify a panel member of what others did with their place."""
    member = User.objects.filter(pk=row.data.get("member")).first()
    if member is None or row.actor_id == member.pk:
        return
    task = row.task
    facts: dict[str, Any] = {"task": str(task), **domain_facts(task.domain)}
    url = reverse("screening")
    if kind != "panel_place_expired":
        held = PanelPlace.objects.filter(
            task=task, round=task.screening_round, member=member, state=PanelPlace.State.OPEN
        ).first()
        if held is None:
            return
        url, facts["due"] = url_of_place(held), held.due_at.isoformat()
    send_notice(member, kind, once=f"task-event-{row.pk}", url=url, **facts)


def url_of_place(held: PanelPlace) -> str:
    """Return the address of a place's page: the vote, the check, or the solve."""
    page = {PanelPlace.Kind.CHECK: "reference-check", PanelPlace.Kind.SOLVE: "solve"}.get(
        PanelPlace.Kind(held.kind)
    )
    if page:
        return url_or_empty(page, held.task_id) or reverse("screening")
    return reverse("screening-vote", args=[held.task_id])
