"""What of review leads to a task, and how it rests on the task's text."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from curation.tasks.task.text_basis import Basis, Rests, independent, records
from review.rounds.assignment_models import LineReview, Round
from review.senior_seats.models import SpotCheck
from rubrics.dependents import stale_versions


def _stale_rounds(task: Any) -> "QuerySet[Round]":
    return Round.objects.filter(version__in=stale_versions(task))


def _stale_verdicts(task: Any) -> "QuerySet[LineReview]":
    return LineReview.objects.filter(round__version__in=stale_versions(task))


def _stale_spot_checks(task: Any) -> "QuerySet[SpotCheck]":
    return SpotCheck.objects.filter(version__in=stale_versions(task))


ROWS = [
    Rests(
        model="review.Round",
        label=_("Rounds of review"),
        on=Basis.RUBRIC,
        then=_("An open round ends; the next one begins with the rubric for the new text."),
        stale=_stale_rounds,
    ),
    Rests(
        model="review.LineReview",
        label=_("Verdicts of reviewers"),
        on=Basis.RUBRIC,
        then=_("No approval is carried over: every line is reviewed again."),
        stale=_stale_verdicts,
    ),
    Rests(
        model="review.SpotCheck",
        label=_("Spot checks"),
        on=Basis.RUBRIC,
        then=_("It stands for its version; the new one is drawn for a spot check as any other."),
        stale=_stale_spot_checks,
    ),
    *records(
        _("It was said on a line as it was, and can be read beside it."),
        "review.Comment",
        "review.Suggestion",
        "review.VerdictStep",
        "review.LineDecision",
        "review.SpotCheckMark",
    ),
    *independent(
        _("It says who reviews, by which rules."),
        "review.Review",
        "review.ReviewTerms",
        "review.SpotCheckRelease",
    ),
]
