"""Scores of versions from the database: an imported matrix, or what a judge said of responses."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.text.wording import listed
from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK, TaskSet
from judge.base.products import EvaluationPeriod
from judge.results.alignment.raters import Rater, find_judge, newest_judge
from judge.results.leaderboard.sources import responses_of
from judge.results.product_index.cells import Cell
from judge.results.product_index.dates import months_between
from judge.results.product_index.models import ScoreMatrix
from judge.runs.engine.models import RunItem

MATRIX = "matrix:"
NO_PRODUCT, NO_PERIOD, NO_SCORE = "no product", "no period", "no score"


@dataclass(frozen=True)
class Scores:
    """Scores to make an index of.

    Attributes:
        source: the group in words, in the reader's language.
        judge: whose scores they are; None for an imported matrix.
        months: period -> its middle in months.
        released: (product, version) -> its release in months.
        left_out: reason -> number of responses.
    """

    cells: list[Cell]
    source: str
    judge: Rater | None = None
    months: dict[str, float] = field(default_factory=dict)
    released: dict[tuple[str, str], float] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)


def find_scores(group: str, *, run: str = "") -> Scores:
    """Return the scores of a group.

    Args:
        group: `matrix:NAME` or the name of an imported matrix; the key of a domain; or the name
            of a set of tasks (`open`, `all`, `draw:3`, `release:2`, `draw:3/development`).
        run: for domains and sets, the judge: a run by its number or a rater by name; "" is the
            newest finished run over answers of products.

    Raises:
        BadInput: there is no such group or judge, or nothing was judged.
    """
    name = group.strip()
    if storable.problem_with(name):  # no column could hold it
        name = ""
    if name.startswith(MATRIX):
        name = name.removeprefix(MATRIX)
    elif Domain.objects.filter(key=name).exists():
        return _of_judge(EVERY_OPEN_TASK, run, domain=name)
    elif name in (task_sets.OPEN, task_sets.ALL) or ":" in name:
        return _of_judge(task_sets.parse(name, field="group"), run)
    matrix = ScoreMatrix.objects.filter(name=name).first()
    if matrix is None:
        raise BadInput(detail := _no_group(name), code="unknown_group", fields={"group": [detail]})
    return Scores(
        cells=[Cell(*row) for row in matrix.cells],
        source=_("Matrix “%(name)s”") % {"name": matrix.name},
        months=_months(),
    )


def _no_group(name: str) -> str:
    known = [
        *(f"{MATRIX}{one}" for one in ScoreMatrix.objects.values_list("name", flat=True)[:12]),
        *Domain.objects.values_list("key", flat=True)[:24],
    ]
    return _(
        "There is no matrix, domain or set of tasks “%(name)s”. There are: %(known)s, open, all, "
        "and draws and releases such as draw:1."
    ) % {"name": name, "known": listed(known)}


def _months() -> dict[str, float]:
    return {
        key: months_between(first, last)
        for key, first, last in EvaluationPeriod.objects.values_list("key", "starts_on", "ends_on")
    }


def _of_judge(tasks: TaskSet, run: str, *, domain: str = "") -> Scores:
    judge = find_judge(run, field="run") if run else newest_judge(_of_products(tasks, domain))
    if judge is None:
        raise BadInput(
            _("No run has finished yet, so no response has a score."), code="nothing_judged"
        )
    judged = [one for one in responses_of(judge, tasks) if not domain or one.domain == domain]
    places = _places(tasks)
    sums: dict[tuple[str, str, str, str], list[Fraction]] = defaultdict(list)
    left_out: Counter[str] = Counter()
    for one in judged:
        product, version, period = places.get(one.response, ("", "", ""))
        if not product:
            left_out[NO_PRODUCT] += 1
        elif not period:
            left_out[NO_PERIOD] += 1
        elif one.score is None:
            left_out[NO_SCORE] += 1
        else:
            sums[one.task, product, version, period].append(one.score)
    # Several answers to one task count as one cell: their mean.
    cells = [Cell(*key, _mean(found)) for key, found in sums.items()]
    return Scores(
        cells=cells,
        source=_in_words(tasks, domain),
        judge=judge,
        months=_months(),
        released=_released(),
        left_out=dict(left_out),
    )


def _of_products(tasks: TaskSet, domain: str) -> "QuerySet[RunItem]":
    """Select what runs hold of products' answers to some tasks."""
    rows = RunItem.objects.filter(
        response__period__isnull=False, response__candidate__product__isnull=False
    )
    if domain:
        rows = rows.filter(response__task__domain__key=domain)
    return tasks.within(rows, "response__task")


def _in_words(tasks: TaskSet, domain: str) -> str:
    return str(Domain.objects.get(key=domain)) if domain else tasks.label


def _mean(scores: Sequence[Fraction]) -> float:
    # Nearly every cell has one answer, and sums of fractions are slow.
    total = scores[0] if len(scores) == 1 else sum(scores, Fraction())
    return total.numerator / (total.denominator * len(scores))


def _places(tasks: TaskSet) -> dict[int, tuple[str, str, str]]:
    """Return product, version and period of the products' responses to some tasks."""
    versions = {
        pk: (product, version or name)
        for pk, product, version, name in Candidate.objects.filter(
            product__isnull=False
        ).values_list("pk", "product__name", "version", "name")
    }
    periods = dict(EvaluationPeriod.objects.values_list("pk", "key"))
    rows = tasks.within(Response.objects.filter(candidate__product__isnull=False))
    return {
        pk: (*versions[candidate], periods.get(period, ""))
        for pk, candidate, period in rows.values_list("pk", "candidate_id", "period_id")
    }


def _released() -> dict[tuple[str, str], float]:
    rows = Candidate.objects.filter(product__isnull=False, released_on__isnull=False)
    return {
        (product, version or name): months_between(on, on)
        for product, version, name, on in rows.values_list(
            "product__name", "version", "name", "released_on"
        )
        if on
    }
