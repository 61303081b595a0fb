"""Candidates that staff took off the open board."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.joining.people.models import User
from judge.asking.candidates.models import Candidate


class BoardRemoval(models.Model):
    """A candidate was taken off the open board, with a reason; put back, the row stays."""

    candidate = models.ForeignKey(
        Candidate, on_delete=models.PROTECT, related_name="board_removals"
    )
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    put_back_at = models.DateTimeField(null=True, blank=True)
    put_back_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    put_back_reason = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["candidate"],
                condition=Q(put_back_at__isnull=True),
                name="a_candidate_is_off_the_board_once",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_removal_has_a_reason"),
            models.CheckConstraint(
                condition=Q(put_back_at__isnull=True, put_back_by__isnull=True, put_back_reason="")
                | Q(put_back_at__isnull=False, put_back_by__isnull=False) & ~Q(put_back_reason=""),
                name="a_candidate_is_put_back_with_a_reason",
            ),
        ]
