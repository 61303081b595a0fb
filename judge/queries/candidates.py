"""Candidates, their orders and responses, as the staff's pages show them."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from curation.lifecycle import Stage
from curation.models import Task
from judge import candidates as houses
from judge import generating, pricing, steering
from judge.agreement import submitted_sheets
from judge.models import Candidate, Generation, Price, Response, RunItem


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One candidate: what is known of it, its responses, and how many of the tasks it answered."""

    pk: int
    name: str
    version: str
    kind: str
    family: str
    asked: str  # provider and model, where it can be asked here
    price: str
    released_on: Any
    retired_on: Any
    responses: int
    tasks: int
    of: int
    baselines: int
    marked: int
    sheets: int
    latest: Any

    @property
    def coverage(self) -> float | None:
        return self.tasks / self.of if self.of else None

    @property
    def retired(self) -> bool:
        return self.retired_on is not None and self.retired_on <= timezone.localdate()


def price_of(candidate: Candidate, prices: dict[tuple[str, str], Price]) -> str:
    """Dollars per million tokens in and out, from the price table; else as published."""
    row = prices.get((candidate.provider, candidate.model))
    if row is None:
        return candidate.price
    million = pricing.MILLION
    return f"${row.input_micro / million:g} / ${row.output_micro / million:g}"


def price_table() -> dict[tuple[str, str], Price]:
    """The prices by provider and model. One query."""
    return {(row.provider, row.model): row for row in Price.objects.all()}


def candidate_rows(pk: int | None = None) -> list[CandidateRow]:
    """Every candidate by name, or one. Four queries."""
    of = Task.objects.filter(stage=Stage.APPROVED).count()
    sheets = dict(submitted_sheets().values_list("response__candidate_id").annotate(n=Count("id")))
    prices = price_table()
    rows = Candidate.objects.annotate(
        n=Count("responses", filter=Q(responses__baseline=False)),
        answered=Count("responses__task", filter=Q(responses__baseline=False), distinct=True),
        baselines=Count("responses", filter=Q(responses__baseline=True)),
        marked=Count("responses", filter=Q(responses__marked=True)),
        latest=Max("responses__created_at"),
    ).order_by("name")
    if pk is not None:
        rows = rows.filter(pk=pk)
    return [
        CandidateRow(
            pk=row.pk,
            name=row.name,
            version=row.version,
            kind=str(row.get_kind_display()),
            family=houses.family(row),
            asked=f"{row.provider} {row.model}".strip(),
            price=price_of(row, prices),
            released_on=row.released_on,
            retired_on=row.retired_on,
            responses=row.n,
            tasks=row.answered,
            of=of,
            baselines=row.baselines,
            marked=row.marked,
            sheets=sheets.get(row.pk, 0),
            latest=row.latest,
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Order:
    """One order of answers, with how far it is."""

    row: Generation
    all: int
    done: int
    failed: int
    waiting: int

    @property
    def segments(self) -> list[tuple[int, str]]:
        return [(self.done, "ink"), (self.failed, "no"), (self.waiting, "empty")]

    @property
    def spent(self) -> float:
        return self.row.spent_micro / pricing.MILLION

    @property
    def budget(self) -> float | None:
        return None if self.row.budget_micro is None else self.row.budget_micro / pricing.MILLION


def orders(rows: QuerySet[Generation]) -> list[Order]:
    """These orders with their counts. Two queries."""
    found = list(rows.select_related("candidate", "created_by"))
    counts = generating.counts([row.pk for row in found])
    nothing = {"all": 0, "done": 0, "failed": 0, "waiting": 0}
    return [
        Order(row, **{k: counts.get(row.pk, nothing)[k] for k in nothing})  # type: ignore[arg-type]
        for row in found
    ]


def response_rows(*, candidate: int | None, run: int | None, marked: bool) -> QuerySet[Any]:
    """Responses without their texts, the newest first."""
    rows = Response.objects.all()
    if candidate is not None:
        rows = rows.filter(candidate=candidate)
    if run is not None:
        rows = rows.filter(pk__in=RunItem.objects.filter(run=run).values("response"))
    if marked:
        rows = rows.filter(marked=True)
    return (
        rows.select_related("candidate", "task__domain")
        .annotate(length=Length("text"), title=F("task__title"))
        .defer("text")
        .order_by("-pk")
    )


def marked_in(run: int) -> int:
    """How many responses of a run are marked. One query."""
    return response_rows(candidate=None, run=run, marked=True).count()


@dataclass(frozen=True, slots=True)
class ResponsePage:
    """One response for staff: its text in pieces, unseen signs spelt out, and its marks."""

    row: Response
    pieces: tuple[tuple[str, str], ...]
    marks: tuple[steering.Mark, ...]
    length: int
    cost: float | None
    runs: int
    sheets: int

    @property
    def signs(self) -> int:
        return sum(kind == "sign" for kind, _words in self.pieces)


def response_page(row: Response) -> ResponsePage:
    """One response, looked at now: a rule that changed since counts."""
    return ResponsePage(
        row=row,
        pieces=tuple(steering.pieces(row.text)),
        marks=tuple(steering.marks(row.text)),
        length=len(row.text),
        cost=None if row.cost_micro is None else row.cost_micro / pricing.MILLION,
        runs=RunItem.objects.filter(response=row).values("run").distinct().count(),
        sheets=submitted_sheets().filter(response=row).count(),
    )
