"""The work map of a domain: kinds of work, the time they take, and what could be evaluated."""

from django.db import models
from django.db.models import Q
from django.utils.translation import get_language

from curation.base.web.fields import LineField
from curation.joining.domains.models import Category, Change, Domain, Named

TIME_BINS = (5, 20, 40)  # minutes; the bins of figure 4 of the xbench paper
REVERIFY_DAYS = 30


def usual_bins() -> list[int]:
    """Return the bins of a domain for which staff have set none."""
    return list(TIME_BINS)


class WorkMap(models.Model):
    """What is said of a domain as a whole: its market, the bins of its histogram, and days.

    Unknown facts are empty; a domain without a row has the defaults.
    """

    domain = models.OneToOneField(Domain, on_delete=models.PROTECT, related_name="work_map")
    market_size = models.DecimalField(max_digits=20, decimal_places=2, null=True, blank=True)
    market_currency = models.CharField(max_length=3, blank=True)  # ISO 4217
    market_year = models.PositiveSmallIntegerField(null=True, blank=True)
    market_source = LineField(max_length=300, blank=True)
    time_bins = models.JSONField(default=usual_bins)  # upper ends in minutes, ascending
    # Days before `valid_until` at which a dynamic answer is verified again.
    reverify_days = models.PositiveSmallIntegerField(default=REVERIFY_DAYS)
    version = models.PositiveIntegerField(default=1)  # refuses stale saves of the map

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    market_size__isnull=True,
                    market_currency="",
                    market_year__isnull=True,
                    market_source="",
                )
                | Q(market_size__gt=0, market_year__range=(1900, 2999))
                & ~Q(market_currency="")
                & ~Q(market_source=""),
                name="a_market_size_has_currency_year_and_source",
            ),
            models.CheckConstraint(
                condition=Q(reverify_days__range=(1, 365)), name="reverify_days_are_in_range"
            ),
        ]

    def __str__(self) -> str:
        return str(self.domain)


class WorkType(Named):
    """A kind of work inside a category, with what interviews say of it.

    `share` is in percent of the working time, `importance` from 1 to 5; both are None while nobody
    was asked. `feasible`: a machine could do it today; `evaluable`: an answer could be graded.
    """

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="work_types")
    category = models.ForeignKey(Category, on_delete=models.PROTECT, related_name="work_types")
    position = models.PositiveSmallIntegerField(default=0)
    share = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)
    importance = models.PositiveSmallIntegerField(null=True, blank=True)
    feasible = models.BooleanField(null=True, blank=True)
    evaluable = models.BooleanField(null=True, blank=True)
    simulation = models.TextField(blank=True)  # what could make it evaluable
    interviews = models.PositiveIntegerField(null=True, blank=True)
    interviewed_on = models.DateField(null=True, blank=True)
    interview_source = LineField(max_length=300, blank=True)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("domain", "position", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=["domain", "key"], name="work_type_key_is_unique_in_its_domain"
            ),
            models.CheckConstraint(
                condition=Q(share__isnull=True) | Q(share__range=(0, 100)),
                name="a_share_is_a_percentage",
            ),
            models.CheckConstraint(
                condition=Q(importance__isnull=True) | Q(importance__range=(1, 5)),
                name="importance_of_work_is_1_to_5",
            ),
            models.CheckConstraint(
                condition=Q(interviews__isnull=True) | Q(interviews__gte=1),
                name="interviews_are_counted_from_one",
            ),
        ]

    @property
    def benchmarked(self) -> bool:
        """Whether tasks can be written for it: feasible and evaluable, and not retired."""
        return bool(self.feasible and self.evaluable and self.retired_at is None)

    @property
    def label(self) -> str:
        """The category and the name, as lists of choices show it."""
        separator = "：" if (get_language() or "").startswith("zh") else ": "
        return f"{self.category}{separator}{self}"


class WorkMapChange(Change):
    """One change of a work map: added, changed, moved, retired, brought back, imported."""

    class Kind(models.TextChoices):
        ADDED = "added"
        CHANGED = "changed"
        MOVED = "moved"
        RETIRED = "retired"
        RESTORED = "restored"
        FACTS = "facts"

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="work_map_changes")
    work_type = models.ForeignKey(
        WorkType, null=True, on_delete=models.PROTECT, related_name="changes"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)

    class Meta(Change.Meta):
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind="retired") | ~Q(reason=""),
                name="a_retired_work_type_has_a_reason",
            )
        ]
