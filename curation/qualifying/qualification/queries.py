"""Queries about applications for the applicant: the steps, and what happens next."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import ApplicationStage
from curation.base.text.wording import sentences
from curation.base.web import dates
from curation.base.web.dates import day, in_days
from curation.qualifying.applications.models import Application
from curation.qualifying.applications.queries import own_applications
from curation.qualifying.exams.queries import reached
from curation.qualifying.trials.queries import latest_trial

STEPS = (
    ApplicationStage.APPLIED,
    ApplicationStage.EXAM,
    ApplicationStage.TRAINING,
    ApplicationStage.TRIAL,
    ApplicationStage.QUALIFIED,
)


# --- one application ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Step:
    """A step of the track."""

    label: Any
    state: str


def steps(application: Application) -> list[Step]:
    """Return the five steps, each done, current, stopped or still to come."""
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


@dataclass(frozen=True)
class ApplicationStatus:
    """The state of an application, worded for the applicant on Home.

    Attributes:
        failed: the last exam attempt, if it was not enough and another one is left.
    """

    application: Application
    steps: list[Step]
    sentence: Any
    failed: Any = None

    @property
    def topics(self) -> list[str]:
        """The topics to study for the next attempt."""
        return topics_of(self.failed) if self.failed else []


def topics_of(sitting: Any) -> list[str]:
    """Return the topics of the questions that lost points, each once, sorted."""
    return sorted({row["topic"] for row in sitting.wrong_topics if row["topic"]})


def application_statuses(user: Any) -> list[ApplicationStatus]:
    """Return a person's applications, newest first, with what each waits for.

    At most three queries each.
    """
    return [_status(application) for application in own_applications(user)]


def _status(application: Application) -> ApplicationStatus:
    if application.stage != ApplicationStage.EXAM:
        return ApplicationStatus(application, steps(application), _sentence(application))
    last = application.sittings.order_by("-attempt").first()
    failed = last if last and last.submitted_at and not last.awaits_marks else None
    return ApplicationStatus(
        application, steps(application), _exam_sentence(application, last), failed
    )


def _sentence(application: Application) -> Any:
    stage, domain = application.stage, application.domain
    if stage == ApplicationStage.APPLIED:
        return _(
            "You sent it %(when)s; the staff read it next. They admit you to the exam or say "
            "why not, and you see it here. There is nothing you need to do until then."
        ) % {"when": in_days(application.stage_since)}
    if stage == ApplicationStage.TRAINING:
        return _(
            "You have passed the exam. The trial task opens once you have passed every "
            "unit of the training."
        )
    if stage == ApplicationStage.TRIAL:
        trial = latest_trial(application)
        if trial is not None and trial.submitted_at:
            return _(
                "You handed in your trial task %(when)s; a senior of %(domain)s is reading it. "
                "There is no fixed date. The decision appears here, and there is nothing you "
                "need to do until then."
            ) % {"when": in_days(trial.submitted_at), "domain": domain}
        return _("When it is handed in, a senior of %(domain)s reads it.") % {"domain": domain}
    if stage == ApplicationStage.WITHDRAWN:
        return _("You withdrew it. You can send it again whenever you like.")
    if stage == ApplicationStage.SUSPENDED:
        return _("Your qualification is suspended. The application's page says why.")
    return _("The application is closed. Its page says why.")


def _exam_sentence(application: Application, last: Any) -> Any:
    if last is None:
        return _("There is no date: the clock starts when you begin the exam.")
    if last.submitted_at is None:
        return _("The exam ends at %(time)s; what is saved by then is marked.") % {
            "time": dates.clock(last.deadline)
        }
    exam = application.domain.exam
    if last.awaits_marks:
        return _(
            "You handed in the exam; a senior of %(domain)s marks your short texts, due "
            "%(when)s. There is nothing you need to do until then."
        ) % {"domain": application.domain, "when": in_days(last.marks_due_at(exam))}
    opens = last.next_opens_at(exam)
    if opens > timezone.now():
        when = _("The next attempt opens on %(day)s.") % {
            "day": day(opens, with_clock=True, with_zone=True)
        }
    else:
        when = _("The next attempt is open: take it when you are ready.")
    return sentences([reached(last), when])
