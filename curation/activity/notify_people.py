"""Receivers of saved history rows that send the notices of events.

A saved history row is an event, because these rows are only ever added; the table of events of
its noun says which notices it sends. So actions need not know about notices. Only events without
such a row (a trial task handed in) are notified by their action.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import Model
from django.db.models.signals import post_save
from django.urls import reverse

from curation.applications.events import EVENTS as APPLICATION_EVENTS
from curation.applications.models import ApplicationEvent
from curation.exams.models import ExamSitting
from curation.notices.notify import domain_facts, send_notice, send_notices, seniors_of
from curation.panels.models import PanelPlace
from curation.people.models import SeniorityChange, StandingChange, User
from curation.process.events import Notice
from curation.process.lifecycle import ApplicationStage
from curation.tasks.access import kept_off
from curation.tasks.events import EVENTS as TASK_EVENTS
from curation.tasks.models import Seat, SlotGrant, TaskEvent
from curation.trials.models import Trial
from curation.web.optional_urls import url_or_empty

A = ApplicationStage


def on_saved(model: type[Model], receiver: Callable[[Any, bool], None]) -> None:
    """Call `receiver(row, created)` for each row of the model that is saved.

    Leaves out rows loaded with `loaddata`: their notices were sent where they came from.
    """

    def heard(sender: Any, instance: Any, created: bool, raw: bool = False, **_: Any) -> None:
        if not raw:
            receiver(instance, created)

    name = f"{receiver.__module__}.{receiver.__qualname__}"
    post_save.connect(heard, sender=model, weak=False, dispatch_uid=name)


def connect() -> None:
    """Connect the receivers of curation's own rows."""
    on_saved(ApplicationEvent, application_moved)
    on_saved(ExamSitting, exam_marked)
    on_saved(Trial, trial_returned)
    on_saved(SeniorityChange, seniority_changed)
    on_saved(StandingChange, standing_changed)
    on_saved(SlotGrant, slot_granted)
    on_saved(TaskEvent, task_moved)
    register("author", notify_author)
    register("member", notify_member)
    register("seniors", notify_seniors)
    register("staff", notify_staff)


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


# --- tasks and their panels ----------------------------------------------------------------------
Sender = Callable[[TaskEvent, Notice, str], None]
_senders: dict[str, Sender] = {}


def register(to: str, sender: Sender) -> None:
    """Register the sender for one kind of recipient of notices about tasks.

    Args:
        to: the kind of recipient, as `Notice.to` names it.
        sender: called with the history row, the notice of its event, and the notice's kind.
    """
    _senders[to] = sender


def task_moved(row: TaskEvent, created: bool) -> None:
    """Send the notices of the event of this history row."""
    event = TASK_EVENTS.of(row.from_stage, row.to_stage, row.data)
    if not created or event is None:
        return
    for notice in event.notices:
        if kind := notice.kind_for(row.data):
            _senders[notice.to](row, notice, kind)


def notify_author(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify the author of what others did with the task.

    Whoever took the rubric over hears of it too, and of the work on the rubric in place of the
    author.
    """
    task = row.task
    work = notice.page.startswith("rubric")
    people = {task.author, task.rubric_author} if not work else {task.rubric_author or task.author}
    if task.collection is not None and not work:  # it has no author: who entered it is told
        people.add(task.collection.entered_by)
    told = [p for p in people if p is not None and p.pk != row.actor_id]
    url = url_or_empty(notice.page, task.pk) or reverse("task", args=[task.pk])
    facts = {"n": row.data.get(notice.count, 0)} if notice.count else {}
    send_notices(told, kind, once=f"task-event-{row.pk}", url=url, task=str(task), **facts)


def notify_seniors(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify the seniors of the domain without a seat on the task or a conflict with its author."""
    task = row.task
    free = (
        seniors_of(task.domain_id)
        .exclude(pk__in=kept_off(task))
        .exclude(pk__in=Seat.objects.filter(task=task).values("user"))
    )
    send_notices(
        free,
        kind,
        once=f"task-event-{row.pk}",
        url=reverse(notice.page),
        task=str(task),
        **domain_facts(task.domain),
    )


def notify_staff(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify the staff with the duty of editing who wrote neither the task nor its rubric."""
    task = row.task
    staff = User.objects.filter(is_staff=True, does_editing=True, is_active=True).exclude(
        pk__in=[pk for pk in (task.author_id, task.rubric_author_id) if pk is not None]
    )
    send_notices(
        staff,
        kind,
        once=f"task-event-{row.pk}-staff",
        url=reverse(notice.page, args=[task.pk]),
        task=str(task),
        **domain_facts(task.domain),
    )


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
