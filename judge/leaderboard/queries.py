"""The leaderboard page: rows a template can print, with the interval drawn in each."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.text.wording import listed
from judge.engine.models import JudgeRun
from judge.engine.planning.plan import SKIPPED
from judge.figures import charts
from judge.figures.charts import Estimate, Scale
from judge.leaderboard.ranking import Board, Place
from judge.runs.queries import kind_name

if TYPE_CHECKING:
    from judge.stats.leaderboard import Comparison


@dataclass(frozen=True, slots=True)
class Cell:
    """One candidate's mean in one group, in points of 100, with its interval in words."""

    value: float | None
    interval: str
    best: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """Two candidates compared on their common tasks; `told` says what the test found."""

    first: str
    second: str
    tasks: str
    difference: str
    p: str
    told: str
    clear: bool


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
    cost: str
    latency: str
    cells: tuple[Cell, ...]
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Page:
    board: Board
    sentence: str
    rows: tuple[Row, ...]
    ticks: SafeString
    lanes: int
    gaps: tuple[str, ...]  # one sentence per candidate with responses without a score
    pairs: tuple[Pair, ...]
    put_aside: tuple[str, ...]  # one sentence per reason
    has_cost: bool
    has_latency: bool
    group: str
    width: str  # what the intervals of the columns are about

    @property
    def comparisons(self) -> int:
        return len(self.pairs)


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
    decimals = _decimals(place.cost_usd for place in board.places)
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
                cost=_dollars(place.cost_usd, decimals),
                latency="–" if place.latency_s is None else f"{place.latency_s:,.0f}",
                cells=tuple(_cell(place, key, best[key]) for key in board.columns),
                lanes=tuple(lane[n] for lane in lanes),
            )
        )
    return Page(
        board=board,
        sentence=sentence(board),
        rows=tuple(rows),
        ticks=charts.ticks_row(scale),
        lanes=len(lanes),
        gaps=tuple(_gaps(place) for place in board.places if place.gaps),
        pairs=tuple(map(_pair, board.result.comparisons)),
        put_aside=tuple(_put_aside(reason, by) for reason, by in board.put_aside.items()),
        has_cost=any(place.cost_usd is not None for place in board.places),
        has_latency=any(place.latency_s is not None for place in board.places),
        group=str(board.columns[board.group]) if board.group else "",
        width=_width(board),
    )


def _cell(place: Place, key: str, best: float | None) -> Cell:
    mean, ends = place.by[key], place.by_ci95[key]
    return Cell(
        value=None if mean is None else 100 * mean,
        interval=f"{100 * ends[0]:.0f}–{100 * ends[1]:.0f}" if ends else "",
        best=mean is not None and mean == best,
    )


def _dollars(amount: float | None, decimals: int) -> str:
    return "–" if amount is None else f"${amount:,.{decimals}f}"


def _decimals(amounts: Iterable[float | None]) -> int:
    """Decimals at which the smallest price of a column still shows two figures; at least cents."""
    least = min((amount for amount in amounts if amount), default=1.0)
    return min(6, max(2, 1 - math.floor(math.log10(least))))


def _width(board: Board) -> str:
    """How wide the intervals of the columns are: what they can be trusted for."""
    halves = sorted(
        50 * (ends[1] - ends[0])
        for place in board.places
        for ends in place.by_ci95.values()
        if ends is not None
    )
    if not halves:
        return ""
    return _("An interval in these columns reaches some %(points)s points to either side.") % {
        "points": f"{halves[len(halves) // 2]:.0f}"
    }


def _gaps(place: Place) -> str:
    """Which of a candidate's responses have no score, and why."""
    number = sum(place.gaps.values())
    reasons = [f"{_gap_name(reason)}: {count:,}" for reason, count in sorted(place.gaps.items())]
    return ngettext(
        "%(n)s response of %(name)s has no score (%(why)s); the mean is over the rest.",
        "%(n)s responses of %(name)s have no score (%(why)s); the mean is over the rest.",
        number,
    ) % {"n": f"{number:,}", "name": place.standing.candidate, "why": listed(reasons)}


