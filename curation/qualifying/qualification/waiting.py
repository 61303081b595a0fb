"""What waits in qualification for applicants, experts, seniors and staff."""

from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Window
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.lifecycle import ApplicationStage
from curation.base.process.waiting import Waiting
from curation.base.text.wording import listed
from curation.base.web import dates
from curation.base.web.dates import day, in_days
from curation.qualifying.applications.models import Application
from curation.qualifying.applications.queries import own_applications
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.exams.queries import unmarked
from curation.qualifying.qualification.queries import topics_of
from curation.qualifying.training import units
from curation.qualifying.training.queries import missing_units
from curation.qualifying.trials.models import Trial
from curation.qualifying.trials.queries import latest_trial, trials_to_decide
from curation.tasks.task.queries import domain_name

_DOMAIN = "application__domain__"
TRIALS_ON_HOME = 5  # the queue lists the others


def waiting(user: Any) -> list[Waiting]:
    """Return the qualification work a person can do now, in any of their roles."""
    found = _waiting_as_applicant(user) + _waiting_to_be_taken_again(user)
    if user.senior_domain_ids():
        found += _waiting_as_senior(user)
    if user.has_duty("recruiting"):
        found += _waiting_as_staff()
    return found


def _waiting_as_applicant(user: Any) -> list[Waiting]:
    found = []
    own_steps = (ApplicationStage.EXAM, ApplicationStage.TRAINING, ApplicationStage.TRIAL)
    for application in own_applications(user).filter(stage__in=own_steps):
        if application.stage == ApplicationStage.EXAM:
            found += _exam_to_sit(application)
        elif application.stage == ApplicationStage.TRAINING:
            found.append(
                Waiting(
                    due=None,
                    title=_("Do the training"),
                    detail=_training_left(user, application),
                    url=reverse("training"),
                    button=_("Open the training"),
                    section="qualification",
                )
            )
        else:
            trial = latest_trial(application)
            if trial is not None and trial.submitted_at is None:
                found.append(_trial_to_write(application, trial))
    return found


def _waiting_to_be_taken_again(user: Any) -> list[Waiting]:
    """Return the training an expert has to take again before the next new task. One query."""
    if not user.qualified_domain_ids():
        return []
    missing = len(missing_units(user))
    if not missing:
        return []
    return [
        Waiting(
            due=None,
            title=_("Do the training"),
            detail=ngettext(
                "%(n)s unit is open; take it before your next new task",
                "%(n)s units are open; take them before your next new task",
                missing,
            )
            % {"n": missing},
            url=reverse("training"),
            button=_("Open the training"),
            section="qualification",
        )
    ]


def _exam_to_sit(application: Application) -> list[Waiting]:
    last = application.sittings.order_by("-attempt").first()
    if last is not None and last.submitted_at is None:
        return [
            Waiting(
                due=last.deadline,
                title=_("Finish the exam"),
                detail=_("%(domain)s · it ends at %(time)s; your answers are saved")
                % {
                    "domain": application.domain,
                    "time": dates.clock(last.deadline),
                },
                url=reverse("exam", args=[last.pk]),
                button=_("Continue the exam"),
                section="qualification",
            )
        ]
    if last is not None and last.awaits_marks:
        return []  # nothing to do now; the application's status says until when
    if last is not None:
        opens = last.next_opens_at(application.domain.exam)
        if opens > timezone.now():
            return [_exam_to_study(application, last, opens)]
    return [
        Waiting(
            due=None,
            title=_("Sit the exam"),
            detail=_("%(domain)s · attempt %(n)s")
            % {"domain": application.domain, "n": last.attempt + 1 if last else 1},
            url=reverse("exam-start", args=[application.pk]),
            button=_("Read how it works"),
            section="qualification",
        )
    ]


def _exam_to_study(application: Application, last: ExamSitting, opens: datetime) -> Waiting:
    facts = {
        "domain": application.domain,
        "day": day(opens, with_clock=True, with_zone=True),
        "topics": listed(topics_of(last)),
    }
    return Waiting(
        due=None,
        title=_("Study for the next attempt"),
        detail=_("%(domain)s · topics: %(topics)s · the next attempt opens on %(day)s") % facts
        if facts["topics"]
        else _("%(domain)s · the next attempt opens on %(day)s") % facts,
        url=reverse("exam", args=[last.pk]),
        button=_("What to study"),
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
    trials = trials_to_decide(user).select_related(None)
    trials = trials.values("pk", "title", "number", f"{_DOMAIN}name", f"{_DOMAIN}name_zh")
    return _answers_to_mark(user) + [
        Waiting(
            due=None,
            title=_("Decide on a trial task"),
            detail=_("%(title)s · %(domain)s · version %(n)s")
            % {"title": row["title"], "domain": domain_name(row, _DOMAIN), "n": row["number"]},
            url=reverse("trial-decide", args=[row["pk"]]),
            button=_("Read the trial task"),
            blocks=True,
            section="trials",
        )
        for row in trials[:TRIALS_ON_HOME]
    ]


def _answers_to_mark(user: Any) -> list[Waiting]:
    rows = unmarked(user).select_related("sitting__application__domain__exam")
    oldest = rows.annotate(number=Window(Count("pk"))).first()  # one query for both
    if oldest is None:
        return []
    sitting, number = oldest.sitting, oldest.number
    return [
        Waiting(
            due=sitting.marks_due_at(sitting.application.domain.exam),
            title=_("Mark answers of an exam"),
            detail=ngettext(
                "%(n)s short text, handed in %(when)s",
                "%(n)s short texts, the oldest handed in %(when)s",
                number,
            )
            % {"n": number, "when": in_days(sitting.submitted_at)},
            url=reverse("answers"),
            button=_("Open the answers"),
            blocks=True,
            section="answers",
        )
    ]


def _waiting_as_staff() -> list[Waiting]:
    rows = Application.objects.filter(stage=ApplicationStage.APPLIED)
    found = rows.aggregate(number=Count("pk"), oldest=Min("stage_since"))
    number = found["number"]
    if not number:
        return []
    return [
        Waiting(
            due=None,
            title=_("Decide on applications"),
            detail=ngettext(
                "%(n)s application, sent %(when)s",
                "%(n)s applications, the oldest sent %(when)s",
                number,
            )
            % {"n": number, "when": in_days(found["oldest"])},
            url=reverse("staff-applications") + "?stage=applied",
            button=_("Open the applications"),
            blocks=True,
            section="applications",
        )
    ]


def _training_left(user: Any, application: Any) -> str:
    """Say how long the training is, or how much of it is left once it was begun."""
    every, left = len(units.unit_keys()), len(missing_units(user))
    if left == every:
        words = _("%(domain)s · %(n)s short units with exercises")
    else:
        words = _("%(domain)s · %(left)s of %(n)s units left")
    return words % {"domain": application.domain, "n": every, "left": left}
