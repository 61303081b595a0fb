"""Approved rubrics, for the honoraria of whoever wrote them."""

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from curation.base.process.lifecycle import Stage
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.tasks.task.models import Task, TaskEvent

# A rubric that was made from an exact answer comes to its approval without a review.
_REVIEWED = (Stage.IN_REVIEW, Stage.DECIDING, Stage.SPOT_CHECK)


def approved_rubrics() -> QuerySet[Task]:
    """Return the tasks whose rubric stands approved, with when and whose it is."""
    approvals = TaskEvent.objects.filter(
        task=OuterRef("pk"), from_stage__in=_REVIEWED, to_stage=Stage.APPROVED
    )
    latest = Subquery(approvals.order_by("-at", "-pk").values("at")[:1])
    return Task.objects.annotate(
        approved_at=latest, rubric_by=Coalesce("rubric_author", "author")
    ).filter(stage=Stage.APPROVED, approved_at__isnull=False)


SOURCES = (PaidSource(Work.RUBRIC, approved_rubrics, "rubric_by", "approved_at", "pk", "domain"),)
