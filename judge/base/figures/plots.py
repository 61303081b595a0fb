"""Two plots of the alignment report: reliability, and the interval to expect from more tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from judge.base.figures import svg
from judge.base.figures.charts import Interval

_WIDTH, _LEFT, _RIGHT, _TOP = 460, 44, 16, 12
_TICKS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class BandMark:
    """A band of the judge's scores, in points of 100; the interval is of the experts' mean."""

    judge: float
    experts: float
    interval: Interval | None
    responses: int


def reliability(bands: Sequence[BandMark], *, title: str, x_label: str, y_label: str) -> SafeString:
    """Draw the experts' mean score against the judge's; the dashed line is equality.

    The number of responses is below each mark.
    """
    side, counts = 240, 18
    bottom = _TOP + side
    height = bottom + 40 + counts

    def x(value: float) -> float:
        return round(_LEFT + value / 100 * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(value: float) -> float:
        return round(bottom - value / 100 * side, 1)

    parts = []
    for value in _TICKS:
        parts.append(svg.line("grid", x(0), y(value), x(100), y(value)))
        parts.append(svg.text("end-label", _LEFT - 8, y(value) + 4, str(value)))
        parts.append(svg.text("mid-label", x(value), bottom + 16, str(value)))
    parts.append(svg.line("ref", x(0), y(0), x(100), y(100)))
    for band in bands:
        at = x(band.judge)
        if band.interval is not None:
            parts.append(svg.line("s1-line", at, y(band.interval[0]), at, y(band.interval[1])))
        parts.append(
            format_html(
                '<rect class="s1" x="{}" y="{}" width="8" height="8"/>',
                round(at - 4, 1),
                round(y(band.experts) - 4, 1),
            )
        )
        parts.append(svg.text("mid-label", at, bottom + 16 + counts, f"{band.responses:,}"))
    parts.append(svg.text("mid-label", x(50), height - 3, x_label))
    parts.append(
        format_html(
            '<text class="mid-label" transform="translate(12 {}) rotate(-90)">{}</text>',
            y(50),
            y_label,
        )
    )
    return svg.svg(_WIDTH, height, title, parts)


@dataclass(frozen=True, slots=True)
class Outlook:
    """An estimate from a number of tasks and the value that its interval has to stay above.

    `settled` is the number of tasks from which it does, if the estimate stays the same; None if
    that cannot be estimated.
    """

    estimate: float
    interval: Interval
    tasks: int
    required: float
    settled: int | None

    def at(self, tasks: float) -> Interval:
        """Return the interval to expect; its width shrinks with the square root of the tasks."""
        shrink = (self.tasks / tasks) ** 0.5
        low, high = self.interval
        return (
            self.estimate - (self.estimate - low) * shrink,
            self.estimate + (high - self.estimate) * shrink,
        )

    @property
    def furthest(self) -> int:
        """Return the last number of tasks on the axis."""
        wanted = max(2 * self.tasks, round(1.25 * (self.settled or 0)), 40)
        return min(wanted, 12 * self.tasks)


def outlook(
    found: Outlook, *, title: str, axis: str, now: str, required: str, settled: str
) -> SafeString:
    """Draw the interval against the number of tasks: today's as a bar, the expected as a band.

    Args:
        now, required, settled: the labels of the three marks.
    """
    bottom, span = 212, 190
    last, first = found.furthest, max(2, round(found.tasks / 4))
    low, high = found.at(first)
    top_value = min(1.0, max(high, found.required))
    low_value = max(-1.0, min(low, found.required, 0.0))
    room = (top_value - low_value) * 0.06
    top_value, low_value = top_value + room, low_value - (room if low_value < 0 else 0)

    def x(tasks: float) -> float:
        return round(_LEFT + tasks / last * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(value: float) -> float:
        share = (min(top_value, max(low_value, value)) - low_value) / (top_value - low_value)
        return round(bottom - share * span, 1)

    parts = []
    for value in (-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0):
        if low_value <= value <= top_value:
            parts.append(svg.line("grid", _LEFT, y(value), _WIDTH - _RIGHT, y(value)))
            label = f"{value:g}".replace("-", "−")
            parts.append(svg.text("end-label", _LEFT - 8, y(value) + 4, label))
    for tasks in _steps(last):
        parts.append(svg.text("mid-label", x(tasks), bottom + 16, f"{tasks:,}"))
    steps = [first + (last - first) * (n / 40) ** 2 for n in range(41)]
    upper = [f"{x(n)},{y(found.at(n)[1])}" for n in steps]
    lower = [f"{x(n)},{y(found.at(n)[0])}" for n in reversed(steps)]
    parts.append(format_html('<polygon class="band" points="{}"/>', " ".join(upper + lower)))
    parts.append(svg.line("s2-line", x(first), y(found.estimate), x(last), y(found.estimate)))
    at = y(found.required)
    parts.append(svg.line("ref", _LEFT, at, _WIDTH - _RIGHT, at))
    parts.append(svg.text("end-label", _WIDTH - _RIGHT, at - 5, required))
    here = x(found.tasks)
    parts.append(svg.line("s1-line", here, y(found.interval[0]), here, y(found.interval[1])))
    parts.append(
        format_html(
            '<rect class="s1" x="{}" y="{}" width="8" height="8"/>',
            round(here - 4, 1),
            round(y(found.estimate) - 4, 1),
        )
    )
    parts.append(svg.text("strong", here + 8, y(found.interval[1]) - 2, now))
    if found.settled is not None and found.tasks < found.settled <= last:
        parts.append(
            format_html('<circle class="ring" cx="{}" cy="{}" r="5.5"/>', x(found.settled), at)
        )
        anchor = "end-label" if found.settled > 0.6 * last else ""
        shift = -10 if anchor else 10
        parts.append(svg.text(anchor, x(found.settled) + shift, at + 18, settled))
    parts.append(svg.text("mid-label", (_LEFT + _WIDTH - _RIGHT) / 2, bottom + 34, axis))
    return svg.svg(_WIDTH, bottom + 38, title, parts)


def _steps(last: int) -> list[int]:
    """Return at most six round numbers of tasks, from 0."""
    size = next(s * 10**p for p in range(7) for s in (1, 2, 5) if last / (s * 10**p) <= 5)
    return list(range(0, last + 1, size))[:6]
