"""Charts as SVG: pure functions from numbers to markup.

Colours are classes of the stylesheet. Each chart is an image labelled by a sentence that says the
finding (`title`); the page has the same numbers in a table.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from judge.base.figures import svg

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval; None if the interval is unknown."""

    value: float
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A row of a forest plot; `second` is the judge it is compared with."""

    name: str
    first: Estimate | None
    second: Estimate | None = None
    count: int = 0
    strong: bool = False


@dataclass(frozen=True, slots=True)
class _Plot:
    """The layout of a forest plot, in units of its view box."""

    width: int
    left: int  # room for the names
    right: int  # room for the counts
    top: int  # of the first row's name
    row: int  # height of a row
    drop: int  # distance of the marks below their name
    name_letters: int  # longest name


_WIDE = _Plot(width=460, left=136, right=44, top=20, row=27, drop=0, name_letters=23)
# On a phone names and counts are above the marks, so that their text keeps a readable size.
_NARROW = _Plot(width=358, left=8, right=8, top=14, row=44, drop=18, name_letters=44)


def forest(rows: Sequence[ForestRow], *, title: str, axis: str, narrow: bool = False) -> SafeString:
    """Draw estimates with intervals on one axis from 0 (or -1) to 1, one row per group.

    The dashed line marks the first row's value. The first series has squares and the second one
    circles, so that they differ without colour.

    Args:
        narrow: whether to draw it for a phone.
    """
    plot = _NARROW if narrow else _WIDE
    low = _lowest(rows)
    bottom = plot.top + plot.row * len(rows) - 2
    height = bottom + 34

    def x(value: float) -> float:
        share = (min(1.0, max(low, value)) - low) / (1 - low)
        return round(plot.left + share * (plot.width - plot.left - plot.right), 1)

    parts = []
    steps = 4
    for n in range(steps + 1):
        value = low + n * (1 - low) / steps
        css = "zero" if value == 0 else "grid"
        parts.append(svg.line(css, x(value), 8, x(value), bottom))
        parts.append(svg.text("mid-label", x(value), bottom + 16, f"{value:g}".replace("-", "−")))
    if rows and rows[0].first is not None:
        at = x(rows[0].first.value)
        parts.append(svg.line("ref", at, 8, at, bottom))
    for n, row in enumerate(rows):
        base = plot.top + n * plot.row
        name = _shortened(row.name, plot.name_letters)
        parts.append(svg.text("strong" if row.strong else "name", 0, base + 5, name))
        parts.append(svg.text("end-label", plot.width, base + 5, f"{row.count:,}"))
        parts.extend(_marks(row, x, base + plot.drop))
    parts.append(svg.text("mid-label", (plot.left + plot.width - plot.right) / 2, height - 2, axis))
    return svg.svg(plot.width, height, title, parts, css="chart is-narrow" if narrow else "chart")


def _marks(row: ForestRow, x: Callable[[float], float], y: float) -> list[SafeString]:
    """Draw the estimates of one row, the first above the second."""
    parts = []
    apart = 4 if row.second is not None else 0
    if row.first is not None:
        parts.append(_whisker("s1-line", row.first, x, y - apart))
        parts.append(
            format_html(
                '<rect class="s1" x="{}" y="{}" width="8" height="8"/>',
                round(x(row.first.value) - 4, 1),
                y - apart - 4,
            )
        )
    if row.second is not None:
        parts.append(_whisker("s2-line", row.second, x, y + 6))
        parts.append(
            format_html('<circle class="s2" cx="{}" cy="{}" r="3.5"/>', x(row.second.value), y + 6)
        )
    return parts


def _lowest(rows: Sequence[ForestRow]) -> float:
    estimates = [e for row in rows for e in (row.first, row.second) if e is not None]
    values = [e.interval[0] if e.interval else e.value for e in estimates]
    return -1.0 if min(values, default=0.0) < 0 else 0.0


def _whisker(css: str, estimate: Estimate, x: Callable[[float], float], y: float) -> SafeString:
    if estimate.interval is None:
        return SafeString("")
    return svg.line(css, x(estimate.interval[0]), y, x(estimate.interval[1]), y)


def _shortened(name: str, letters: int) -> str:
    """Cut a name to the room beside the plot; a Chinese character counts twice."""
    wide = sum(2 if ord(letter) > 0x2E7F else 1 for letter in name)
    kept = letters - 2 if wide == len(name) else letters // 2 - 1
    return name if wide <= letters else f"{name[:kept]}…"


# -- scatter --------------------------------------------------------------------------------------

_SIDE, _MARGIN_LEFT, _MARGIN_BOTTOM = 380, 48, 40


def scatter(
    points: Iterable[tuple[float, float]],
    ringed: Sequence[tuple[float, float]],
    *,
    title: str,
    x_label: str,
    y_label: str,
) -> SafeString:
    """Draw points on 0..100 by 0..100 with the line of equality.

    Args:
        ringed: points to mark with a ring and a number, from 1.
    """
    width, height = _MARGIN_LEFT + _SIDE + 32, _SIDE + 12 + _MARGIN_BOTTOM

    def x(value: float) -> float:
        return round(_MARGIN_LEFT + value / 100 * _SIDE, 1)

    def y(value: float) -> float:
        return round(12 + (1 - value / 100) * _SIDE, 1)

    parts = []
    for value in (0, 25, 50, 75, 100):
        parts.append(svg.line("grid", x(value), y(0), x(value), y(100)))
        parts.append(svg.line("grid", x(0), y(value), x(100), y(value)))
        parts.append(svg.text("mid-label", x(value), y(0) + 16, str(value)))
        parts.append(svg.text("end-label", x(0) - 8, y(value) + 4, str(value)))
    parts.append(svg.line("ref", x(0), y(0), x(100), y(100)))
    # Points on the same pixel become one mark, to keep a page of thousands of responses small.
    marks = sorted({(round(x(a)), round(y(b))) for a, b in points})
    parts.extend(format_html('<circle class="dot" cx="{}" cy="{}" r="2.2"/>', *at) for at in marks)
    for number, (a, b) in enumerate(ringed, start=1):
        parts.append(format_html('<circle class="ring" cx="{}" cy="{}" r="5.5"/>', x(a), y(b)))
        parts.append(svg.text("strong", x(a) + 10, y(b) + 4, str(number)))
    parts.append(svg.text("mid-label", x(50), height - 4, x_label))
    parts.append(
        format_html(
            '<text class="mid-label" transform="translate(12 {}) rotate(-90)">{}</text>',
            y(50),
            y_label,
        )
    )
    return svg.svg(width, height, title, parts)


# -- small ones -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis shared by the rows of a table, with at most five ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def around(cls, values: Iterable[float], *, top: float = 100.0) -> "Scale":
        """Return a scale with round steps that holds all values; 0 to `top` without any value."""
        known = list(values)
        if not known:
            return cls(0.0, top, tuple(top * n / 4 for n in range(5)))
        low, high = min(known), max(known)
        step = next((s for s in (2, 5, 10, 20, 25, 50) if (high - low) / s <= 3), 50)
        first, last = step * (low // step), step * -(-high // step)
        last = max(last, first + step)
        count = round((last - first) / step)
        return cls(first, last, tuple(first + step * n for n in range(count + 1)))

    def at(self, value: float) -> str:
        """Return the position of a value in percent of the width, with room at both ends."""
        share = (value - self.low) / (self.high - self.low)
        return f"{2 + 96 * min(1.0, max(0.0, share)):.2f}%"


def interval_row(scale: Scale, estimate: Estimate | None, *, title: str) -> SafeString:
    """Draw an interval in its table row; the gridlines continue in the neighbouring rows."""
    parts = [
        format_html('<line class="grid" x1="{0}" x2="{0}" y1="-20" y2="40"/>', scale.at(tick))
        for tick in scale.ticks
    ]
    if estimate is not None:
        if estimate.interval is not None:
            parts.append(
                format_html(
                    '<line class="s-ink-line" x1="{}" x2="{}" y1="10" y2="10"/>',
                    scale.at(estimate.interval[0]),
                    scale.at(estimate.interval[1]),
                )
            )
        parts.append(
            format_html('<circle class="s-ink" cx="{}" cy="10" r="4"/>', scale.at(estimate.value))
        )
    return svg.strip("chart mini", title, parts)


def ticks_row(scale: Scale) -> SafeString:
    """Draw the numbers above the rows of `interval_row`, hidden from screen readers."""
    parts = [
        format_html('<text class="mid-label" x="{}" y="14">{}</text>', scale.at(tick), f"{tick:g}")
        for tick in scale.ticks
    ]
    return svg.strip("chart mini", "", parts)


def rate(
    counts: Sequence[int], *, title: str, first: str, last: str, note: tuple[int, str] | None = None
) -> SafeString:
    """Draw counts per step of time as one line from 0.

    Args:
        first, last: labels of the first and the last step.
        note: (index of a step, label at it).
    """
    width, height, left, bottom = 460, 130, 34, 100
    top = max(10, -(-max(counts, default=0) // 10) * 10)
    step = (width - left - 8) / max(1, len(counts) - 1)

    def y(value: float) -> float:
        return round(bottom - value / top * 84, 1)

    parts = []
    for value in (0, top / 2, top):
        parts.append(svg.line("grid", left, y(value), width - 8, y(value)))
        parts.append(svg.text("end-label", left - 8, y(value) + 4, f"{value:g}"))
    points = " ".join(f"{left + n * step:.1f},{y(value)}" for n, value in enumerate(counts))
    parts.append(format_html('<polyline class="s1-line" points="{}"/>', points))
    if note is not None:
        parts.append(svg.text("mid-label", left + note[0] * step, y(counts[note[0]]) + 16, note[1]))
    parts.append(svg.text("", left, bottom + 20, first))
    parts.append(svg.text("end-label", width - 8, bottom + 20, last))
    return svg.svg(width, height, title, parts)


def forest_finding(rows: Sequence[ForestRow]) -> str:
    """Return the sentence that says what a forest plot of two judges shows."""
    both = [row for row in rows if not row.strong and row.first and row.second]
    above = sum(row.first.value > row.second.value for row in both if row.first and row.second)
    if not both:
        return _("CDR with its interval (95 %), overall and per domain.")
    return _("The judge lies above the other one in %(above)s of %(all)s domains.") % {
        "above": above,
        "all": len(both),
    }
