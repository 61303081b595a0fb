"""Trials as their applicants and the seniors see them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from curation.access import permissions as access
from curation.applications.conflicts import ties_of
from curation.applications.models import Application
from curation.process.lifecycle import ApplicationStage
from curation.tasks.fields import PARTS, label_of
from curation.trials.models import Trial
from curation.web.refusals import NotFound


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


def latest_trial(application: Application) -> Trial | None:
    """The version of the trial task that is being written or read now."""
    return application.trials.order_by("-number").first()


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
