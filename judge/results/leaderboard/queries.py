"""The leaderboard as the page and the CSV file print it."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.text.wording import listed
from judge.asking.candidates.earlier_text import LABELS
from judge.base.figures import charts
from judge.base.figures.charts import Estimate, Scale
from judge.results.leaderboard.ranking import Board, RankedCandidate
from judge.results.leaderboard.words import no_interval, sentence
from judge.runs.engine.planning.skipping import SKIPPED
from judge.runs.pages import failure_kinds

if TYPE_CHECKING:
    from judge.base.stats.leaderboard import Comparison


@dataclass(frozen=True, slots=True)
class Cell:
    """A candidate's mean in one group, in points of 100, with its interval as text.

    `url` leads to the responses behind it.
    """

    value: float | None
    interval: str
    best: bool
    url: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two candidates compared on their common tasks; `outcome` says what the test found."""

    first: str
    second: str
    tasks: str
    difference: str
    p: str
    outcome: str
    clear: bool


@dataclass(frozen=True, slots=True)
class Row:
    """The row of one candidate.

    `lanes` has one entry per column of brackets: the number of rows of a bracket that begins here,
    0 for an empty cell, -1 where a bracket from above goes on.
    """

    place: str
    candidate: str
    url: str
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
    """Everything the page prints."""

    board: Board
    sentence: str
    rows: tuple[Row, ...]
    ticks: SafeString
    lanes: int
    gaps: tuple[str, ...]  # one sentence per candidate with responses without a score, or at 0
    pairs: tuple[Pair, ...]
    skipped: tuple[str, ...]  # one sentence per reason
    has_cost: bool
    has_latency: bool
    group: str
    width: str  # a sentence on how wide the intervals of the columns are
    no_interval: str  # a sentence on why some scores have none; "" where all have one

    @property
    def comparisons(self) -> int:
        return len(self.pairs)


def page(board: Board) -> Page:
    """Prepare the board for the page; overlapping brackets go into separate columns."""
    spread = [
        100 * value
        for entry in board.candidates
        if entry.standing.mean is not None
        for value in (entry.standing.ci95 or (entry.standing.mean,))
    ]
    scale = Scale.around(spread)
    best = {
        key: max((mean for p in board.candidates if (mean := p.by[key]) is not None), default=None)
        for key in board.columns
    }
    lanes = _lanes(board)
    decimals = _decimals(entry.cost_usd for entry in board.candidates)
    rows = []
    for n, entry in enumerate(board.candidates):
        standing = entry.standing
        estimate = None
        if standing.mean is not None:
            ends = standing.ci95
            estimate = Estimate(
                100 * standing.mean, (100 * ends[0], 100 * ends[1]) if ends else None
            )
        rows.append(
            Row(
                place=rank_range(standing.best_place, standing.worst_place),
                candidate=standing.candidate,
                url=_url(board, standing.candidate),
                chart=charts.interval_row(scale, estimate, title=_title(estimate)),
                score=estimate.value if estimate else None,
                interval=_ends(estimate),
                coverage=entry.coverage,
                gaps=entry.responses - entry.judged,
                cost=_dollars(entry.cost_usd, decimals),
                latency="–" if entry.latency_s is None else f"{entry.latency_s:,.0f}",
                cells=tuple(_cell(board, entry, key, best[key]) for key in board.columns),
                lanes=tuple(lane[n] for lane in lanes),
            )
        )
    return Page(
        board=board,
        sentence=sentence(board),
        rows=tuple(rows),
        ticks=charts.ticks_row(scale),
        lanes=len(lanes),
        gaps=tuple(sentence for entry in board.candidates for sentence in _gaps(entry)),
        pairs=tuple(_pair(found, board.result.decides) for found in board.result.comparisons),
        skipped=tuple(_skipped_sentence(reason, by) for reason, by in board.skipped.items()),
        has_cost=any(entry.cost_usd is not None for entry in board.candidates),
        has_latency=any(entry.latency_s is not None for entry in board.candidates),
        group=str(board.columns[board.group]) if board.group else "",
        width=_width(board),
        no_interval=no_interval(board),
    )


def _url(board: Board, candidate: str, **group: str) -> str:
    """Return the address of the list of a candidate's responses."""
    query = {"judge": board.judge.name, "candidate": candidate, **group}
    if board.coverage.tasks is not None:
        query["tasks"] = str(board.coverage.tasks)
    return f"{reverse('verdicts')}?{urlencode(query)}"


def _cell(board: Board, entry: RankedCandidate, key: str, best: float | None) -> Cell:
    mean, (ends, _why) = entry.by[key], entry.by_ci95[key]
    return Cell(
        value=None if mean is None else 100 * mean,
        interval=f"{100 * ends[0]:.0f}–{100 * ends[1]:.0f}" if ends else "",
        best=mean is not None and mean == best,
        # The list of responses cannot be narrowed to a category.
        url=""
        if board.by == "category"
        else _url(board, entry.standing.candidate, **{board.by: key}),
    )


