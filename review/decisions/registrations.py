"""What seniors' decisions on lines give to the nouns below."""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import Stage
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.staff.honoraria import sources
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.tasks.task import finished_work, text_basis
from curation.tasks.task.finished_work import FinishedSource
from curation.tasks.task.models import TaskEvent
from curation.tasks.task.text_basis import records
from review.decisions.models import LineDecision

_CLOSED = Q(closed_at__isnull=False)


def _closings() -> QuerySet[TaskEvent]:
    """Select the steps by which a senior closes the decisions on one rubric, on any lines."""
    return TaskEvent.objects.filter(
        from_stage=Stage.DECIDING,
        to_stage__in=[Stage.SPOT_CHECK, Stage.APPROVED],
        actor__isnull=False,
    )


text_basis.register(
    *records(
        _("It was said on a line as it was, and can be read beside it."), "review.LineDecision"
    )
)
parts.register(
    Part(
        "decisions_on_own_lines",
        LineDecision,
        "task__author",
        ("task__key", "criterion__key", "outcome", "text", "reason", "at"),
        _CLOSED,
    ),
    Part(
        "line_decisions",
        LineDecision,
        "senior",
        (
            *("task__key", "criterion__key", "outcome", "text", "importance", "weight"),
            *("dimension", "reason", "at"),
        ),
    ),
)
finished_work.register(
    FinishedSource(
        _("decided lines"), lambda: LineDecision.objects.filter(_CLOSED), "task", "senior"
    )
)
sources.register(PaidSource(Work.DECISION, _closings, "actor", "at", "task", "task__domain"))
