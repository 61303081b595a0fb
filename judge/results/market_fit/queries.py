"""Technology-market fit of the domains, as the pages and the file print it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Candidate
from judge.base.stats.market_fit import (
    Demand,
    Fit,
    Offer,
    Point,
    Stage,
    coverage,
    demand,
    dominators,
    fit,
)
from judge.base.stats.numbers import Interval, Reason
from judge.results.alignment.raters import Rater
from judge.results.leaderboard.open_boards import TakenOff
from judge.results.leaderboard.ranking import scores_by_domain
from judge.results.market_fit.entries import PriceOf, curves_in_force, prices_in_force
from judge.results.market_fit.human_cost import costs_of
from judge.results.market_fit.models import DemandCurve
from judge.runs.engine.models import JudgeRun, RunItem

if TYPE_CHECKING:
    from judge.base.gold_sets.task_sets import TaskSet
    from judge.base.stats.bootstrap import Bounds

Scores = Mapping[str, Mapping[Any, Any]]  # candidate -> task -> S in 0..1, None without a score


@dataclass(frozen=True, slots=True)
class ProductRow:
    """A candidate on the graph; `number` marks it there, None where it has no price or score.

    Attributes:
        score, ci95: points of 100; exact for the score. A missing interval has its reason.
        published: the price as it was published, in words.
    """

    pk: int
    number: int | None
    name: str
    version: str
    house: str
    score: Fraction | None
    ci95: Interval | None
    why_no_ci95: Reason | None
    tasks: int
    price: PriceOf | None
    published: str
    on_frontier: bool
    dominated_by: tuple[str, ...]
    meets: bool

    @property
    def own_version(self) -> str:
        """Return the version, if the name does not end with it."""
        return "" if self.name.endswith(self.version) else self.version

    @property
    def offer(self) -> Offer | None:
        if self.score is None or self.price is None:
            return None
        return Offer(self.name, self.score, self.price.usd)


@dataclass(frozen=True, slots=True)
class Human:
    """What human labour costs on the tasks, and what it scores; None where it is not known.

    Attributes:
        cost: the mean over the tasks where it is known, in dollars.
        known, tasks: tasks whose cost is known, of all tasks.
    """

    cost: Fraction | None
    score: Fraction | None
    known: int
    tasks: int


@dataclass(frozen=True, slots=True)
class DomainFit:
    """A domain with its products, its demand and its stage."""

    domain: Domain
    rows: tuple[ProductRow, ...]
    curve: DemandCurve | None
    points: tuple[Point, ...]
    demand: Demand | None
    human: Human
    fit: Fit
    low: Stage | None  # the stage with all scores at the lower ends of their intervals
    high: Stage | None

    @property
    def offers(self) -> list[Offer]:
        return [row.offer for row in self.rows if row.offer is not None]

    @property
    def unpriced(self) -> int:
        """The number of products with a score and without a price."""
        return sum(row.price is None and row.score is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class Overview:
    """All domains with responses of a judge.

    Attributes:
        others: the domains that other finished runs judged; unknown to the page of one domain.
    """

    judge: Rater
    domains: tuple[DomainFit, ...]
    off: tuple[TakenOff, ...]
    tasks: "TaskSet"
    others: tuple[Domain, ...] = ()


def overview(judge: Rater, tasks: str | None = None) -> Overview:
    """Return the stage of every domain, without intervals. Ten queries, however many domains.

    Args:
        tasks: name of a set of tasks; None for the set that the run was planned on.

    Raises:
        BadInput: no such set, or a judge without verdicts on lines.
    """
    scores, off, within = scores_by_domain(judge, tasks)
    domains = list(Domain.objects.filter(key__in=scores))
    prices = prices_in_force(domains)
    curves = curves_in_force(domains)
    candidates = _candidates({name for by in scores.values() for name in by})
    costs = costs_of({str(key) for by in scores.values() for mine in by.values() for key in mine})
    return Overview(
        judge=judge,
        domains=tuple(
            _domain_fit(
                domain, scores[domain.key], prices.get(domain.pk, {}), curves.get(domain.pk),
                candidates, costs,
            )
            for domain in domains
        ),
        off=off,
        tasks=within,
        others=tuple(_judged_by_others(judge).exclude(key__in=scores)),
    )  # fmt: skip


def domain_fit(judge: Rater, key: str, tasks: str | None = None) -> tuple[DomainFit, Overview]:
    """Return one domain with the intervals of its scores, and the overview it comes from.

    Raises:
        NotFound: there is no such domain.
        BadInput: as `overview`.
    """
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.base.stats.leaderboard import mean_intervals

    domain = Domain.objects.filter(key=key).first()
    if domain is None:
        raise NotFound()
    scores, off, within = scores_by_domain(judge, tasks)
    mine = scores.get(key, {})
    found = _domain_fit(
        domain,
        mine,
        prices_in_force([domain]).get(domain.pk, {}),
        curves_in_force([domain]).get(domain.pk),
        _candidates(set(mine)),
        costs_of({str(task) for by in mine.values() for task in by}),
        mean_intervals(mine),
    )
    return found, Overview(judge, (found,), off, within)


def _judged_by_others(judge: Rater) -> QuerySet[Domain]:
    """Select the domains whose pages have another run to open on."""
    judged = RunItem.objects.filter(
        response__task__domain=OuterRef("pk"),
        state=RunItem.State.JUDGED,
        run__state=JudgeRun.State.FINISHED,
    )
    if judge.run is not None:
        judged = judged.exclude(run=judge.run)
    return Domain.objects.filter(Exists(judged))


def _candidates(names: set[str]) -> dict[str, Candidate]:
    return {row.name: row for row in Candidate.objects.filter(name__in=names)}


def _domain_fit(
    domain: Domain,
    scores: Scores,
    prices: Mapping[int, PriceOf],
    curve: DemandCurve | None,
    candidates: Mapping[str, Candidate],
    all_costs: Mapping[str, Fraction],
    intervals: "Mapping[str, Bounds] | None" = None,
) -> DomainFit:
    exact = {
        name: {task: 100 * score for task, score in by.items() if score is not None}
        for name, by in scores.items()
    }
    tasks = {task for by in scores.values() for task in by}
    costs = {task: cost for task, cost in all_costs.items() if task in tasks}
    human = Human(
        cost=sum(costs.values(), Fraction(0)) / len(costs) if costs else None,
        score=None if curve is None or curve.human_score is None else Fraction(curve.human_score),
        known=len(costs),
        tasks=len(tasks),
    )
    points = tuple(
        Point(Fraction(one.score), Fraction(one.usd))
        for one in (curve.points.all() if curve else ())
    )
    line = demand(points, human_score=human.score, human_cost=human.cost)
    rows = _rows(exact, prices, candidates, intervals or {})
    offers = [row.offer for row in rows if row.offer is not None]
    covered = coverage(
        exact, {row.name: row.price.usd for row in rows if row.price}, costs, human.score
    )
    found = fit(offers, line, covered)
    edge, meeting = set(found.frontier), set(found.meeting)
    return DomainFit(
        domain=domain,
        rows=tuple(_placed(row, offers, edge, meeting) for row in rows),
        curve=curve,
        points=points,
        demand=line,
        human=human,
        fit=found,
        low=_stage_at(rows, line, 0),
        high=_stage_at(rows, line, 1),
    )


def _rows(
    exact: Mapping[str, Mapping[Any, Fraction]],
    prices: Mapping[int, PriceOf],
    candidates: Mapping[str, Candidate],
    intervals: "Mapping[str, Bounds]",
) -> list[ProductRow]:
    found = []
    for name, by in exact.items():
        who = candidates[name]
        ends, why = intervals.get(name, (None, None))
        found.append(
            ProductRow(
                pk=who.pk,
                number=None,
                name=name,
                version=who.version,
                house=who.family,
                score=sum(by.values(), Fraction(0)) / len(by) if by else None,
                ci95=(100 * ends[0], 100 * ends[1]) if ends else None,
                why_no_ci95=why,
                tasks=len(by),
                price=prices.get(who.pk),
                published=who.price,
                on_frontier=False,
                dominated_by=(),
                meets=False,
            )
        )
    found.sort(key=lambda row: (row.score is None, -(row.score or 0), row.name))
    numbers = iter(range(1, len(found) + 1))
    return [replace(row, number=next(numbers)) if row.offer else row for row in found]


def _placed(
    row: ProductRow, offers: Sequence[Offer], edge: set[Offer], meeting: set[Offer]
) -> ProductRow:
    if row.offer is None:
        return row
    return replace(
        row,
        on_frontier=row.offer in edge,
        dominated_by=dominators(row.offer, offers),
        meets=row.offer in meeting,
    )


def _stage_at(rows: Sequence[ProductRow], line: Demand | None, end: int) -> Stage | None:
    """Return whether demand is met with all scores at one end of their intervals, as a stage.

    Only stages 1 and 2 can be told apart here. None where a product on the graph has no interval.
    """
    offers = [
        row.offer._replace(score=Fraction(min(100.0, max(0.0, row.ci95[end]))))
        for row in rows
        if row.offer is not None and row.ci95 is not None
    ]
    if not offers or line is None or any(row.offer and row.ci95 is None for row in rows):
        return None
    nothing = coverage({}, {}, {}, None)
    return fit(offers, line, nothing).stage


# -- the file -------------------------------------------------------------------------------------

CSV_HEAD = [
    "what", "name", "version", "house", "score", "low", "high", "tasks", "usd_per_task", "since",
    "source", "on_frontier", "dominated_by", "meets_demand", "why_no_interval",
]  # fmt: skip


def csv_rows(found: DomainFit) -> list[list[Any]]:
    """Return the products, the points of demand and human labour; empty is not known."""
    rows: list[list[Any]] = []
    for row in found.rows:
        low, high = row.ci95 or (None, None)
        price = row.price
        rows.append(
            [
                "product", row.name, row.version, row.house, _number(row.score), _number(low),
                _number(high), row.tasks, _number(price and price.usd),
                price.since.isoformat() if price else None, price.source if price else None,
                *((int(row.on_frontier), "; ".join(row.dominated_by), int(row.meets))
                  if row.offer else (None, None, None)),
                row.why_no_ci95.value if row.why_no_ci95 else None,
            ]
        )  # fmt: skip
    source = found.curve.source if found.curve else None
    for point in found.points:
        rows.append(
            ["demand", _("demand"), "", "", _number(point.score), None, None, None,
             _number(point.price), None, source, None, None, None, None]
        )  # fmt: skip
    human = found.human
    rows.append(
        ["human", _("human labour"), "", "", _number(human.score), None, None, human.known,
         _number(human.cost), None, None, None, None, None, None]
    )  # fmt: skip
    return [["" if value is None else value for value in row] for row in rows]


def _number(value: Any) -> float | None:
    return None if value is None else round(float(value), 6)