def _gap_name(reason: str) -> str:
    """A reason as the run's page names it."""
    return str(_GAPS[reason]) if reason in _GAPS else kind_name(reason)


_GAPS = {
    "empty_response": gettext_lazy("empty response"),
    "waiting": gettext_lazy("not judged yet"),
    "undecided": gettext_lazy("a line without a verdict"),
}


def _pair(found: "Comparison") -> Pair:
    if found.difference is None:
        told = _("no common task")
    elif found.better is None:
        told = _("cannot be told apart")
    else:
        told = _("%(name)s is better") % {"name": found.better}
    ends = found.ci95
    difference = "–" if found.difference is None else _signed(100 * found.difference)
    if ends is not None:
        difference = _("%(value)s (%(low)s to %(high)s)") % {
            "value": difference,
            "low": _signed(100 * ends[0]),
            "high": _signed(100 * ends[1]),
        }
    return Pair(
        first=found.first,
        second=found.second,
        tasks=f"{found.tasks:,}",
        difference=difference,
        p="–"
        if found.p_holm is None
        else "< 0.01"
        if found.p_holm < 0.01
        else f"{found.p_holm:.2f}",
        told=told,
        clear=found.better is not None,
    )


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−")


def _put_aside(reason: str, by: Mapping[str, int]) -> str:
    """Why responses were not judged, and how many of which candidate."""
    number = sum(by.values())
    return ngettext(
        "%(n)s response was put aside when the run was planned, because %(why)s (%(names)s).",
        "%(n)s responses were put aside when the run was planned, because %(why)s (%(names)s).",
        number,
    ) % {
        "n": f"{number:,}",
        "why": SKIPPED.get(reason, reason),
        "names": listed(
            [_("%(name)s: %(n)s") % {"name": name, "n": f"{n:,}"} for name, n in by.items()]
        ),
    }


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
        if leaders[0].standing.worst_place == 1:
            return _("%(candidate)s leads, and the distance is larger than chance explains.") % {
                "candidate": first
            }
        return _(
            "%(candidate)s leads, but %(tasks)s cannot tell it apart from every other one."
        ) % {
            "candidate": first,
            "tasks": tasks,
        }
    if len(leaders) == len(ranked):
        return _("%(tasks)s cannot tell the %(n)s candidates apart.") % {
            "tasks": tasks,
            "n": len(ranked),
        }
    numbers = {"n": len(leaders), "tasks": tasks}
    if any((place.standing.worst_place or 0) > len(leaders) for place in leaders):
        return (
            _(
                "%(n)s candidates may hold the first place; %(tasks)s cannot tell them "
                "apart, nor each of them from all that follow."
            )
            % numbers
        )
    return (
        _(
            "%(n)s candidates lead, and %(tasks)s cannot tell them apart. The others "
            "follow; the distance to them is larger than chance explains."
        )
        % numbers
    )


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
        "best_place", "worst_place", "candidate", "score", "low", "high", "coverage_percent",
        "responses", "judged", "cost_usd", "latency_s", "gaps",
        *(
            name
            for key in board.columns
            for name in (f"{board.by}:{key}", f"{board.by}:{key}:low", f"{board.by}:{key}:high")
        ),
    ]  # fmt: skip


def lines(board: Board) -> Iterator[list[Any]]:
    """One row per candidate, scores and coverage from 0 to 100 as on the page."""
    for place in board.places:
        standing = place.standing
        values = [
            standing.best_place, standing.worst_place, standing.candidate,
            *_points(standing.mean, standing.ci95), _of_hundred(place.coverage),
            place.responses, place.judged, place.cost_usd, place.latency_s,
            " ".join(f"{reason}={count}" for reason, count in sorted(place.gaps.items())),
            *(v for key in board.columns for v in _points(place.by[key], place.by_ci95[key])),
        ]  # fmt: skip
        yield ["" if value is None else value for value in values]


def _points(mean: float | None, ends: tuple[float, float] | None) -> list[float | None]:
    """A score and the ends of its interval, in points of 100."""
    low, high = ends or (None, None)
    return [_of_hundred(share) for share in (mean, low, high)]


def _of_hundred(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 6)
