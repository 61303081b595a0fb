"""What staff's pages read of products, periods, and which version was measured when."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from judge.asking.candidates.models import Candidate, Response
from judge.base.products import EvaluationPeriod, Product
from judge.results.product_index.collecting import CollectionCell


@dataclass(frozen=True, slots=True)
class ProductRow:
    pk: int
    name: str
    house: str
    versions: int
    latest: str


def product_rows() -> list[ProductRow]:
    """Return every product with its versions. Two queries."""
    versions: dict[int, list[Candidate]] = defaultdict(list)
    for one in versions_of():
        versions[one.product_id or 0].append(one)
    return [
        ProductRow(
            product.pk,
            product.name,
            product.house,
            len(versions[product.pk]),
            versions[product.pk][-1].version if versions[product.pk] else "",
        )
        for product in Product.objects.all()
    ]


def versions_of(product: int | None = None) -> list[Candidate]:
    """Return the versions of all products, or of one, in the order of their release. One query."""
    rows = Candidate.objects.filter(product__isnull=False).select_related("product")
    if product is not None:
        rows = rows.filter(product=product)
    return sorted(
        rows,
        key=lambda one: (
            one.product.name if one.product else "",
            one.released_on is None,
            str(one.released_on or ""),
            one.version,
        ),
    )


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A period in the list, with its responses and those that it could take in."""

    period: EvaluationPeriod
    responses: int
    to_adopt: int


def period_rows() -> list[PeriodRow]:
    """Return every period, the newest first. One query for each, and two more."""
    counts = dict(
        Response.objects.filter(period__isnull=False)
        .order_by()
        .values_list("period")
        .annotate(n=Count("id"))
    )
    free: dict[Any, int] = dict(
        Response.objects.filter(
            candidate__product__isnull=False, period__isnull=True, baseline=False
        )
        .order_by()
        .values_list("created_at__date")
        .annotate(n=Count("id"))
    )
    return [
        PeriodRow(
            period,
            counts.get(period.pk, 0),
            sum(n for day, n in free.items() if period.starts_on <= day <= period.ends_on),
        )
        for period in EvaluationPeriod.objects.order_by("-starts_on", "-id")
    ]


# -- availability ----------------------------------------------------------------------------------

MEASURED, ASKED, UNPUBLISHED, OFFLINE, NOT_ASKED = (
    "measured", "asked", "unpublished", "offline", "not_asked",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A version in a period: its state, and how many responses or cells it is about.

    `asked`: answers still open where others are measured already.
    """

    state: str
    count: int = 0
    asked: int = 0


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version with its places, in the order of the periods."""

    candidate: Candidate
    places: list[Place]


@dataclass(frozen=True, slots=True)
class Availability:
    """Versions × periods."""

    periods: list[EvaluationPeriod]
    rows: list[VersionRow]


def availability() -> Availability:
    """Return what is known of every version in every period. Four queries."""
    periods = list(EvaluationPeriod.objects.all())
    responses = _counted(
        Response.objects.filter(
            period__isnull=False, candidate__product__isnull=False, baseline=False
        ).values_list("candidate", "period")
    )
    live, gone = CollectionCell.State, CollectionCell.Reason
    waiting = _counted(
        CollectionCell.objects.filter(state__in=(live.WAITING, live.TAKEN)).values_list(
            "candidate", "period"
        )
    )
    offline = _counted(
        CollectionCell.objects.filter(state=live.SKIPPED, reason=gone.OFFLINE).values_list(
            "candidate", "period"
        )
    )
    return Availability(
        periods,
        [
            VersionRow(
                one,
                [_place(one, period, responses, waiting, offline) for period in periods],
            )
            for one in versions_of()
        ],
    )


_Counts = dict[tuple[int, int], int]


def _counted(rows: Any) -> _Counts:
    pairs: Iterable[tuple[int, int, int]] = rows.order_by().annotate(n=Count("id"))
    return {(candidate, period): n for candidate, period, n in pairs}


def _place(
    candidate: Candidate,
    period: EvaluationPeriod,
    responses: _Counts,
    waiting: _Counts,
    offline: _Counts,
) -> Place:
    at = candidate.pk, period.pk
    if responses.get(at):
        return Place(MEASURED, responses[at], waiting.get(at, 0))
    if candidate.released_on and candidate.released_on > period.ends_on:
        return Place(UNPUBLISHED)
    if candidate.retired_on and candidate.retired_on < period.starts_on:
        return Place(OFFLINE)
    if waiting.get(at):
        return Place(ASKED, waiting[at])
    if offline.get(at):
        return Place(OFFLINE, offline[at])
    return Place(NOT_ASKED)
