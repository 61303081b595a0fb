"""What is in force of prices and demand, and what staff entered before."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.db.models import Avg, Count, Max
from django.utils import timezone
from django.utils.translation import ngettext

from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Response
from judge.results.market_fit.models import DemandCurve, TaskPrice

MICRO = 1_000_000
HISTORY = 30  # entries shown of prices, and of demand


@dataclass(frozen=True, slots=True)
class PriceOf:
    """A price per task in dollars, and where it comes from.

    Attributes:
        measured: the mean cost of this many responses that were generated here; 0 where staff
            entered the price.
        entry: staff's entry; None where it was measured.
    """

    usd: Fraction
    since: date
    source: str
    measured: int = 0
    entry: TaskPrice | None = None


def prices_in_force(domains: Iterable[Domain]) -> dict[int, dict[int, PriceOf]]:
    """Return domain -> candidate -> its price per task. Two queries.

    What staff entered goes before what was measured here. A price that staff took back leaves the
    measured one.
    """
    keys = [domain.pk for domain in domains]
    found: dict[int, dict[int, PriceOf]] = {key: {} for key in keys}
    measured = Response.objects.filter(
        task__domain__in=keys,
        source=Response.Source.GENERATED,
        baseline=False,
        cost_micro__isnull=False,
    )
    for domain, candidate, mean, number, latest in (
        measured.order_by()
        .values_list("task__domain", "candidate")
        .annotate(mean=Avg("cost_micro"), n=Count("id"), latest=Max("created_at"))
    ):
        found[domain][candidate] = PriceOf(
            usd=Fraction(str(mean)) / MICRO,
            since=timezone.localdate(latest),
            source=ngettext(
                "measured: mean cost of %(n)s response generated here",
                "measured: mean cost of %(n)s responses generated here",
                number,
            )
            % {"n": f"{number:,}"},
            measured=number,
        )
    entries: dict[tuple[int, int], TaskPrice] = {}
    begun = TaskPrice.objects.filter(domain__in=keys, since__lte=timezone.localdate())
    for row in begun.order_by("since", "id"):  # the last one wins
        entries[row.domain_id, row.candidate_id] = row
    for (domain, candidate), row in entries.items():
        if row.usd is not None:
            found[domain][candidate] = PriceOf(Fraction(row.usd), row.since, row.source, 0, row)
    return found


def curves_in_force(domains: Iterable[Domain]) -> dict[int, DemandCurve]:
    """Return domain -> its newest curve of demand. Two queries."""
    rows = DemandCurve.objects.filter(domain__in=[domain.pk for domain in domains])
    found: dict[int, DemandCurve] = {}
    for row in rows.order_by("id").prefetch_related("points"):
        found[row.domain_id] = row
    return found


def price_history(domain: Domain) -> list[TaskPrice]:
    """Return the latest entries of prices, the newest first. One query."""
    rows = TaskPrice.objects.filter(domain=domain).select_related("candidate", "by")
    return list(rows[:HISTORY])


def demand_history(domain: Domain) -> list[DemandCurve]:
    """Return the latest curves, the newest first. Two queries."""
    rows = DemandCurve.objects.filter(domain=domain).select_related("by")
    return list(rows.prefetch_related("points")[:HISTORY])
