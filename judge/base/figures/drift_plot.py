"""The plot of a scorer's agreement with known verdicts, one mark for each known sheet."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString

from curation.base.text.wording import percent
from judge.base.figures import svg

_WIDTH, _HEIGHT = 460, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 18, 14, 34
_APART = 84  # between two labels of the time axis


class SheetPoint(NamedTuple):
    """A known sheet: its day, its agreement with the interval, and that of the last lines.

    `below` marks a sheet at which the last lines were under the rule.
    """

    label: str
    agreement: float
    interval: tuple[float, float]
    window: float
    below: bool


def drift(points: Sequence[SheetPoint], rule: float | None, *, title: str) -> SafeString | str:
    """Draw each sheet's agreement and, as a line, that of the last lines; "" without a sheet.

    A sheet at which the last lines were below the rule is a filled square, the others are hollow
    circles, so that they differ without colour. The dashed line is the rule.
    """
    if not points:
        return ""

    def x(place: int) -> float:
        share = place / (len(points) - 1) if len(points) > 1 else 0.5
        return round(_LEFT + 18 + share * (_WIDTH - _LEFT - _RIGHT - 36), 1)

    def y(share: float) -> float:
        return round(_TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM), 1)

    parts = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(svg.line("grid", _LEFT, y(value), _WIDTH - _RIGHT, y(value)))
        parts.append(svg.text("end-label", _LEFT - 6, y(value) + 4, percent(value)))
    if rule is not None:
        parts.append(svg.line("ref", _LEFT, y(rule), _WIDTH - _RIGHT, y(rule)))
    joined = " ".join(f"{x(n)},{y(point.window)}" for n, point in enumerate(points))
    parts.append(format_html('<polyline class="s1-line" points="{}"/>', joined))
    taken = -1000.0
    for n, point in enumerate(points):
        across, down = x(n), y(point.agreement)
        low, high = point.interval
        parts.append(svg.line("s-ink-line", across, y(low), across, y(high)))
        if point.below:
            parts.append(
                format_html(
                    '<rect class="s1" x="{}" y="{}" width="8" height="8"/>',
                    round(across - 4, 1),
                    round(down - 4, 1),
                )
            )
        else:
            parts.append(format_html('<circle class="s2" cx="{}" cy="{}" r="4"/>', across, down))
        if across - taken >= _APART:
            parts.append(svg.text("mid-label", across, _HEIGHT - 10, point.label))
            taken = across
    return svg.svg(_WIDTH, _HEIGHT, title, parts)
