"""The finished work that curation knows: prompts, votes, checks, solves, trials, exam answers."""

from django.db.models import F, OuterRef, QuerySet, Subquery

from curation.base.process.lifecycle import Stage
from curation.qualifying.exams.models import SittingQuestion
from curation.qualifying.trials.models import Trial
from curation.screening.panels.models import ReferenceCheck, ScreeningVote, Solve
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.models import Task, TaskEvent

_VERIFIED = (Reverification.State.CONFIRMED, Reverification.State.AMENDED)


def passed_screening() -> QuerySet[Task]:
    """Return the tasks that people wrote here and a panel kept, with when it did first."""
    kept = TaskEvent.objects.filter(
        task=OuterRef("pk"), from_stage=Stage.SCREENING, to_stage=Stage.DRAFTING
    )
    first = Subquery(kept.order_by("at", "pk").values("at")[:1])
    return Task.objects.annotate(kept_at=first).filter(kept_at__isnull=False)


SOURCES = (
    PaidSource(Work.TASK, passed_screening, "author", "kept_at", "pk", "domain"),
    PaidSource(Work.VOTE, ScreeningVote.objects.all, "member", "at", "task", "task__domain"),
    PaidSource(
        Work.CHECK,
        lambda: ReferenceCheck.objects.exclude(verdict=""),
        *("checker", "decided_at", "task", "task__domain", "seconds"),
    ),
    PaidSource(
        Work.SOLVE,
        lambda: Solve.objects.exclude(verdict=""),
        *("solver", "decided_at", "task", "task__domain", "seconds"),
    ),
    PaidSource(
        Work.VERIFY,
        lambda: Reverification.objects.filter(state__in=_VERIFIED),
        *("expert", "ended_at", "task", "task__domain"),
    ),
    PaidSource(
        Work.TRIAL,
        lambda: Trial.objects.exclude(verdict=""),
        *("senior", "decided_at", "", "application__domain"),
    ),
    PaidSource(
        Work.MARKING,
        # An answer that a machine graded has nobody who did.
        lambda: SittingQuestion.objects.filter(
            marked_by__isnull=False, points__isnull=False
        ).exclude(marked_by=F("sitting__application__user")),
        *("marked_by", "marked_at", "", "sitting__application__domain"),
    ),
)
