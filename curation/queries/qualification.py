"""Applications and trials, as their pages show them; and what waits for whom."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from curation import access, zones
from curation.checks import part_label
from curation.conflicts import ties_of
from curation.errors import NotFound
from curation.lifecycle import ApplicationStage
from curation.models import Application, ExamSitting, Trial
from curation.models.tasks import TEXT_PARTS
from curation.templatetags.look import in_days, when

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
    rows = Trial.objects.select_related("application__domain", "category")
    trial = rows.filter(pk=pk).first()
    if trial is None or not access.allows(user, "application.work_on", trial.application):
        raise NotFound()
    return trial


def access_trial_to_decide(user: Any, pk: int) -> Trial:
    """A trial that was handed in, for a senior of its domain who did not write it.

    Raises:
        NotFound: no such trial, not handed in, another domain's, one's own, or of somebody one
            brought.
    """
    rows = Trial.objects.select_related(
        "application__domain", "application__user", "reader", "category"
    )
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
    if stage in (ApplicationStage.REJECTED, ApplicationStage.WITHDRAWN):
        last = application.history.exclude(data__has_key="event").order_by("-at", "-id").first()
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


def own_applications(user: Any) -> QuerySet[Application]:
    """All applications of a person, newest first."""
    return user.applications.select_related("domain__exam").order_by("-created_at", "-pk")


# --- seniors --------------------------------------------------------------------------------------
def trials_to_decide(user: Any) -> QuerySet[Trial]:
    """Trials a senior can decide now, the longest waiting first.

    Never their own, nor those of somebody they have a tie to.
    """
    return (
        Trial.objects.filter(
            application__domain__in=user.senior_domain_ids(),
            application__stage=ApplicationStage.TRIAL,
            submitted_at__isnull=False,
            verdict="",
        )
        .exclude(application__user=user)
        .exclude(application__user__in=ties_of(user))
        .select_related("application__domain", "application__user", "reader")
        .order_by("submitted_at", "pk")
    )


@dataclass(frozen=True)
class TrialPart:
    """One part of a trial, with the same part of the version before."""

    name: str
    label: Any
    text: str
    before: str | None
    remark_before: str = ""  # what a senior asked for in the version before
    remark: str = ""  # what was said on this version

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
    last: bool = False  # no further version may follow
    versions: int = 1  # there may be
    reader: str = ""  # the senior who has it open, if it is somebody else
    reading_since: datetime | None = None

    @property
    def changed(self) -> tuple[TrialPart, ...]:
        return tuple(part for part in self.parts if part.changed)


def part_remarks(trial: Trial | None) -> dict[str, str]:
    """What a senior said on single parts of a version: part -> remark."""
    return dict(trial.part_remarks.values_list("part", "text")) if trial else {}


def trial_sheet(trial: Trial, reader: Any = None) -> TrialSheet:
    """A handed-in trial beside the version before it. Three queries.

    Args:
        reader: who reads it now; another senior who has it open is named by pseudonym.
    """
    before = trial.application.trials.filter(number=trial.number - 1).first()
    asked, said = part_remarks(before), part_remarks(trial)
    other = trial.reader if reader is not None and trial.reader != reader else None
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
                asked.get(name, ""),
                said.get(name, ""),
            )
            for name in TRIAL_PARTS
        ),
        remarks_before=before.remarks if before else "",
        open=not trial.verdict and trial.application.stage == ApplicationStage.TRIAL,
        verdict=trial.verdict,
        verdict_label=trial.get_verdict_display(),
        remarks=trial.remarks,
        decided_at=trial.decided_at,
        last=trial.number >= settings.TRIAL_VERSIONS,
        versions=settings.TRIAL_VERSIONS,
        reader=other.pseudonym if other else "",
        reading_since=trial.reading_since,
    )


@dataclass(frozen=True)
class Standing:
    """Where an application stands, told to the applicant on Home."""

    application: Application
    steps: list[Step]
    sentence: Any
    failed: Any = None  # the exam attempt that was not enough, while there is another one

    @property
    def topics(self) -> list[str]:
        """What to study for the next attempt."""
        return topics_of(self.failed) if self.failed else []


def topics_of(sitting: Any) -> list[str]:
    """The topics of the questions that were not answered right, each once, in order."""
    return sorted({row["topic"] for row in sitting.wrong_topics if row["topic"]})


def standings(user: Any) -> list[Standing]:
    """One's applications, newest first, each with what it waits for. Three queries at most each."""
    return [_standing(application) for application in own_applications(user)]


def _standing(application: Application) -> Standing:
    if application.stage != ApplicationStage.EXAM:
        return Standing(application, steps(application), _sentence(application))
    last = application.sittings.order_by("-attempt").first()
    failed = last if last and last.submitted_at and not last.awaits_marks else None
    return Standing(application, steps(application), _exam_sentence(application, last), failed)


def _sentence(application: Application) -> Any:
    stage, domain = application.stage, application.domain
    if stage == ApplicationStage.APPLIED:
        return _(
            "You sent it %(when)s; the staff read it next. They admit you to the exam or say why "
            "not, and you see it here. You need do nothing until then."
        ) % {"when": in_days(application.stage_since)}
    if stage == ApplicationStage.TRAINING:
        return _("The exam is passed. The trial task opens once every unit of the training is.")
    if stage == ApplicationStage.TRIAL:
        trial = latest_trial(application)
        if trial is not None and trial.submitted_at:
            return _(
                "You handed in your trial task %(when)s; a senior of %(domain)s is reading it. "
                "There is no fixed date: what they decide stands here, and until then you need "
                "do nothing."
            ) % {"when": in_days(trial.submitted_at), "domain": domain}
        return _("When it is handed in, a senior of %(domain)s reads it.") % {"domain": domain}
    if stage == ApplicationStage.WITHDRAWN:
        return _("You withdrew it. You can send it again whenever you like.")
    if stage == ApplicationStage.SUSPENDED:
        return _("Your qualification is suspended. The application's page says why.")
    return _("The application is closed. Its page says why.")


def _exam_sentence(application: Application, last: Any) -> Any:
    if last is None:
        return _("There is no date: the clock starts when you start it.")
    if last.submitted_at is None:
        return _("The exam is running until %(time)s; then what is saved is marked.") % {
            "time": zones.clock(last.deadline)
        }
    exam = application.domain.exam
    if last.awaits_marks:
        return _(
            "You handed in the exam; a senior of %(domain)s marks your short texts, which is due "
            "%(when)s. Until then you need do nothing."
        ) % {"domain": application.domain, "when": in_days(last.marks_due_at(exam))}
    opens = last.next_opens_at(exam)
    if opens > timezone.now():
        return _("Attempt %(n)s was not enough. The next one opens on %(day)s.") % {
            "n": last.attempt,
            "day": strip_tags(when(opens, clock=True, zone=True)),
        }
    return _("Attempt %(n)s was not enough. The next one is open: sit it when you are ready.") % {
        "n": last.attempt
    }
