"""The rules of review: of a domain, and those a task's review goes by."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.domains.models import Domain
from curation.people.models import User
from curation.process.history import AppendOnly
from curation.tasks.models import Task

RULES = ("reviewers", "quorum", "rounds", "days", "draw", "colleagues", "hide_names")


class Rules(models.Model):
    """How a rubric is reviewed."""

    class Colleagues(models.TextChoices):
        OWN_ROUND = "own_round", _("When their own round is finished")
        NEXT_VERSION = "next_version", _("With the version that follows")

    reviewers = models.PositiveSmallIntegerField(default=1)  # at once
    quorum = models.PositiveSmallIntegerField(default=1)  # approvals that settle a line
    rounds = models.PositiveSmallIntegerField(default=2)  # before a senior decides
    days = models.PositiveSmallIntegerField(default=7)  # a reviewer has for a round
    draw = models.BooleanField(default=True)  # reviewers are drawn; otherwise they take places
    colleagues = models.CharField(
        max_length=12, choices=Colleagues.choices, default=Colleagues.OWN_ROUND
    )  # when reviewers read each other
    hide_names = models.BooleanField(default=True)  # of author and reviewers, from each other

    class Meta:
        abstract = True


def in_range(name: str) -> models.CheckConstraint:
    """The constraint that rules hold to, under the name of its table."""
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
    """The rules of a domain's reviews. The row without a domain holds for all others."""

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


class ReviewPolicyChange(AppendOnly):
    """Staff changed the rules of review: who, when, from what to what."""

    policy = models.ForeignKey(ReviewPolicy, on_delete=models.PROTECT, related_name="changes")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    before = models.JSONField(default=dict, blank=True)  # rule -> value
    after = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at", "-id")


class ReviewTerms(Rules):
    """The rules one task's review goes by: those in force when its first round opened.

    A later change never moves the bar under a review that has begun, and never names people who
    wrote while they were not to be named.
    """

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="review_terms")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "review terms"
        constraints = [in_range("terms_of_a_review_are_in_range")]
