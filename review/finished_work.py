"""Finished rounds, decisions and spot checks, for what people in conflict judged of each other."""

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from curation.tasks.task.finished_work import FinishedSource
from review.decisions.models import LineDecision
from review.rounds.assignment_models import Round
from review.senior_seats.models import SpotCheck

SOURCES = (
    FinishedSource(
        _("review rounds"),
        # A round that ended unfinished has the time of its opening.
        lambda: Round.objects.filter(finished_at__gt=F("opened_at")),
        "review__task",
        "review__reviewer",
    ),
    FinishedSource(
        _("decided lines"),
        lambda: LineDecision.objects.filter(closed_at__isnull=False),
        "task",
        "senior",
    ),
    FinishedSource(
        _("spot checks"),
        lambda: SpotCheck.objects.filter(taken_back_at__isnull=True),
        "task",
        "senior",
    ),
)
