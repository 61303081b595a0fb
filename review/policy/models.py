"""The rules of review: of a domain, and those fixed for one task."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.models import Domain
from curation.joining.domains.policies import RuleChange
from curation.tasks.task.models import Task

RULES = ("reviewers", "quorum", "rounds", "days", "draw", "colleagues", "hide_names")


class Rules(models.Model):
    """The columns shared by the rules of a domain and of a task."""

    class Colleagues(models.TextChoices):
        OWN_ROUND = "own_round", _("When their own round is finished")
        NEXT_VERSION = "next_version", _("With the version that follows")

    reviewers = models.PositiveSmallIntegerField(default=1)  # at the same time
    quorum = models.PositiveSmallIntegerField(default=1)  # approvals that settle a line
    rounds = models.PositiveSmallIntegerField(default=2)  # before a senior decides
    days = models.PositiveSmallIntegerField(default=7)  # a reviewer has for a round
    draw = models.BooleanField(default=True)  # False: reviewers take tasks from the pool
    colleagues = models.CharField(
        max_length=12, choices=Colleagues.choices, default=Colleagues.OWN_ROUND
    )  # when a reviewer sees the others' remarks
    hide_names = models.BooleanField(default=True)  # whether author and reviewers are anonymous

    class Meta:
        abstract = True


def in_range(name: str) -> models.CheckConstraint:
    """Return the check constraint of the rules, under a name of its own for each table."""
    return models.CheckConstraint(
        condition=Q(
            reviewers__gte=1,
            reviewers__lte=9,
            quorum__gte=1,
            quorum__lte=F("reviewers"),
            rounds__gte=1,
            days__gte=1,
            colleagues__in=["own_round", "next_version"],
        ),
        name=name,
    )


class ReviewPolicy(Rules):
    """The rules of a domain's reviews. The row without a domain applies to all others."""

    domain = models.OneToOneField(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="review_policy"
    )

    class Meta:
        verbose_name_plural = "review policies"
        constraints = [
            models.UniqueConstraint(
                Coalesce("domain", 0), name="one_review_policy_for_all_other_domains"
            ),
            in_range("rules_of_review_are_in_range"),
        ]

    def __str__(self) -> str:
        return str(self.domain) if self.domain else str(_("All other domains"))


class ReviewPolicyChange(RuleChange):
    """A change of the rules by staff: who, when, from what to what."""

    policy = models.ForeignKey(ReviewPolicy, on_delete=models.PROTECT, related_name="changes")


class ReviewTerms(Rules):
    """The rules of one task's review: those in force when its first round opened.

    A later change of the rules affects neither a review that has begun nor the anonymity of
    remarks written in it.
    """

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="review_terms")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "review terms"
        constraints = [in_range("terms_of_a_review_are_in_range")]
