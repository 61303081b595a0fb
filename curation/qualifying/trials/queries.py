"""Queries about trials, for applicants and seniors."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from curation.base.access import permissions
from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.refusals import NotFound
from curation.joining.people import cached_conflicts_of
from curation.qualifying.applications.models import Application
from curation.qualifying.trials.models import Trial
from curation.tasks.task.fields import PARTS, label_of


def wrote_the_trial(user: Any, trial: Any) -> bool:
    return permissions.is_its_owner(user, trial.application)


def decides_on_the_trial(user: Any, trial: Any) -> bool:
    return (
        trial.submitted_at is not None
        and permissions.allows(user, "trial.decide", trial.application)
        and not permissions.is_its_owner(user, trial.application)
    )


def access_own_trial(user: Any, pk: int) -> Trial:
    """Load a trial of the person's own application.

    Raises:
        NotFound: no such trial, or somebody else's.
    """
    rows = Trial.objects.select_related("application__domain", "category")
    trial = rows.filter(pk=pk).first()
    if trial is None or not permissions.allows(user, "application.work_on", trial.application):
        raise NotFound()
    return trial


def access_trial_to_decide(user: Any, pk: int) -> Trial:
    """Load a trial that was handed in, for a senior who may decide on it.

    Raises:
        NotFound: no such trial, not handed in, of another domain, the senior's own, or of somebody
            they have a tie to.
    """
    rows = Trial.objects.select_related(
        "application__domain", "application__user", "reader", "category"
    )
    trial = rows.filter(pk=pk, submitted_at__isnull=False).first()
    if (
        trial is None
        or not permissions.allows(user, "trial.decide", trial.application)
        or permissions.is_its_owner(user, trial.application)
    ):
        raise NotFound()
    return trial


def latest_trial(application: Application) -> Trial | None:
    """Return the latest version of the trial task; None before it is opened."""
    return application.trials.order_by("-number").first()


# --- seniors --------------------------------------------------------------------------------------
def trials_to_decide(user: Any) -> QuerySet[Trial]:
    """Return the trials a senior can decide now, the longest waiting first.

    Leaves out their own, and those of people they have a tie to.
    """
    return (
        Trial.objects.filter(
            application__domain__in=user.senior_domain_ids(),
            application__stage=ApplicationStage.TRIAL,
            submitted_at__isnull=False,
            verdict="",
        )
        .exclude(application__user=user)
        .exclude(application__user__in=cached_conflicts_of(user))
        .select_related("application__domain", "application__user", "reader")
        .order_by("submitted_at", "pk")
    )


@dataclass(frozen=True)
class TrialPart:
    """One part of a trial, with the same part of the previous version."""

    name: str
    label: Any
    text: str
    before: str | None
    remark_before: str = ""  # a senior's remark on the previous version
    remark: str = ""  # a senior's remark on this version

    @property
    def changed(self) -> bool:
        return self.before is not None and self.before != self.text


@dataclass(frozen=True)
class TrialSheet:
    """A trial as a senior reads it: without name and profile, with pseudonym and text."""

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
    last: bool = False  # no further version is possible
    versions: int = 1  # maximum number of versions
    reader: str = ""  # pseudonym of another senior who is reading it
    reading_since: datetime | None = None

    @property
    def changed(self) -> tuple[TrialPart, ...]:
        return tuple(part for part in self.parts if part.changed)


def part_remarks(trial: Trial | None) -> dict[str, str]:
    """Return a senior's remarks on the parts of a version: part -> remark."""
    return dict(trial.part_remarks.values_list("part", "text")) if trial else {}


def trial_sheet(trial: Trial, reader: Any = None) -> TrialSheet:
    """Return a handed-in trial with the previous version. Three queries.

    Args:
        reader: the senior for whom it is; another senior who is reading it is named by pseudonym.
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
                label_of(name),
                getattr(trial, name),
                getattr(before, name) if before else None,
                asked.get(name, ""),
                said.get(name, ""),
            )
            for name in PARTS
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
