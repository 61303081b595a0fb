"""The plot of a product's abilities over time, one small chart for each product."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from judge.base.figures import svg

_WIDTH, _HEIGHT = 460, 204
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 14, 28, 34
_LETTERS = 12
_APART = 74  # between two labels of the time axis


class AbilityPoint(NamedTuple):
    """The ability of a version at a time; `leap` marks a breakthrough to this version."""

    at: float
    theta: float
    interval: tuple[float, float]
    label: str
    leap: bool


class Frame(NamedTuple):
    """The axes that all charts of a page share.

    Attributes:
        times: of the periods, with their names, in order.
        low, high: of the abilities.
    """

    times: Sequence[tuple[float, str]]
    low: float
    high: float


def frame_around(
    times: Sequence[tuple[float, str]], intervals: Sequence[tuple[float, float]]
) -> Frame:
    """Return axes that hold these intervals, 0 included, with whole numbers at both ends."""
    low = min([0.0, *(pair[0] for pair in intervals)])
    high = max([0.0, *(pair[1] for pair in intervals)])
    bottom, top = float(int(low) - (low < int(low))), float(int(high) + (high > int(high)))
    return Frame(times, bottom, max(top, bottom + 1))


def growth(points: Sequence[AbilityPoint], frame: Frame, *, title: str) -> SafeString | str:
    """Draw abilities with their intervals, joined in order of time; "" without any point.

    A breakthrough is a filled square with a ring around it and a bold name, the others are hollow
    circles, so that they differ without colour. The dashed line is the reference's mean.
    """
    if not points:
        return ""
    first, last = frame.times[0][0], frame.times[-1][0]

    def x(at: float) -> float:
        share = (at - first) / (last - first) if last > first else 0.5
        return round(_LEFT + 22 + share * (_WIDTH - _LEFT - _RIGHT - 44), 1)

    def y(theta: float) -> float:
        share = (frame.high - theta) / (frame.high - frame.low)
        return round(_TOP + share * (_HEIGHT - _TOP - _BOTTOM), 1)

    parts = [svg.text("name", 2, 12, _("Ability θ"))]
    for value in _ticks(frame.low, frame.high):
        css = "ref" if value == 0 else "grid"
        parts.append(svg.line(css, _LEFT, y(value), _WIDTH - _RIGHT, y(value)))
        parts.append(svg.text("end-label", _LEFT - 6, y(value) + 4, _number(value)))
    taken = -1000.0
    for at, name in frame.times:
        if x(at) - taken >= _APART:
            parts.append(svg.text("mid-label", x(at), _HEIGHT - 12, name[:_LETTERS]))
            taken = x(at)
    joined = " ".join(f"{x(point.at)},{y(point.theta)}" for point in points)
    parts.append(format_html('<polyline class="s1-line" points="{}"/>', joined))
    for point in points:
        across, down = x(point.at), y(point.theta)
        low, high = point.interval
        parts.append(svg.line("s-ink-line", across, y(low), across, y(high)))
        if point.leap:
            parts.append(
                format_html('<circle class="ring is-accent" cx="{}" cy="{}" r="9"/>', across, down)
            )
            parts.append(
                format_html(
                    '<rect class="s1" x="{}" y="{}" width="8" height="8"/>',
                    round(across - 4, 1),
                    round(down - 4, 1),
                )
            )
        else:
            parts.append(format_html('<circle class="s2" cx="{}" cy="{}" r="4"/>', across, down))
        parts.append(
            svg.text(
                "strong" if point.leap else "name",
                round(across + (13 if point.leap else 8), 1),
                round(down - 6, 1),
                point.label[:_LETTERS],
            )
        )
    return svg.svg(_WIDTH, _HEIGHT, title, parts)


def _ticks(low: float, high: float) -> list[float]:
    """Return whole numbers from low to high, at most six, 0 among them."""
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 1000) if (high - low) / size <= 5)
    first = -(int(-low) // step) * step
    return [float(value) for value in range(first, int(high) + 1, step)]


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")
