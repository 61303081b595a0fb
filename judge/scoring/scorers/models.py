"""Who may score in a domain: the rules staff set, and where each scorer stands."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.joining.domains.models import Domain
from curation.joining.domains.policies import RuleChange
from curation.joining.people import User

RULES = ("practice_share", "known_rate", "pause_below", "pause_lines")


class ScorerPolicy(models.Model):
    """The rules of practice and drift. The row without a domain applies to all others.

    All shares are in percent; 0 means that there is no such rule.
    """

    domain = models.OneToOneField(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="scorer_policy"
    )
    practice_share = models.PositiveSmallIntegerField(default=0)  # of lines that have to agree
    known_rate = models.PositiveSmallIntegerField(default=0)  # known sheets per hundred assigned
    pause_below = models.PositiveSmallIntegerField(default=0)  # agreement that pauses a scorer
    pause_lines = models.PositiveSmallIntegerField(default=60)  # last known lines that count

    class Meta:
        verbose_name_plural = "scorer policies"
        constraints = [
            models.UniqueConstraint(
                Coalesce("domain", 0), name="one_scorer_policy_for_all_other_domains"
            ),
            models.CheckConstraint(
                condition=Q(
                    practice_share__lte=100,
                    known_rate__lte=50,
                    pause_below__lte=100,
                    pause_lines__gte=10,
                    pause_lines__lte=1000,
                ),
                name="rules_of_scorers_are_in_range",
            ),
        ]

    def __str__(self) -> str:
        return str(self.domain) if self.domain else str(_("All other domains"))


class ScorerPolicyChange(RuleChange):
    """A change of the rules by staff: who, when, from what to what."""

    policy = models.ForeignKey(ScorerPolicy, on_delete=models.PROTECT, related_name="changes")


class ScorerStanding(models.Model):
    """Where a person stands as a scorer of a domain. Its row is the lock of their assignments."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="scorer_standings")
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="scorer_standings")
    # Sheets assigned while known sheets were on; the number of a sheet decides what rides along.
    assigned = models.PositiveIntegerField(default=0)
    none_left_at = models.DateTimeField(null=True, blank=True)  # a known sheet was due, none free
    practised_at = models.DateTimeField(null=True, blank=True)  # passed, or let through by staff
    again_since = models.DateTimeField(null=True, blank=True)  # staff asked for practice again

    class Meta:
        ordering = ("domain", "user")
        constraints = [
            models.UniqueConstraint(fields=["user", "domain"], name="one_standing_of_a_scorer")
        ]


class ScorerStep(AppendOnly):
    """What staff decided about a scorer: let through, practise again, a pause lifted."""

    class Kind(models.TextChoices):
        LET_THROUGH = "let_through", _("let through without passing the practice sheet")
        AGAIN = "again", _("asked to practise again")
        LIFTED = "lifted", _("pause lifted")

    standing = models.ForeignKey(ScorerStanding, on_delete=models.PROTECT, related_name="steps")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="a_step_on_a_scorer_has_a_reason")
        ]


class ScorerPause(models.Model):
    """A scorer is given no new sheets, because their agreement fell below what staff ask for."""

    standing = models.ForeignKey(ScorerStanding, on_delete=models.PROTECT, related_name="pauses")
    at = models.DateTimeField(default=timezone.now)
    # What it rests on: lines that agree, of the last known lines, and the rule at that time.
    agreed = models.PositiveIntegerField()
    lines = models.PositiveIntegerField()
    below = models.PositiveSmallIntegerField()  # percent
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["standing"],
                condition=Q(ended_at__isnull=True),
                name="one_open_pause_of_a_scorer",
            ),
            models.CheckConstraint(
                condition=Q(lines__gt=0, agreed__lte=models.F("lines")),
                name="a_pause_rests_on_lines",
            ),
        ]
