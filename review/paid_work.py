"""Finished rounds, decisions and spot checks, for honoraria."""

from django.db.models import F

from curation.base.process.lifecycle import Stage
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.tasks.task.models import TaskEvent
from review.rounds.assignment_models import Round
from review.senior_seats.models import SpotCheck

SOURCES = (
    PaidSource(
        Work.ROUND,
        # A round that ended unfinished has the time of its opening.
        lambda: Round.objects.filter(finished_at__gt=F("opened_at")),
        *("review__reviewer", "finished_at", "review__task", "review__task__domain"),
    ),
    PaidSource(
        Work.DECISION,
        # The step by which a senior closes the decisions on one rubric, however many lines.
        lambda: TaskEvent.objects.filter(
            from_stage=Stage.DECIDING,
            to_stage__in=[Stage.SPOT_CHECK, Stage.APPROVED],
            actor__isnull=False,
        ),
        *("actor", "at", "task", "task__domain"),
    ),
    PaidSource(
        Work.SPOT_CHECK,
        lambda: SpotCheck.objects.filter(taken_back_at__isnull=True),
        *("senior", "at", "task", "task__domain"),
    ),
)
