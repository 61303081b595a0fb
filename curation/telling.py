"""Which of curation's events are told to whom. Hung on history rows, so that no action knows it.

Rows of history are only ever added, so a saved row is an event. What is written without such a row
(a trial task handed in) is told by its action, in one line.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import Model
from django.db.models.signals import post_save
from django.urls import reverse

from curation.conflicts import people_in_conflict_with
from curation.lifecycle import ApplicationStage, Stage
from curation.models import (
    ApplicationEvent,
    ExamSitting,
    PanelPlace,
    SeniorityChange,
    SlotGrant,
    StandingChange,
    TaskEvent,
    Trial,
    User,
)
from curation.notices import domain_facts, seniors_of, tell, tell_all
from curation.places import place

A, S = ApplicationStage, Stage
PLACE_EVENTS = {  # events of a task's history that are about one member of its panel
    "place_given": "panel_place_given",
    "check_given": "reference_check_given",
    "place_expired": "panel_place_expired",
}


def on_saved(model: type[Model], receiver: Callable[[Any, bool], None]) -> None:
    """Call `receiver(row, created)` for each row of the model that is saved by the product.

    Rows that come with `loaddata` are no events: they were told where they came from.
    """

    def heard(sender: Any, instance: Any, created: bool, raw: bool = False, **_: Any) -> None:
        if not raw:
            receiver(instance, created)

    name = f"{receiver.__module__}.{receiver.__qualname__}"
    post_save.connect(heard, sender=model, weak=False, dispatch_uid=name)


def connect() -> None:
    """Listen to curation's own rows."""
    on_saved(ApplicationEvent, application_moved)
    on_saved(ExamSitting, exam_marked)
    on_saved(Trial, trial_returned)
    on_saved(SeniorityChange, seniority_changed)
    on_saved(StandingChange, standing_changed)
    on_saved(SlotGrant, slot_granted)
    on_saved(TaskEvent, task_moved)


# --- qualification -------------------------------------------------------------------------------
def application_moved(event: ApplicationEvent, created: bool) -> None:
    """Tell the applicant each step that somebody else took."""
    if not created or event.from_stage == event.to_stage:
        return
    application = event.application
    kind, reason = _step_of(event)
    if kind:
        tell(
            application.user,
            kind,
            once=f"application-event-{event.pk}",
            url=reverse("application", args=[application.pk]),
            **domain_facts(application.domain),
            **({"reason": event.reason} if reason and event.reason else {}),
        )


def _step_of(event: ApplicationEvent) -> tuple[str, bool]:
    """(kind, whether the reason goes with it).

    Reasons of the staff are written to the applicant; a senior's may quote the trial task, so
    they stay on the page.
    """
    moved = (event.from_stage, event.to_stage)
    if event.to_stage == A.REJECTED:
        if "attempts" in event.data:
            return "exam_closed", False
        return (
            ("trial_rejected", False) if "trial" in event.data else ("application_rejected", True)
        )
    steps: dict[tuple[str, str], tuple[str, bool]] = {
        (A.APPLIED, A.EXAM): ("application_admitted", True),
        (A.EXAM, A.TRAINING): ("exam_passed", False),
        (A.TRIAL, A.QUALIFIED): ("trial_accepted", False),
        (A.QUALIFIED, A.SUSPENDED): ("suspended", True),
        (A.SUSPENDED, A.QUALIFIED): ("reinstated", True),
    }
    return steps.get(moved, ("", False))


def exam_marked(sitting: ExamSitting, created: bool) -> None:
    """Tell a result that leaves another attempt; the other results move the application."""
    if sitting.passed is not False or sitting.submitted_at is None:
        return
    application = sitting.application
    if application.stage == A.EXAM and sitting.attempt < application.domain.exam.attempts:
        tell(
            application.user,
            "exam_not_passed",
            once=f"sitting-{sitting.pk}",
            url=reverse("exam", args=[sitting.pk]),
            **domain_facts(application.domain),
        )


def answers_waiting(sitting: ExamSitting) -> None:
    """Tell the seniors of the domain that short texts of an exam wait for their marks.

    Not the candidate, and nobody with a tie to the candidate: they may not mark them.
    """
    application = sitting.application
    parties = {application.user_id, *people_in_conflict_with(application.user)}
    tell_all(
        seniors_of(application.domain_id).exclude(pk__in=parties),
        "answers_waiting",
        once=f"answers-{sitting.pk}",
        url=reverse("answers"),
        **domain_facts(application.domain),
    )


