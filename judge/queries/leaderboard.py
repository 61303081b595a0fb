"""The leaderboard page: rows a template can print, with the interval drawn in each."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge import charts
from judge.boards import Board
from judge.charts import Estimate, Scale
from judge.models import JudgeRun


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate. `bracket` is the number of rows of the bracket that begins here, else 0."""

    place: str
    candidate: str
    chart: SafeString
    score: float | None
    interval: str
    coverage: float | None
    gaps: int
    cells: tuple[tuple[str, float | None, bool], ...]
    bracket: int
    bracketed: bool


@dataclass(frozen=True, slots=True)
class Page:
    board: Board
    sentence: str
    rows: tuple[Row, ...]
    ticks: SafeString
    gaps: tuple[str, ...]
    comparisons: int


def page(board: Board) -> Page:
    """The board as the page shows it. Overlapping brackets are drawn where they do not meet."""
    spread = [
        100 * value
        for place in board.places
        if place.standing.mean is not None
        for value in (place.standing.ci95 or (place.standing.mean,))
    ]
    scale = Scale.around(spread)
    best = {
        key: max((p.by[key] for p in board.places if p.by[key] is not None), default=None)
        for key in board.columns
    }
    brackets = _brackets(board)
    covered: set[int] = set()
    for start, length in brackets.items():
        covered.update(range(start, start + length))
    rows = []
    for n, place in enumerate(board.places):
        standing = place.standing
        estimate = None
        if standing.mean is not None:
            ends = standing.ci95
            estimate = Estimate(
                100 * standing.mean, (100 * ends[0], 100 * ends[1]) if ends else None
            )
        rows.append(
            Row(
                place=places(standing.best_place, standing.worst_place),
                candidate=standing.candidate,
                chart=charts.interval_row(scale, estimate, title=_title(estimate)),
                score=estimate.value if estimate else None,
                interval=_ends(estimate),
                coverage=place.coverage,
                gaps=place.responses - place.judged,
                cells=tuple(
                    (
                        str(name),
                        None if place.by[key] is None else 100 * place.by[key],  # type: ignore[operator]
                        place.by[key] is not None and place.by[key] == best[key],
                    )
                    for key, name in board.columns.items()
                ),
                bracket=brackets.get(n, 0),
                bracketed=n in covered,
            )
        )
    return Page(
        board=board,
        sentence=sentence(board),
        rows=tuple(rows),
        ticks=charts.ticks_row(scale),
        gaps=tuple(row.candidate for row in rows if row.gaps),
        comparisons=len(board.result.comparisons),
    )


def places(best: int | None, worst: int | None) -> str:
    """A place as a range."""
    if best is None or worst is None:
        return "–"
    return str(best) if best == worst else f"{best}–{worst}"


def sentence(board: Board) -> str:
    """What the board says, in one or two plain sentences."""
    ranked = [place for place in board.places if place.standing.mean is not None]
    tasks = ngettext("%(n)s task", "%(n)s tasks", board.tasks) % {"n": f"{board.tasks:,}"}
    if not ranked:
        return _("No candidate has a score yet.")
    leaders = [place for place in ranked if place.standing.best_place == 1]
    first = ranked[0].standing.candidate
    if len(ranked) == 1:
        return _("Only %(candidate)s has scores, so there is nothing to rank.") % {
            "candidate": first
        }
    if len(leaders) == 1:
        return _("%(candidate)s leads, and the distance is larger than chance explains.") % {
            "candidate": first
        }
    if len(leaders) == len(ranked):
        return _("These %(tasks)s cannot tell the %(n)s candidates apart.") % {
            "tasks": tasks,
            "n": len(ranked),
        }
    return _(
        "%(n)s candidates lead, and these %(tasks)s cannot tell them apart. The others follow; "
        "the distance to them is larger than chance explains."
    ) % {"n": len(leaders), "tasks": tasks}


def _brackets(board: Board) -> dict[int, int]:
    """Row -> height of the bracket that begins there; a row is in one bracket at most."""
    index = {place.standing.candidate: n for n, place in enumerate(board.places)}
    drawn: dict[int, int] = {}
    free = 0
    for bracket in board.result.brackets:
        start, end = max(free, index[bracket[0]]), index[bracket[-1]] + 1
        if end - start > 1:
            drawn[start] = end - start
            free = end
    return drawn


def _title(estimate: Estimate | None) -> str:
    if estimate is None:
        return _("no score")
    if estimate.interval is None:
        return _("score %(value)s") % {"value": f"{estimate.value:.1f}"}
    return _("score %(value)s, between %(low)s and %(high)s") % {
        "value": f"{estimate.value:.1f}",
        "low": f"{estimate.interval[0]:.1f}",
        "high": f"{estimate.interval[1]:.1f}",
    }


def _ends(estimate: Estimate | None) -> str:
    if estimate is None or estimate.interval is None:
        return "–"
    return f"{estimate.interval[0]:.1f}–{estimate.interval[1]:.1f}"


def runs() -> list[tuple[str, str]]:
    """Runs with verdicts that can be shown: (value, label), newest first."""
    rows = JudgeRun.objects.exclude(state=JudgeRun.State.WAITING)[:60]
    return [(str(run.pk), str(run)) for run in rows]


def head(board: Board) -> list[str]:
    """Column names of the file."""
    return [
        "best_place", "worst_place", "candidate", "mean", "low", "high", "coverage", "responses",
        "judged", *(f"{board.by}:{key}" for key in board.columns),
    ]  # fmt: skip


def lines(board: Board) -> Iterator[list[Any]]:
    """One row per candidate, scores from 0 to 1."""
    for place in board.places:
        standing = place.standing
        low, high = standing.ci95 or (None, None)
        values = [
            standing.best_place, standing.worst_place, standing.candidate, standing.mean, low,
            high, place.coverage, place.responses, place.judged,
            *(place.by[key] for key in board.columns),
        ]  # fmt: skip
        yield ["" if value is None else value for value in values]
