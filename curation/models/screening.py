"""The panel's votes on a submitted task."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.models.people import User
from curation.models.tasks import Task


class Decision(models.TextChoices):
    """What a member of the panel, or the panel, decides."""

    KEEP = "keep", _("Keep")
    RETURN = "return", _("Return to the author")
    REJECT = "reject", _("Reject")


class ScreeningVote(models.Model):
    """One member's vote in one screening of a task."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="screening_votes")
    round = models.PositiveSmallIntegerField()
    member = models.ForeignKey(User, on_delete=models.PROTECT, related_name="screening_votes")
    difficult = models.BooleanField()
    representative = models.BooleanField()
    gradable = models.BooleanField()
    decision = models.CharField(max_length=10, choices=Decision.choices)
    reasons = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at",)
        constraints = [
            models.UniqueConstraint(
                fields=["task", "round", "member"], name="one_vote_per_member_and_screening"
            ),
            models.CheckConstraint(condition=~Q(reasons=""), name="a_vote_has_reasons"),
            models.CheckConstraint(
                condition=Q(decision__in=Decision.values), name="decision_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(decision="keep")
                | Q(difficult=True, representative=True, gradable=True),
                name="kept_prompts_pass_all_three_tests",
            ),
        ]
