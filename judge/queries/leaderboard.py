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
    """One candidate.

    `lanes` has one entry per column of brackets: the height of a bracket that begins here, 0 for
    an empty cell, -1 where a bracket from above still runs.
    """

    place: str
    candidate: str
    chart: SafeString
    score: float | None
    interval: str
    coverage: float | None
    gaps: int
    cells: tuple[tuple[str, float | None, bool], ...]
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Page:
    board: Board
    sentence: str
    rows: tuple[Row, ...]
    ticks: SafeString
    lanes: int
    gaps: tuple[str, ...]
    comparisons: int


def page(board: Board) -> Page:
    """The board as the page shows it; brackets that overlap stand in columns of their own."""
    spread = [
        100 * value
        for place in board.places
        if place.standing.mean is not None
        for value in (place.standing.ci95 or (place.standing.mean,))
    ]
    scale = Scale.around(spread)
    best = {
        key: max((mean for p in board.places if (mean := p.by[key]) is not None), default=None)
        for key in board.columns
    }
    lanes = _lanes(board)
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
                        None if (mean := place.by[key]) is None else 100 * mean,
                        mean is not None and mean == best[key],
                    )
                    for key, name in board.columns.items()
                ),
                lanes=tuple(lane[n] for lane in lanes),
            )
        )
    return Page(
        board=board,
        sentence=sentence(board),
        rows=tuple(rows),
        ticks=charts.ticks_row(scale),
        lanes=len(lanes),
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


def _lanes(board: Board) -> list[list[int]]:
    """Columns of brackets, each with an entry per row as in `Row.lanes`; at least one."""
    index = {place.standing.candidate: n for n, place in enumerate(board.places)}
    lanes: list[list[int]] = [[0] * len(board.places)]
    for bracket in board.result.brackets:
        start, end = index[bracket[0]], index[bracket[-1]] + 1
        free = next((lane for lane in lanes if not any(lane[start:end])), None)
        if free is None:
            free = [0] * len(board.places)
            lanes.append(free)
        free[start:end] = [end - start] + [-1] * (end - start - 1)
    return lanes


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
