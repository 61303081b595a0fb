"""Candidates, their orders and responses, as the staff's pages show them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.base.web.slices import Slice, slice_of
from curation.tasks.task.models import ANSWERABLE, Task
from judge.asking.calls.cost import MILLION, in_dollars
from judge.asking.calls.price_models import Price
from judge.asking.calls.price_queries import prices_in_force
from judge.asking.candidates import families, steering_rules
from judge.asking.candidates.generating import answer_counts
from judge.asking.candidates.generation_models import Generation, GenerationItem
from judge.asking.candidates.models import Candidate, Response
from judge.asking.providers import labels
from judge.runs.engine.models import RunItem
from judge.scoring.sheets.queries import submitted_sheets


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A candidate as a row of the list, with its counts; `of` is the number of approved tasks."""

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
    off_board: bool

    @property
    def coverage(self) -> float | None:
        return self.tasks / self.of if self.of else None

    @property
    def retired(self) -> bool:
        return self.retired_on is not None and self.retired_on <= timezone.localdate()


def price_of(candidate: Candidate, prices: dict[tuple[str, str], Price]) -> str:
    """Return dollars per million tokens in and out, from the price table or as published."""
    row = prices.get((candidate.provider, candidate.model))
    if row is None:
        return candidate.price
    return f"${row.input_micro / MILLION:g} / ${row.output_micro / MILLION:g}"


def candidate_rows(pks: Collection[int] | None = None) -> list[CandidateRow]:
    """Return candidates by name: all, or those of these ids. Six queries.

    `off_board` says whether the open board leaves one out.
    """
    of = Task.objects.filter(stage=Stage.APPROVED, origin__in=ANSWERABLE).count()
    sheets = dict(submitted_sheets().values_list("response__candidate_id").annotate(n=Count("id")))
    prices = prices_in_force()
    known = labels()
    answers = Q(baseline=False)
    # A query of its own, so that an index alone answers it and no text is read.
    counts = (
        Response.objects.order_by()
        .values("candidate_id")
        .annotate(
            n=Count("id", filter=answers),
            answered=Count("task", filter=answers, distinct=True),
            baselines=Count("id", filter=~answers),
            found=Count("id", filter=Q(marked=True)),
            latest=Max("created_at"),
        )
    )
    rows = Candidate.objects.order_by("name").annotate(off_board=off_the_board())
    if pks is not None:
        rows, counts = rows.filter(pk__in=pks), counts.filter(candidate__in=pks)
    nothing: dict[str, Any] = {"n": 0, "answered": 0, "baselines": 0, "found": 0, "latest": None}
    of_row: dict[int, dict[str, Any]] = {row["candidate_id"]: dict(row) for row in counts}
    return [
        CandidateRow(
            pk=row.pk,
            name=row.name,
            version=row.version,
            kind=str(row.get_kind_display()),
            family=families.family(row),
            asked=f"{known.get(row.provider, row.provider)} {row.model}".strip(),
            price=price_of(row, prices),
            released_on=row.released_on,
            retired_on=row.retired_on,
            responses=own["n"],
            tasks=own["answered"],
            of=of,
            baselines=own["baselines"],
            marked=own["found"],
            sheets=sheets.get(row.pk, 0),
            latest=own["latest"],
            off_board=row.off_board,
        )
        for row in rows
        for own in (of_row.get(row.pk, nothing),)
    ]


def off_the_board() -> Q:
    """Return the condition that staff took a candidate off the open board."""
    off = Candidate.objects.filter(
        board_removals__at__isnull=False, board_removals__put_back_at__isnull=True
    )
    return Q(pk__in=off.order_by().values("pk"))


@dataclass(frozen=True, slots=True)
class Order:
    """An order of answers with its counts."""

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
        return self.row.spent_micro / MILLION

    @property
    def budget(self) -> float | None:
        return in_dollars(self.row.budget_micro)


def orders(rows: QuerySet[Generation]) -> list[Order]:
    """Return these orders with their counts. Two queries."""
    found = list(rows.select_related("candidate", "created_by"))
    counts = answer_counts([row.pk for row in found])
    nothing = {"all": 0, "done": 0, "failed": 0, "waiting": 0}
    return [
        Order(row, **{k: counts.get(row.pk, nothing)[k] for k in nothing})  # type: ignore[arg-type]
        for row in found
    ]


def responses_between(
    *,
    candidate: int | None,
    run: int | None,
    marked: bool,
    before: int | None = None,
    after: int | None = None,
    size: int,
) -> Slice:
    """Return at most `size` responses before or after one, else the newest. Two queries."""
    rows = _responses(candidate=candidate, run=run, marked=marked)
    found = slice_of(rows, size=size, before=before, after=after)
    return found.showing(response_rows(found.rows))


def responses_of(generation: int, *, size: int) -> list[Any]:
    """Return the latest responses of an order. Two queries."""
    items = GenerationItem.objects.filter(generation=generation, response__isnull=False)
    return response_rows(
        items.order_by("-response_id").values_list("response_id", flat=True)[:size]
    )


def failures_of(generation: int, *, size: int) -> list[GenerationItem]:
    """Return failed answers of an order with their tasks. One query."""
    failed = GenerationItem.objects.filter(generation=generation, state=GenerationItem.State.FAILED)
    rows = failed.select_related("task").defer(*(f"task__{name}" for name in _LONG))
    return list(rows.order_by("task_id", "number")[:size])


def response_rows(ids: Iterable[int]) -> list[Any]:
    """Return these responses without their texts, in this order. One query."""
    ids = list(ids)
    rows = (
        Response.objects.filter(pk__in=ids)
        .select_related("candidate", "task")
        .annotate(length=Length("text"))
        .defer("text", *(f"task__{name}" for name in _LONG))
    )
    by_pk = {row.pk: row for row in rows}
    return [by_pk[pk] for pk in ids]


_LONG = ("scenario", "materials", "requirements", "reference_answer")


def _responses(*, candidate: int | None, run: int | None, marked: bool) -> "QuerySet[Response]":
    rows = Response.objects.order_by()
    if candidate is not None:
        rows = rows.filter(candidate=candidate)
    if marked:
        rows = rows.filter(marked=True)
    if run is not None:
        rows = rows.filter(Exists(RunItem.objects.filter(run=run, response=OuterRef("pk"))))
    return rows


def marked_among(*, candidate: int | None, run: int | None) -> int:
    """Count the marked ones of these responses. One query, over marked responses alone."""
    return int(_responses(candidate=candidate, run=run, marked=True).count())


@dataclass(frozen=True, slots=True)
class ResponsePage:
    """A response with its text in pieces, invisible characters spelt out, and its marks."""

    row: Response
    pieces: tuple[tuple[str, str], ...]
    marks: tuple[steering_rules.Mark, ...]
    length: int
    cost: float | None
    runs: int
    sheets: int

    @property
    def signs(self) -> int:
        return sum(kind == "sign" for kind, _words in self.pieces)


def response_page(row: Response) -> ResponsePage:
    """Prepare the page of a response; its marks follow the rules of today."""
    return ResponsePage(
        row=row,
        pieces=tuple(steering_rules.pieces(row.text)),
        marks=tuple(steering_rules.marks(row.text)),
        length=len(row.text),
        cost=in_dollars(row.cost_micro),
        runs=RunItem.objects.filter(response=row).values("run").distinct().count(),
        sheets=submitted_sheets().filter(response=row).count(),
    )