def _dollars(amount: float | None, decimals: int) -> str:
    return "–" if amount is None else f"${amount:,.{decimals}f}"


def _decimals(amounts: Iterable[float | None]) -> int:
    """Return the decimals that show two digits of the smallest amount; at least two."""
    least = min((amount for amount in amounts if amount), default=1.0)
    return min(6, max(2, 1 - math.floor(math.log10(least))))


def _width(board: Board) -> str:
    """Say how far the median interval of the columns reaches to either side."""
    halves = sorted(
        50 * (ends[1] - ends[0])
        for entry in board.candidates
        for ends, _why in entry.by_ci95.values()
        if ends is not None
    )
    if not halves:
        return ""
    return _("An interval in these columns reaches some %(points)s points to either side.") % {
        "points": f"{halves[len(halves) // 2]:.0f}"
    }


def _gaps(entry: RankedCandidate) -> Iterator[str]:
    """Say how many of a candidate's responses have no score or count 0, and why."""
    if entry.gaps:
        yield ngettext(
            "%(n)s response of %(name)s has no score (%(why)s); the mean is over the rest.",
            "%(n)s responses of %(name)s have no score (%(why)s); the mean is over the rest.",
            sum(entry.gaps.values()),
        ) % _counted(entry, entry.gaps)
    if entry.zeros:
        yield ngettext(
            "%(n)s response of %(name)s counts 0, because there was nothing to judge (%(why)s).",
            "%(n)s responses of %(name)s count 0, because there was nothing to judge (%(why)s).",
            sum(entry.zeros.values()),
        ) % _counted(entry, entry.zeros)


def _counted(entry: RankedCandidate, by: Mapping[str, int]) -> dict[str, str]:
    named = ((_GAPS.get(code) or failure_kinds.name_of(code), n) for code, n in sorted(by.items()))
    why = listed(f"{reason}: {n:,}" for reason, n in named)
    return {"n": f"{sum(by.values()):,}", "name": entry.standing.candidate, "why": why}


_GAPS = {
    "empty_response": gettext_lazy("empty response"),
    "waiting": gettext_lazy("not judged yet"),
    "undecided": gettext_lazy("a line without a verdict"),
    **LABELS,
}


def _pair(found: "Comparison", decides: bool) -> Pair:
    if found.difference is None:
        outcome = _("no common task")
    elif not decides:
        outcome = _("too few tasks")
    elif found.better is None:
        outcome = _("cannot be told apart")
    else:
        outcome = _("%(name)s is better") % {"name": found.better}
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
        outcome=outcome,
        clear=found.better is not None,
    )


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−")


def _skipped_sentence(reason: str, by: Mapping[str, int]) -> str:
    """Say why responses were skipped, and how many of each candidate."""
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


def rank_range(best: int | None, worst: int | None) -> str:
    """Format a rank: "1–3", "4" where it is certain, a dash without one."""
    if best is None or worst is None:
        return "–"
    return str(best) if best == worst else f"{best}–{worst}"


def _lanes(board: Board) -> list[list[int]]:
    """Lay the brackets out in columns, at least one; the entries are those of `Row.lanes`."""
    index = {entry.standing.candidate: n for n, entry in enumerate(board.candidates)}
    lanes: list[list[int]] = [[0] * len(board.candidates)]
    for bracket in board.result.brackets:
        start, end = index[bracket[0]], index[bracket[-1]] + 1
        free = next((lane for lane in lanes if not any(lane[start:end])), None)
        if free is None:
            free = [0] * len(board.candidates)
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


def csv_header(board: Board) -> list[str]:
    """Return the column names of the CSV file."""
    return [
        "best_place", "worst_place", "candidate", "score", "low", "high", "coverage_percent",
        "responses", "judged", "cost_usd", "latency_s", "gaps", "why",
        *(
            name
            for key in board.columns
            for name in (f"{board.by}:{key}", f"{board.by}:{key}:low", f"{board.by}:{key}:high")
        ),
    ]  # fmt: skip


def csv_rows(board: Board) -> Iterator[list[Any]]:
    """Yield one row per candidate, with scores and coverage from 0 to 100 as on the page."""
    for entry in board.candidates:
        standing = entry.standing
        values = [
            standing.best_place, standing.worst_place, standing.candidate,
            *_points(standing.mean, standing.ci95), _of_hundred(entry.coverage),
            entry.responses, entry.judged, entry.cost_usd, entry.latency_s,
            " ".join(f"{reason}={count}" for reason, count in sorted(entry.gaps.items())),
            "; ".join(f"{name}: {reason}" for name, reason in standing.why.items()),
            *(v for key in board.columns for v in _points(entry.by[key], entry.by_ci95[key][0])),
        ]  # fmt: skip
        yield ["" if value is None else value for value in values]


def _points(mean: float | None, ends: tuple[float, float] | None) -> list[float | None]:
    """Return a mean and the ends of its interval, in points of 100."""
    low, high = ends or (None, None)
    return [_of_hundred(share) for share in (mean, low, high)]


def _of_hundred(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 6)
