"""Applications and trials, as their pages show them; and what waits for whom."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from curation import access
from curation.checks import part_label
from curation.errors import NotFound
from curation.lifecycle import ApplicationStage
from curation.models import Application, ExamSitting, Trial
from curation.models.tasks import TEXT_PARTS
from curation.waiting import Waiting

STEPS = (
    ApplicationStage.APPLIED,
    ApplicationStage.EXAM,
    ApplicationStage.TRAINING,
    ApplicationStage.TRIAL,
    ApplicationStage.QUALIFIED,
)
TRIAL_PARTS = ("title", *TEXT_PARTS)


# --- loading with authority ---------------------------------------------------------------------
def access_application(user: Any, pk: int, permission: str) -> Application:
    """An application the person may work with; anything else looks like a missing one.

    Raises:
        NotFound: no such application, or it is not theirs.
    """
    rows = Application.objects.select_related("domain", "user")
    application = rows.filter(pk=pk).first()
    if application is None or not access.allows(user, permission, application):
        raise NotFound()
    return application


def access_sitting(user: Any, pk: int) -> ExamSitting:
    """A sitting of one's own application.

    Raises:
        NotFound: no such sitting, or somebody else's.
    """
    rows = ExamSitting.objects.select_related("application__domain__exam")
    sitting = rows.filter(pk=pk).first()
    if sitting is None or not access.allows(user, "application.work_on", sitting.application):
        raise NotFound()
    return sitting


def access_own_trial(user: Any, pk: int) -> Trial:
    """A trial of one's own application.

    Raises:
        NotFound: no such trial, or somebody else's.
    """
    trial = Trial.objects.select_related("application__domain").filter(pk=pk).first()
    if trial is None or not access.allows(user, "application.work_on", trial.application):
        raise NotFound()
    return trial


def access_trial_to_decide(user: Any, pk: int) -> Trial:
    """A trial that was handed in, for a senior of its domain who did not write it.

    Raises:
        NotFound: no such trial, not handed in, another domain's, or one's own.
    """
    rows = Trial.objects.select_related("application__domain", "application__user")
    trial = rows.filter(pk=pk, submitted_at__isnull=False).first()
    if (
        trial is None
        or not access.allows(user, "trial.decide", trial.application)
        or access.is_its_owner(user, trial.application)
    ):
        raise NotFound()
    return trial


# --- one application ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Step:
    """One step of the track."""

    label: Any
    state: str


def steps(application: Application) -> list[Step]:
    """The five steps with what is done, under way or stopped."""
    stage = application.stage
    if stage == ApplicationStage.REJECTED:
        last = application.history.order_by("-at", "-id").first()
        before = last.from_stage if last else ApplicationStage.APPLIED
        at, state = STEPS.index(ApplicationStage(before)), "stopped"
    elif stage == ApplicationStage.SUSPENDED:
        at, state = len(STEPS) - 1, "late"
    elif stage == ApplicationStage.QUALIFIED:
        at, state = len(STEPS), ""
    else:
        at, state = STEPS.index(ApplicationStage(stage)), "now"
    return [
        Step(step.label, "done" if n < at else state if n == at else "")
        for n, step in enumerate(STEPS)
    ]


def latest_trial(application: Application) -> Trial | None:
    """The version of the trial task that is being written or read now."""
    return application.trials.order_by("-number").first()


def named_colleague(application: Application) -> str:
    """The address of the referrer as the applicant typed it; empty if none was named."""
    sent = application.history.filter(from_stage="").first()
    return sent.data.get("colleague", "") if sent else ""


def own_applications(user: Any) -> QuerySet[Application]:
    """All applications of a person, newest first."""
    return user.applications.select_related("domain").order_by("-created_at", "-pk")


# --- seniors --------------------------------------------------------------------------------------
def trials_to_decide(user: Any) -> QuerySet[Trial]:
    """Trials a senior can decide now, the longest waiting first. Never their own."""
    return (
        Trial.objects.filter(
            application__domain__in=user.senior_domain_ids(),
            application__stage=ApplicationStage.TRIAL,
            submitted_at__isnull=False,
            verdict="",
        )
        .exclude(application__user=user)
        .select_related("application__domain", "application__user")
        .order_by("submitted_at", "pk")
    )


@dataclass(frozen=True)
class TrialPart:
    """One part of a trial, with the same part of the version before."""

    name: str
    label: Any
    text: str
    before: str | None

    @property
    def changed(self) -> bool:
        return self.before is not None and self.before != self.text


@dataclass(frozen=True)
class TrialSheet:
    """A trial as a senior reads it: no name, no profile, only the pseudonym and the text."""

    pk: int
    number: int
    applicant: str
    domain: str
    title: str
    submitted_at: datetime
    parts: tuple[TrialPart, ...]
    remarks_before: str
    open: bool
    verdict: str
    verdict_label: Any
    remarks: str
    decided_at: datetime | None

    @property
    def changed(self) -> tuple[TrialPart, ...]:
        return tuple(part for part in self.parts if part.changed)


def trial_sheet(trial: Trial) -> TrialSheet:
    """A handed-in trial beside the version before it."""
    before = trial.application.trials.filter(number=trial.number - 1).first()
    return TrialSheet(
        pk=trial.pk,
        number=trial.number,
        applicant=trial.application.user.pseudonym,
        domain=str(trial.application.domain),
        title=trial.title,
        submitted_at=trial.submitted_at or trial.saved_at,
        parts=tuple(
            TrialPart(
                name,
                part_label(name),
                getattr(trial, name),
                getattr(before, name) if before else None,
            )
            for name in TRIAL_PARTS
        ),
        remarks_before=before.remarks if before else "",
        open=not trial.verdict and trial.application.stage == ApplicationStage.TRIAL,
        verdict=trial.verdict,
        verdict_label=trial.get_verdict_display(),
        remarks=trial.remarks,
        decided_at=trial.decided_at,
    )


# --- staff ----------------------------------------------------------------------------------------
def applications(*, stage: str = "", domain: Any = None) -> QuerySet[Application]:
    """Applications for the staff's list; those that wait for staff come first, oldest on top."""
    rows = Application.objects.select_related("domain", "user")
    if stage:
        rows = rows.filter(stage=stage)
    if domain is not None:
        rows = rows.filter(domain=domain)
    waits = Q(stage=ApplicationStage.APPLIED)
    return rows.annotate(waits=waits).order_by("-waits", "stage_since", "pk")


