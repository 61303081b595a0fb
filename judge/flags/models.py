"""Verdicts of a judge that people hold to be wrong."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.people.models import User
from judge.engine.models import Verdict


class VerdictFlag(models.Model):
    """One person's remark that a verdict is wrong; it changes no score.

    A flag that was taken back stays on record.
    """

    verdict = models.ForeignKey(Verdict, on_delete=models.PROTECT, related_name="flags")
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    # Null for flags taken back before the person was recorded.
    withdrawn_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["verdict", "by"],
                condition=Q(withdrawn_at__isnull=True),
                name="one_open_flag_per_verdict_and_person",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_flag_has_a_reason"),
            models.CheckConstraint(
                condition=Q(withdrawn_by__isnull=True) | Q(withdrawn_at__isnull=False),
                name="who_takes_a_flag_back_does_it_at_a_time",
            ),
        ]