def trial_waiting(trial: Trial) -> None:
    """Tell the seniors of the domain that a trial task was handed in.

    Not the applicant, and nobody with a tie to them: they may not decide on it.
    """
    application = trial.application
    parties = {application.user_id, *people_in_conflict_with(application.user)}
    tell_all(
        seniors_of(application.domain_id).exclude(pk__in=parties),
        "trial_waiting",
        once=f"trial-{trial.pk}",
        url=reverse("trial-decide", args=[trial.pk]),
        **domain_facts(application.domain),
    )


def trial_returned(trial: Trial, created: bool) -> None:
    """A version after the first is opened when a senior returns the one before."""
    if created and trial.number > 1:
        application = trial.application
        tell(
            application.user,
            "trial_returned",
            once=f"trial-{trial.pk}",
            url=reverse("trial", args=[trial.pk]),
            **domain_facts(application.domain),
        )


def seniority_changed(change: SeniorityChange, created: bool) -> None:
    """Tell an expert that they are a senior now, or no longer."""
    held = change.qualification
    tell(
        held.user,
        "senior_made" if change.senior else "senior_ended",
        once=f"seniority-{change.pk}",
        url=reverse("trials") if change.senior else place("home") or "/",
        **domain_facts(held.domain),
    )


def standing_changed(change: StandingChange, created: bool) -> None:
    """Tell an expert who was entered by hand; an application tells its own history."""
    held = change.qualification
    if held.user.applications.filter(domain=held.domain_id).exists():
        return
    tell(
        held.user,
        "reinstated" if change.active else "suspended",
        once=f"standing-{change.pk}",
        url=place("home") or "/",
        reason=change.reason,
        **domain_facts(held.domain),
    )


def slot_granted(grant: SlotGrant, created: bool) -> None:
    """Tell an expert about another slot."""
    tell(grant.expert, "slot_granted", once=f"slot-grant-{grant.pk}", url=reverse("tasks"))


# --- tasks and their panels ----------------------------------------------------------------------
def task_moved(event: TaskEvent, created: bool) -> None:
    """Tell the author what the panel, the machine or the staff did with a task; and the members of
    its panel what happened to their places."""
    if not created:
        return
    if event.from_stage == event.to_stage:
        _about_a_place(event)
        return
    task = event.task
    if task.author is None or event.actor_id == task.author_id:
        return
    page = reverse("task", args=[task.pk])
    steps: dict[tuple[str, str], tuple[str, str]] = {
        (S.SCREENING, S.DRAFT): ("task_returned", page),
        (S.SCREENING, S.REJECTED): ("task_rejected", page),
        (S.SCREENING, S.DRAFTING): ("task_kept", page),
        (S.DRAFTING, S.REFINING): (_draft_of(event), place("rubric", task.pk) or page),
        (S.SPOT_CHECK, S.DISCARDED): ("task_discarded", page),
        (S.APPROVED, S.DISCARDED): ("task_discarded", page),
    }
    kind, url = steps.get((event.from_stage, event.to_stage), ("", ""))
    if kind:
        facts = {"n": event.data.get("lines", 0)} if event.from_stage == S.DRAFTING else {}
        tell(task.author, kind, once=f"task-event-{event.pk}", url=url, task=str(task), **facts)


def _draft_of(event: TaskEvent) -> str:
    if not event.data.get("lines"):
        return "rubric_empty"
    by_rules = str(event.data.get("drafted_by", "")).startswith("offline ")
    return "rubric_by_rules" if by_rules else "rubric_ready"


def _about_a_place(event: TaskEvent) -> None:
    """Tell a member of the panel what others did with their place. Who took one knows."""
    kind = PLACE_EVENTS.get(event.data.get("event", ""))
    member = User.objects.filter(pk=event.data.get("member")).first() if kind else None
    if kind is None or member is None or event.actor_id == member.pk:
        return
    task = event.task
    facts: dict[str, Any] = {"task": str(task), **domain_facts(task.domain)}
    url = reverse("screening")
    if kind != "panel_place_expired":
        held = PanelPlace.objects.filter(
            task=task, round=task.screening_round, member=member, state=PanelPlace.State.OPEN
        ).first()
        if held is None:
            return
        url, facts["due"] = place_of(held), held.due_at.isoformat()
    tell(member, kind, once=f"task-event-{event.pk}", url=url, **facts)


def place_of(held: PanelPlace) -> str:
    """The page a place on a panel is about: the vote, or the check of the reference answer."""
    if held.kind == PanelPlace.Kind.CHECK:
        return place("reference-check", held.task_id) or reverse("screening")
    return reverse("screening-vote", args=[held.task_id])