# --- what waits -----------------------------------------------------------------------------------
TRIALS_ON_HOME = 5  # the rest is one click away in the queue


def waiting(user: Any) -> list[Waiting]:
    """Qualification work a person can do now, as applicant, as senior and as staff."""
    found = _waiting_as_applicant(user)
    if user.senior_domain_ids():
        found += _waiting_as_senior(user)
    if user.is_staff:
        found += _waiting_as_staff()
    return found


def _waiting_as_applicant(user: Any) -> list[Waiting]:
    found = []
    own_steps = (ApplicationStage.EXAM, ApplicationStage.TRAINING, ApplicationStage.TRIAL)
    for application in own_applications(user).filter(stage__in=own_steps):
        if application.stage == ApplicationStage.EXAM:
            found.append(_exam_to_sit(application))
        elif application.stage == ApplicationStage.TRAINING:
            found.append(
                Waiting(
                    due=None,
                    title=_("Do the training"),
                    detail=_("%(domain)s · four short units and a check")
                    % {"domain": application.domain},
                    url=reverse("training", args=[application.pk]),
                    button=_("Open the training"),
                    section="qualification",
                )
            )
        else:
            trial = latest_trial(application)
            if trial is not None and trial.submitted_at is None:
                found.append(_trial_to_write(application, trial))
    return found


def _exam_to_sit(application: Application) -> Waiting:
    running = application.sittings.filter(submitted_at__isnull=True).first()
    if running is not None:
        return Waiting(
            due=running.deadline,
            title=_("Finish the exam"),
            detail=_("%(domain)s · the time runs; your answers are saved")
            % {"domain": application.domain},
            url=reverse("exam", args=[running.pk]),
            button=_("Continue the exam"),
            section="qualification",
        )
    return Waiting(
        due=None,
        title=_("Sit the exam"),
        detail=_("%(domain)s · attempt %(n)s")
        % {"domain": application.domain, "n": application.sittings.count() + 1},
        url=reverse("exam-start", args=[application.pk]),
        button=_("Read how it works"),
        section="qualification",
    )


def _trial_to_write(application: Application, trial: Trial) -> Waiting:
    if trial.number > 1:
        title, button = _("Correct your trial task"), _("Open the remarks")
        detail = _("%(domain)s · a senior returned it with remarks")
    else:
        title, button = _("Write your trial task"), _("Open the trial task")
        detail = _("%(domain)s · the last step before you are qualified")
    return Waiting(
        due=None,
        title=title,
        detail=detail % {"domain": application.domain},
        url=reverse("trial", args=[trial.pk]),
        button=button,
        section="qualification",
    )


def _waiting_as_senior(user: Any) -> list[Waiting]:
    return [
        Waiting(
            due=None,
            title=_("Decide on a trial task"),
            detail=_("%(title)s · %(domain)s · version %(n)s")
            % {"title": trial.title, "domain": trial.application.domain, "n": trial.number},
            url=reverse("trial-decide", args=[trial.pk]),
            button=_("Read the trial task"),
            blocks=True,
            section="trials",
        )
        for trial in trials_to_decide(user)[:TRIALS_ON_HOME]
    ]


def _waiting_as_staff() -> list[Waiting]:
    number = Application.objects.filter(stage=ApplicationStage.APPLIED).count()
    if not number:
        return []
    return [
        Waiting(
            due=None,
            title=_("Decide on applications"),
            detail=_("%(n)s waiting, the oldest first") % {"n": number},
            url=reverse("staff-applications") + "?stage=applied",
            button=_("Open the applications"),
            blocks=True,
            section="applications",
        )
    ]
