"""The history of verdicts; `LineReview` has only the current one."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from curation.base.process.history import AppendOnly
from review.rounds.assignment_models import LineReview, Round
from rubrics.versions.models import Criterion


class VerdictStep(AppendOnly):
    """A verdict that was given on a line, or removed (empty verdict).

    Written by a receiver of the saved verdict, so that no code path can miss it. Approvals carried
    over from an earlier round are nobody's step and are not recorded.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="steps")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=10, choices=LineReview.Verdict.choices, blank=True)
    aspect = models.CharField(max_length=10, choices=LineReview.Aspect.choices, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at", "id")
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict="change") | Q(aspect=""),
                name="only_a_step_to_a_request_names_an_aspect",
            )
        ]


def connect() -> None:
    """Record a step for every saved or deleted verdict."""
    post_save.connect(_given, sender=LineReview, dispatch_uid="review.verdict_given")
    post_delete.connect(_taken_back, sender=LineReview, dispatch_uid="review.verdict_taken_back")


def _given(sender: Any, instance: LineReview, raw: bool = False, **_: Any) -> None:
    if not instance.carried_over and not raw:
        VerdictStep.objects.create(
            round_id=instance.round_id,
            criterion_id=instance.criterion_id,
            verdict=instance.verdict,
            aspect=instance.aspect,
            at=instance.at,
        )


def _taken_back(sender: Any, instance: LineReview, **_: Any) -> None:
    if not instance.carried_over:
        VerdictStep.objects.create(round_id=instance.round_id, criterion_id=instance.criterion_id)
