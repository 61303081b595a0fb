"""Prices of candidates per task, and what the market of a domain pays for a score."""

from decimal import Decimal

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.process.history import AppendOnly
from curation.joining.domains.models import Domain
from curation.joining.people import User
from judge.asking.calls.money import dollars
from judge.asking.candidates.models import Candidate


def plain(value: Decimal) -> str:
    """Write a stored number without the zeros that its column adds: 3.5000 as 3.5."""
    return f"{value.normalize():f}"


class TaskPrice(AppendOnly):
    """The price of a candidate for one task of a domain, from a day on.

    Of the prices that have begun, the one that began last is in force; of two from one day, the
    one entered last. `usd` is null where staff took a price back: from then on it is not known.
    """

    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="task_prices")
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="task_prices")
    usd = models.DecimalField(max_digits=12, decimal_places=4, null=True, blank=True)
    since = models.DateField()
    source = models.TextField()
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index(fields=["domain", "candidate"], name="task_price_of_candidate")]
        constraints = [
            models.CheckConstraint(
                condition=Q(usd__isnull=True) | Q(usd__gte=0), name="a_task_price_is_not_negative"
            ),
            models.CheckConstraint(condition=~Q(source=""), name="a_task_price_has_a_source"),
        ]

    @property
    def amount(self) -> str:
        return "" if self.usd is None else dollars(self.usd)


class DemandCurve(AppendOnly):
    """What the market of a domain pays by score, as staff entered it; the newest counts.

    Without points the cost of human labour at `human_score` is the boundary. `human_score` is that
    of a professional's own work, null where nobody knows it.
    """

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="demand_curves")
    human_score = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)
    source = models.TextField()
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(human_score__isnull=True) | Q(human_score__gte=0, human_score__lte=100),
                name="a_human_score_is_of_100",
            ),
            models.CheckConstraint(condition=~Q(source=""), name="a_demand_curve_has_a_source"),
        ]

    @property
    def human(self) -> str:
        return "" if self.human_score is None else plain(self.human_score)


class DemandPoint(AppendOnly):
    """One point of a curve: the most the market pays per task for this score."""

    curve = models.ForeignKey(DemandCurve, on_delete=models.PROTECT, related_name="points")
    score = models.DecimalField(max_digits=5, decimal_places=2)
    usd = models.DecimalField(max_digits=12, decimal_places=4)

    class Meta:
        ordering = ("curve", "score")
        constraints = [
            models.UniqueConstraint(fields=["curve", "score"], name="a_curve_has_a_score_once"),
            models.CheckConstraint(
                condition=Q(score__gte=0, score__lte=100), name="a_demand_score_is_of_100"
            ),
            models.CheckConstraint(condition=Q(usd__gt=0), name="a_market_pays_more_than_nothing"),
        ]

    @property
    def amounts(self) -> tuple[str, str]:
        """Score and dollars."""
        return plain(self.score), plain(self.usd)

    @property
    def price(self) -> str:
        """The most the market pays, in words."""
        return dollars(self.usd)
